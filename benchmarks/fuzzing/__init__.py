"""Documents made up to break the checker, and what every one of them must leave whole."""
