"""Ranks from one member of a context-parallel group to the next."""

from workings.derivation import derivation
from workings.derivations.ranks._mesh import steps_to_the_next
from workings.derivations.ranks._sources import MEGATRON_GROUPS
from workings.units import ONE
from workings.vocabulary.layout import TP


def count_the_ranks_between(t: int) -> int:
    """The mesh dealt out; ranks passed from its first to the next one along the axis."""
    return steps_to_the_next("cp", t, 2, 1, 1)


CONTEXT_STRIDE = derivation(
    "context-stride",
    title="Ranks from one member of a context-parallel group to the next",
    unit=ONE,
    noun="ranks",
    letters={"t": TP},
    source=MEGATRON_GROUPS,
    oracle=count_the_ranks_between,
    convention="Order [TP, CP, PP, DP].",
    chain="""
    sigma_c = sum(1, (i, 1, t))     -- the `t` ranks of one tensor-parallel group come first
      = t                       -- equal terms
    """,
)
