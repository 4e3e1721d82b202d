"""Measurements put back into a plan: the file that holds them, the fit, and what is written."""
