"""workings: shows and checks the workings of large-model training."""
