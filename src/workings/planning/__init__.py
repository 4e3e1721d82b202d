"""Planning a training run: the cost model, its readings, and the search over layouts."""
