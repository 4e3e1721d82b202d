"""Time to gather one block's weights, in the large-ring model."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.mesh._letters import MESH
from workings.derivations.sources import SCALING_BOOK_FSDP
from workings.simulate.mesh import forward_block
from workings.units import SECOND
from workings.vocabulary.hardware import LINK
from workings.vocabulary.layout import AXES_X
from workings.vocabulary.model import D_MODEL, PLAIN_WIDTH
from workings.vocabulary.training import GATHER_WIDTH


def count_bytes_present_after_the_gather(
    D: int, F: int, X: int, Y: int, W: Fraction, M_X: int, w: Fraction
) -> Fraction:
    """Weights gathered on the mesh by moving shards; every byte then present counts as moved."""
    return forward_block(1, D, F, X, Y, w, 1).whole_x / (W * M_X)


MESH_GATHER_TIME_LARGE = derivation(
    "mesh-gather-time-large",
    title="Time to gather one block's weights (large ring)",
    unit=SECOND,
    letters={"D": D_MODEL, "F": PLAIN_WIDTH, **MESH, "W": LINK, "M_X": AXES_X, "w": GATHER_WIDTH},
    source=SCALING_BOOK_FSDP,
    oracle=count_bytes_present_after_the_gather,
    convention="Large ring: the factor `(X - 1)/X` is taken as 1.",
    leaves_out="Start-up latency of each hop.",
    chain="""
    T_F = (w*D*F + w*F*D)/(Y*W*M_X)        -- both matrices, already split over `Y`
      = 2*w*D*F/(Y*W*M_X)                  -- `M_X` torus axes carry the gather
    """,
)
