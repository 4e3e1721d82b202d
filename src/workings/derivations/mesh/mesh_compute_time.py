"""Compute time of one block on a mesh."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.compute.feed_forward import FFN_FORWARD_FLOPS
from workings.derivations.mesh._letters import BLOCK, MESH
from workings.derivations.sources import SCALING_BOOK_MIXED
from workings.simulate.mesh import forward_block
from workings.units import SECOND
from workings.vocabulary.hardware import COMPUTE
from workings.vocabulary.kinds import ANY_MODEL


def count_flops_on_the_mesh(B: int, D: int, F: int, X: int, Y: int, C: Fraction) -> Fraction:
    """Sharded matrices really multiplied on every device of the mesh, FLOPs counted on one."""
    return forward_block(B, D, F, X, Y, 1, 1).flops / C


MESH_COMPUTE_TIME = derivation(
    "mesh-compute-time",
    title="Compute time of one feed-forward, forward",
    unit=SECOND,
    letters={**BLOCK, **MESH, "C": COMPUTE},
    uses={"f_fwd": FFN_FORWARD_FLOPS.at()},
    source=SCALING_BOOK_MIXED,
    oracle=count_flops_on_the_mesh,
    leaves_out="Everything that keeps a device below its peak.",
    holds_for={ANY_MODEL: ""},
    chain="""
    T_math = f_fwd/(X*Y*C)                 -- the FLOPs are shared by `X*Y` devices
      = 4[FLOP]*B*D*F/(X*Y*C)              -- two matrix products of `2*B*D*F`
    """,
)
