"""Time to move one block's activations over the tensor-parallel axis."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives.ring import RING_ALL_GATHER, RING_REDUCE_SCATTER
from workings.derivations.mesh._letters import MESH
from workings.derivations.sources import SCALING_BOOK_SHARDING
from workings.simulate.mesh import forward_block
from workings.units import SECOND
from workings.vocabulary.hardware import LINK
from workings.vocabulary.layout import AXES_Y
from workings.vocabulary.model import D_MODEL
from workings.vocabulary.training import ACTIVATION_WIDTH, TOKENS


def count_bytes_sent_over_y(
    B: int, D: int, X: int, Y: int, W: Fraction, M_Y: int, a: Fraction
) -> Fraction:
    """Activations really gathered and reduce-scattered round the rings of the mesh."""
    return forward_block(B, D, Y, X, Y, 1, a).sent_y / (W * M_Y)


MESH_TENSOR_TIME = derivation(
    "mesh-tensor-time",
    title="Time of one block's tensor-parallel transfers (exact ring)",
    unit=SECOND,
    letters={"B": TOKENS, "D": D_MODEL, **MESH, "W": LINK, "M_Y": AXES_Y, "a": ACTIVATION_WIDTH},
    uses={
        "V_AG": RING_ALL_GATHER.at(N="Y", S="a*B*D/X"),
        "V_RS": RING_REDUCE_SCATTER.at(N="Y", S="a*B*D/X"),
    },
    source=SCALING_BOOK_SHARDING,
    oracle=count_bytes_sent_over_y,
    convention="Exact ring: a rank does not receive the chunk it already has.",
    leaves_out="Start-up latency of each hop.",
    chain="""
    T_T_ring = V_AG/(W*M_Y) + V_RS/(W*M_Y)      -- gather the input, reduce-scatter the output
      = 2*((Y - 1)/Y)*(a*B*D/X)/(W*M_Y)      -- the tokens of one FSDP shard, each way
      = (Y - 1)/Y*(2*a*B*D/(X*W*M_Y))      -- collect
      ≈ [Y -> oo] 2*a*B*D/(X*W*M_Y)        -- on a large ring
    """,
)
