"""How far compute outlasts the slower transfer."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.mesh._letters import ALL
from workings.derivations.mesh._times import run_block
from workings.derivations.mesh.mesh_compute_time import MESH_COMPUTE_TIME
from workings.derivations.mesh.mesh_gather_time_large import MESH_GATHER_TIME_LARGE
from workings.derivations.mesh.mesh_tensor_time_large import MESH_TENSOR_TIME_LARGE
from workings.derivations.sources import SCALING_BOOK_MIXED
from workings.units import ONE
from workings.vocabulary.kinds import TORUS


def time_a_run(**letters: Any) -> object:
    """A block really multiplied on the mesh; its compute time over its slower transfer time."""
    times = run_block(**letters, large=True)
    return times.compute / max(times.fsdp, times.tensor)


COMPUTE_TO_TRANSFER = derivation(
    "compute-to-transfer",
    title="Compute time over the slower transfer",
    unit=ONE,
    letters=ALL,
    uses={
        "T_math": MESH_COMPUTE_TIME.at(),
        "T_F": MESH_GATHER_TIME_LARGE.at(),
        "T_T": MESH_TENSOR_TIME_LARGE.at(),
    },
    source=SCALING_BOOK_MIXED,
    oracle=time_a_run,
    holds_for={TORUS: "compute-to-transfers"},
    convention="Large rings; above 1, an overlapped forward pass is compute-bound.",
    chain="""
    r_T = T_math/max(T_F, T_T)                -- every block alike, so one block's ratio
      = min(T_math/T_F, T_math/T_T)         -- over the larger is the smaller ratio
      = min(2[FLOP]*B*W*M_X/(w*X*C), 2[FLOP]*F*W*M_Y/(a*Y*C))    -- put the times in
    """,
)
