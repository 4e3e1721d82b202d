"""Ranks from one member of a context-parallel group to the next."""

from workings.derivation import derivation
from workings.derivations.ranks._mesh import sizes, steps_to_the_next
from workings.derivations.ranks._sources import MEGATRON_GROUPS
from workings.units import ONE
from workings.vocabulary.layout import TP


def count_the_ranks_between(t: int) -> int | None:
    """The mesh dealt out; ranks passed from its first to the next one along the axis."""
    return steps_to_the_next("cp", sizes(t, 2, 1, 1, 1))


CONTEXT_STRIDE = derivation(
    "context-stride",
    title="Ranks from one member of a context-parallel group to the next",
    unit=ONE,
    noun="ranks",
    letters={"t": TP},
    source=MEGATRON_GROUPS,
    oracle=count_the_ranks_between,
    convention="Tensor parallelism varies fastest and context parallelism next, in either order of the "
    "slower axes.",
    chain="""
    sigma_c = sum(1, (i, 1, t))     -- the `t` ranks of one tensor-parallel group come first
      = t                       -- equal terms
    """,
)
