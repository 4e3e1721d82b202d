"""Published runs that the model has never seen, as jobs of the product, and how far it is off there."""
