"""Ranks from one member of a pipeline-parallel group to the next."""

from workings.derivation import derivation
from workings.derivations.ranks._mesh import ORDER, ORDERED, sizes, steps_to_the_next
from workings.derivations.ranks._sources import MEGATRON_GROUPS
from workings.units import ONE
from workings.vocabulary.layout import CP, DP, TP


def count_the_ranks_between(t: int, c: int, d: int, o_d: int) -> int | None:
    """The mesh dealt out; ranks passed from its first to the next one along the axis."""
    return steps_to_the_next("pp", sizes(t, c, 2, d, o_d))


PIPELINE_STRIDE = derivation(
    "pipeline-stride",
    title="Ranks from one member of a pipeline-parallel group to the next",
    unit=ONE,
    noun="ranks",
    letters={"t": TP, "c": CP, "d": DP, **ORDER},
    source=MEGATRON_GROUPS,
    oracle=count_the_ranks_between,
    convention=ORDERED,
    chain="""
    sigma_p = sum(sum(sum(1, (i, 1, t)), (j, 1, c)), (k, 1, d^o_d))
                                -- the axes that vary faster, replicas only where they do (`o_d = 1`)
      = sum(sum(t, (j, 1, c)), (k, 1, d^o_d))     -- equal ranks
      = sum(t*c, (k, 1, d^o_d))                   -- equal groups
      = t*c*d^o_d               -- `t*c*d` where replicas vary faster, `t*c` where stages do
    """,
)
