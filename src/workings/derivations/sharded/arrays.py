"""Arrays and their shards.

A dimension that is cut along an axis of the mesh is divided by the devices of that axis; axes that cut no
dimension hold copies. So an array's bytes on one device fall with every axis that cuts it, and its bytes
on all devices together grow with every axis that does not. The array here is a weight of `D` rows and
`F` columns; what is said holds for any two dimensions.
"""

from fractions import Fraction

from workings.derivation import derivation, like, only_if
from workings.derivations.sharded._sources import REPLICATED, SHARDING
from workings.simulate.block_matrices import numbers
from workings.simulate.sharded import lay_out_shards
from workings.units import BYTE
from workings.vocabulary.model import D_FF, D_MODEL
from workings.vocabulary.sharded import AXIS, COPIES_AXIS, OTHER_AXIS
from workings.vocabulary.training import GATHER_WIDTH

ARRAY = {"D": D_MODEL, "F": D_FF, "w": GATHER_WIDTH, "X": AXIS, "Y": OTHER_AXIS}
MOST = 20_000  # numbers: larger arrays take too long to lay out


def fill_the_fullest_device(D: int, F: int, w: Fraction, X: int, Y: int) -> Fraction:
    """A matrix is dealt out over a mesh, row by row and column by column; the fullest device's bytes."""
    only_if(D * F <= MOST and X * Y <= 400)
    held = lay_out_shards(numbers(D, F, 1), X, Y, 1)
    return max(shard.elements for shard in held.values()) * w


SHARD_BYTES = derivation(
    "shard-bytes",
    title="Bytes of a sharded array on one device",
    phrases="size of a partition of a sharded array; "
    "device-local shape in bytes; size of addressable_shards; memory of A[I_X, J_Y] per device; "
    "NamedSharding PartitionSpec footprint; DTensor local tensor size; array cut over two mesh axes; "
    "GSPMD padding of an uneven shard",
    unit=BYTE,
    letters=ARRAY,
    source=SHARDING,
    oracle=fill_the_fullest_device,
    convention="W[D_X, F_Y]: rows are cut along one axis and columns along another. Axes that cut "
    "neither do not appear, since they hold copies; an axis of one device cuts nothing. For rows cut "
    "along both axes set `X` to the devices of both, and `Y` to 1. Shards are counted for the fullest "
    "device, and where an axis does not divide a dimension libraries pad the others to it.",
    chain="""
    S_shard = w*(ceil(D/X)*ceil(F/Y))     -- the fullest device's rows, and in each its columns
      >= w*D*F/(X*Y)                      -- an even share, where the axes divide the dimensions
    """,
)


def fill_every_device(D: int, F: int, w: Fraction, X: int, Y: int, Z: int) -> Fraction:
    """A matrix is dealt out over a mesh whose third axis holds copies; all devices' bytes are added."""
    only_if(D * F <= MOST and X * Y * Z <= 400)
    held = lay_out_shards(numbers(D, F, 1), X, Y, Z)
    return sum((shard.elements * w for shard in held.values()), Fraction(0))


MESH_ARRAY_BYTES = like(
    "mesh-array-bytes",
    SHARD_BYTES,
    title="Bytes of an array on all devices of a mesh",
    phrases="total memory of a partially replicated array; copies along unused mesh axes; replicated "
    "sharding overhead; ratio of all chips' bytes to one copy; sum of shards over the whole mesh",
    letters={**ARRAY, "Z": COPIES_AXIS},
    uses={"S_shard": SHARD_BYTES.at()},
    given=("X divides D", "Y divides F"),
    source=REPLICATED,
    oracle=fill_every_device,
    convention="W[D_X, F_Y] on a mesh of `X*Y*Z` devices: along `Z` all hold the same.",
    chain="""
    S_mesh = X*Y*Z*S_shard          -- as many shards as devices
      = Z*w*D*F                     -- one copy of the whole array for each device along `Z`
    """,
)
