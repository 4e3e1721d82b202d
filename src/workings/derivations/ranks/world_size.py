"""Devices of a job."""

from workings.derivation import derivation
from workings.derivations.ranks._mesh import MOST, SIZES, sizes
from workings.derivations.ranks._sources import MEGATRON_WORLD
from workings.simulate.grid import lay_out
from workings.units import ONE


def count_the_ranks(t: int, c: int, p: int, d: int) -> int | None:
    """Every place of the mesh visited once."""
    return len(lay_out(sizes(t, c, p, d, 1))) if t * c * p * d <= MOST else None


WORLD_SIZE = derivation(
    "world-size",
    title="Devices of a job",
    unit=ONE,
    noun="devices",
    letters=SIZES,
    source=MEGATRON_WORLD,
    oracle=count_the_ranks,
    convention="Sequence parallelism uses the tensor-parallel ranks and expert parallelism the "
    "data-parallel ones: neither is a factor of its own.",
    chain="""
    n_w = sum(sum(sum(t, (i, 1, c)), (j, 1, p)), (k, 1, d))     -- groups of `t` ranks, stages, replicas
      = sum(sum(c*t, (j, 1, p)), (k, 1, d))                     -- equal groups
      = sum(p*c*t, (k, 1, d))                                   -- equal stages
      = t*c*p*d                                                 -- equal replicas
    """,
)
