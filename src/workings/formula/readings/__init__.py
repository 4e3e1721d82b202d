"""Readings of a formula for pages: boxes, and how each format writes them. Nothing here decides a value."""
