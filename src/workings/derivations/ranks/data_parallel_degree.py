"""The data-parallel degree that the devices leave."""

from workings.derivation import derivation
from workings.derivations.ranks._mesh import SIZES
from workings.derivations.ranks._sources import MEGATRON_WORLD
from workings.derivations.ranks.world_size import WORLD_SIZE
from workings.units import ONE
from workings.vocabulary.layout import DEVICES


def fill_replica_by_replica(n: int, t: int, c: int, p: int, d: int) -> int:
    """Devices taken for one replica after the other until none is left."""
    replicas = 0
    while n > 0:
        n -= sum(1 for _ in range(t) for _ in range(c) for _ in range(p))
        replicas += 1
    return replicas


DATA_PARALLEL_DEGREE = derivation(
    "data-parallel-degree",
    title="Data-parallel degree that the devices leave",
    unit=ONE,
    noun="devices",
    letters={"n": DEVICES, **SIZES},
    uses={"n_w": WORLD_SIZE.at()},
    given=("t*c*p divides n",),
    source=MEGATRON_WORLD,
    oracle=fill_replica_by_replica,
    convention="Every replica has `t*c*p` devices, and none is left over.",
    chain="""
    n = n_w                       -- every device has its place on the mesh
      <=> n = t*c*p*d             -- put the world in
      <=> d = n/(t*c*p)           -- divide by a replica's ranks
    """,
)
