"""Ranks from one member of a pipeline-parallel group to the next."""

from workings.derivation import derivation
from workings.derivations.ranks._mesh import steps_to_the_next
from workings.derivations.ranks._sources import MEGATRON_GROUPS
from workings.units import ONE
from workings.vocabulary.layout import CP, TP


def count_the_ranks_between(t: int, c: int) -> int:
    """The mesh dealt out; ranks passed from its first to the next one along the axis."""
    return steps_to_the_next("pp", t, c, 2, 1)


PIPELINE_STRIDE = derivation(
    "pipeline-stride",
    title="Ranks from one member of a pipeline-parallel group to the next",
    unit=ONE,
    noun="ranks",
    letters={"t": TP, "c": CP},
    source=MEGATRON_GROUPS,
    oracle=count_the_ranks_between,
    convention="Order [TP, CP, PP, DP].",
    chain="""
    sigma_p = sum(sum(1, (i, 1, t)), (j, 1, c))     -- `c` groups of `t` ranks, one stage
      = sum(t, (j, 1, c))       -- equal ranks
      = t*c                     -- equal groups
    """,
)
