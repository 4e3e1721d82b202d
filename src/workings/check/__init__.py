"""Reads hand derivations and says which line is wrong, and why."""
