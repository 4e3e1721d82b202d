"""A place."""
