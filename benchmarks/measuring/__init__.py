"""Measures the checker: on labelled documents, on steps broken on purpose, and by the clock."""
