"""Ranks from one member of a data-parallel group to the next."""

from workings.derivation import derivation
from workings.derivations.ranks._mesh import ORDER, ORDERED, sizes, steps_to_the_next
from workings.derivations.ranks._sources import MEGATRON_GROUPS
from workings.units import ONE
from workings.vocabulary.layout import CP, STAGES, TP


def count_the_ranks_between(t: int, c: int, p: int, o_d: int) -> int | None:
    """The mesh dealt out; ranks passed from its first to the next one along the axis."""
    return steps_to_the_next("dp", sizes(t, c, p, 2, o_d))


DATA_STRIDE = derivation(
    "data-stride",
    title="Ranks from one member of a data-parallel group to the next",
    unit=ONE,
    noun="ranks",
    letters={"t": TP, "c": CP, "p": STAGES, **ORDER},
    source=MEGATRON_GROUPS,
    oracle=count_the_ranks_between,
    convention=ORDERED,
    chain="""
    sigma_d = sum(sum(sum(1, (i, 1, t)), (j, 1, c)), (k, 1, p^(1 - o_d)))
                                -- the axes that vary faster, stages only where they do (`o_d = 0`)
      = sum(sum(t, (j, 1, c)), (k, 1, p^(1 - o_d)))     -- equal ranks
      = sum(t*c, (k, 1, p^(1 - o_d)))                   -- equal groups
      = t*c*p^(1 - o_d)         -- `t*c` where replicas vary faster, `t*c*p` where stages do
    """,
)
