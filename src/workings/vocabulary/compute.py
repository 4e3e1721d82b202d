"""What only the counting of FLOPs speaks of."""

from workings.vocabulary.concept import count, part

WINDOW = count("window", "most keys that a query sees, its own included", "s_w", None, "tokens")
REDONE_SHARE = part("redone_share", "share of the weights whose products are run forward again", "x_re")
