"""FLOPs of matrix products."""
