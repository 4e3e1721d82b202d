"""What only the counting of FLOPs speaks of."""

from workings.vocabulary.concept import count

WINDOW = count("window", "most keys that a query sees, its own included", "s_w", None, "tokens")
