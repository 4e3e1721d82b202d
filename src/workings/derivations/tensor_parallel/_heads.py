"""The letters of attention's heads on a tensor-parallel rank, and how the oracles deal them out."""

from __future__ import annotations

from workings.simulate.head_placement import Placement, deal_heads
from workings.vocabulary.layout import TP
from workings.vocabulary.model import D_MODEL, HEAD_DIM, HEADS, KV_HEADS

HEAD_COUNTS = {"t": TP, "H": HEADS, "K": KV_HEADS}
ATTENTION = {**HEAD_COUNTS, "D": D_MODEL, "d_h": HEAD_DIM}

# As many query heads on each rank, as many for each key and value head; and either whole key and
# value heads on each rank or whole groups of ranks for each of them.
EVEN = ("t divides H", "K divides H", "floor(max(t, K)/min(t, K)) = max(t, K)/min(t, K)")
EVEN_IN_WORDS = (
    "Query heads are shared evenly, and either `t` divides `K` or `K` divides `t`: ranks that have no "
    "key and value head of their own hold a copy."
)


def placed(t: int, H: int, K: int) -> Placement:
    """Query heads dealt out in order, each rank with the key and value heads that its queries need."""
    return deal_heads(H, K, t)
