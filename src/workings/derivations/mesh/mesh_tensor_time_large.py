"""Time to move one block's activations, in the large-ring model."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.mesh._letters import MESH
from workings.derivations.sources import SCALING_BOOK_TP
from workings.simulate.mesh import forward_block
from workings.units import SECOND
from workings.vocabulary.hardware import LINK
from workings.vocabulary.layout import AXES_Y
from workings.vocabulary.model import D_MODEL
from workings.vocabulary.training import ACTIVATION_WIDTH, TOKENS


def count_bytes_present_over_y(
    B: int, D: int, X: int, Y: int, W: Fraction, M_Y: int, a: Fraction
) -> Fraction:
    """Activations gathered and reduced by moving chunks; whole messages count as moved."""
    return forward_block(B, D, Y, X, Y, 1, a).whole_y / (W * M_Y)


MESH_TENSOR_TIME_LARGE = derivation(
    "mesh-tensor-time-large",
    title="Time of one block's tensor-parallel transfers (large ring)",
    unit=SECOND,
    letters={"B": TOKENS, "D": D_MODEL, **MESH, "W": LINK, "M_Y": AXES_Y, "a": ACTIVATION_WIDTH},
    source=SCALING_BOOK_TP,
    oracle=count_bytes_present_over_y,
    convention="Large ring: the factor `(Y - 1)/Y` is taken as 1.",
    leaves_out="Start-up latency of each hop.",
    chain="""
    T_T = (a*B*D + a*B*D)/(X*W*M_Y)        -- gather the input, reduce-scatter the output
      = 2*a*B*D/(X*W*M_Y)                  -- the tokens of one FSDP shard, each way
    """,
)
