"""Experts of a block on one rank."""

from workings.derivation import derivation
from workings.derivations.ranks._sources import MEGATRON_WORLD
from workings.units import ONE
from workings.vocabulary.layout import EP
from workings.vocabulary.model import EXPERTS


def deal_the_experts(E: int, e: int) -> int | None:
    """Experts dealt to the ranks in turn; what each has where all have as many."""
    ranks = [0] * e
    for expert in range(E):
        ranks[expert % e] += 1
    return ranks[0] if len(set(ranks)) == 1 else None


EXPERTS_PER_RANK = derivation(
    "experts-per-rank",
    title="Experts of a block on one rank",
    unit=ONE,
    noun="experts",
    letters={"E": EXPERTS, "e": EP},
    given=("e divides E",),
    source=MEGATRON_WORLD,
    oracle=deal_the_experts,
    convention="So `e` is at most `E`.",
    chain="""
    E_r = sum(1/e, (i, 1, E))     -- each rank has an equal part of them
      = E/e                       -- equal terms
    """,
)
