"""Time to gather one block's weights over the FSDP axis."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives.ring import RING_ALL_GATHER
from workings.derivations.mesh._letters import MESH
from workings.derivations.sources import SCALING_BOOK_SHARDING
from workings.simulate.mesh import forward_block
from workings.units import SECOND
from workings.vocabulary.hardware import LINK
from workings.vocabulary.layout import AXES_X
from workings.vocabulary.model import D_MODEL, PLAIN_WIDTH
from workings.vocabulary.training import GATHER_WIDTH


def count_bytes_sent_over_x(
    D: int, F: int, X: int, Y: int, W: Fraction, M_X: int, w: Fraction
) -> Fraction:
    """Weight shards really passed round the FSDP rings of the mesh, bytes counted on one device."""
    return forward_block(1, D, F, X, Y, w, 1).sent_x / (W * M_X)


MESH_GATHER_TIME = derivation(
    "mesh-gather-time",
    title="Time to gather one block's weights (exact ring)",
    unit=SECOND,
    letters={"D": D_MODEL, "F": PLAIN_WIDTH, **MESH, "W": LINK, "M_X": AXES_X, "w": GATHER_WIDTH},
    uses={"V_AG": RING_ALL_GATHER.at(N="X", S="2*w*D*F/Y")},
    source=SCALING_BOOK_SHARDING,
    oracle=count_bytes_sent_over_x,
    convention="Exact ring: a rank does not receive the chunk it already has.",
    leaves_out="Start-up latency of each hop.",
    chain="""
    T_F_ring = V_AG/(W*M_X)                             -- `M_X` torus axes carry the gather
      = (X - 1)/X*(2*w*D*F/Y)/(W*M_X)              -- two matrices, each already split over `Y`
      = (X - 1)/X*(2*w*D*F/(Y*W*M_X))              -- collect
      ≈ [X -> oo] 2*w*D*F/(Y*W*M_X)                -- on a large ring
    """,
)
