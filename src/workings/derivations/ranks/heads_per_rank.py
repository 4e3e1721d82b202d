"""Query heads on one tensor-parallel rank."""

from workings.derivation import derivation
from workings.derivations.ranks._sources import MEGATRON_TENSOR
from workings.units import ONE
from workings.vocabulary.layout import TP
from workings.vocabulary.model import HEADS


def deal_the_heads(H: int, t: int) -> int | None:
    """Heads dealt to the ranks in turn; what each has where all have as many."""
    ranks = [0] * t
    for head in range(H):
        ranks[head % t] += 1
    return ranks[0] if len(set(ranks)) == 1 else None


HEADS_PER_RANK = derivation(
    "heads-per-rank",
    title="Query heads on one tensor-parallel rank",
    unit=ONE,
    noun="heads",
    letters={"H": HEADS, "t": TP},
    given=("t divides H",),
    source=MEGATRON_TENSOR,
    oracle=deal_the_heads,
    convention="A head is not split, so `t` divides `H`.",
    chain="""
    H_r = sum(1/t, (i, 1, H))     -- each rank has an equal part of them
      = H/t                       -- equal terms
    """,
)
