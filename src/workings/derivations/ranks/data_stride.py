"""Ranks from one member of a data-parallel group to the next."""

from workings.derivation import derivation
from workings.derivations.ranks._mesh import steps_to_the_next
from workings.derivations.ranks._sources import MEGATRON_GROUPS
from workings.units import ONE
from workings.vocabulary.layout import CP, STAGES, TP


def count_the_ranks_between(t: int, c: int, p: int) -> int:
    """The mesh dealt out; ranks passed from its first to the next one along the axis."""
    return steps_to_the_next("dp", t, c, p, 2)


DATA_STRIDE = derivation(
    "data-stride",
    title="Ranks from one member of a data-parallel group to the next",
    unit=ONE,
    noun="ranks",
    letters={"t": TP, "c": CP, "p": STAGES},
    source=MEGATRON_GROUPS,
    oracle=count_the_ranks_between,
    convention="Order [TP, CP, PP, DP].",
    chain="""
    sigma_d = sum(sum(sum(1, (i, 1, t)), (j, 1, c)), (k, 1, p))     -- `p` stages, one replica
      = sum(sum(t, (j, 1, c)), (k, 1, p))     -- equal ranks
      = sum(t*c, (k, 1, p))                   -- equal groups
      = t*c*p                                 -- equal stages
    """,
)
