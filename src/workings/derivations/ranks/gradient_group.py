"""Ranks over which gradients of the dense part are reduced."""

from workings.derivation import derivation
from workings.derivations.ranks._mesh import MOST, SIZES, sizes
from workings.derivations.ranks._sources import MEGATRON_WORLD
from workings.simulate.grid import groups
from workings.units import ONE


def find_the_same_weights(t: int, c: int, p: int, d: int) -> int | None:
    """The mesh laid out; ranks that differ only in what tokens they see."""
    if t * c * p * d > MOST:
        return None
    return len(groups(("cp", "dp"), sizes(t, c, p, d, 1))[0])


GRADIENT_GROUP = derivation(
    "gradient-group",
    title="Ranks over which dense gradients are reduced",
    unit=ONE,
    noun="ranks",
    letters=SIZES,
    source=MEGATRON_WORLD,
    oracle=find_the_same_weights,
    convention="Context parallelism splits sequences, not weights: its ranks join data parallelism.",
    chain="""
    N_g = (t*c*p*d)/(t*p)     -- all ranks, over those that hold different weights
      = c*d                   -- cancel
    """,
)
