"""Layouts that a search found, as text, JSON and CSV."""

from workings.planning.output.layouts import FORMATS

__all__ = ["FORMATS"]
