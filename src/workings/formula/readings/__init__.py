"""Readings of a formula for pages: boxes, and how each format writes them; no value is decided here."""
