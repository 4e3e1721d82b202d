"""How far compute outlasts both transfers in turn."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.mesh._letters import ALL
from workings.derivations.mesh._times import run_block
from workings.derivations.mesh.mesh_compute_time import MESH_COMPUTE_TIME
from workings.derivations.mesh.mesh_gather_time_large import MESH_GATHER_TIME_LARGE
from workings.derivations.mesh.mesh_tensor_time_large import MESH_TENSOR_TIME_LARGE
from workings.derivations.sources import SCALING_BOOK_MIXED
from workings.units import ONE


def time_a_run_in_turn(**letters: Any) -> object:
    """A block really multiplied on the mesh; its compute time over both transfer times."""
    times = run_block(**letters, large=True)
    return times.compute / (times.fsdp + times.tensor)


COMPUTE_TO_TRANSFERS = derivation(
    "compute-to-transfers",
    title="Compute time over both transfers, one after the other",
    unit=ONE,
    letters=ALL,
    uses={
        "T_math": MESH_COMPUTE_TIME.at(),
        "T_F": MESH_GATHER_TIME_LARGE.at(),
        "T_T": MESH_TENSOR_TIME_LARGE.at(),
    },
    source=SCALING_BOOK_MIXED,
    oracle=time_a_run_in_turn,
    convention="Large rings; the two transfers take turns (sum). Above 1, a forward pass that hides "
    "them is compute-bound.",
    chain="""
    r_S = T_math/(T_F + T_T)                  -- every block alike, so one block's ratio
      = 2[FLOP]*B*F*W/(C*(w*F*X/M_X + a*B*Y/M_Y))        -- put the times in
    """,
)
