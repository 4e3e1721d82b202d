"""From what batch compute hides both transfers, running at the same time."""

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


def race_overlapped(**letters: Any) -> bool:
    """A block really multiplied on the mesh; its compute time against its transfer times."""
    times = run_block(**letters, large=True)
    return times.compute > max(times.fsdp, times.tensor)


COMPUTE_BOUND_BATCH_MAX = derivation(
    "compute-bound-batch-max",
    title="Tokens from which the forward pass is compute-bound (overlapped)",
    unit=ONE,
    noun="tokens",
    letters=ALL,
    uses={
        "T_math": MESH_COMPUTE_TIME.at(),
        "T_F": MESH_GATHER_TIME_LARGE.at(),
        "T_T": MESH_TENSOR_TIME_LARGE.at(),
    },
    given=("F > a*Y*C/(2[FLOP]*W*M_Y) -- no batch is large enough: its own transfers outlast it",),
    source=SCALING_BOOK_MIXED,
    oracle=race_overlapped,
    holds_for={TORUS: "compute-bound-batch-sum"},
    convention="Large rings; both transfers and the compute run at the same time (max).",
    leaves_out="Start-up latency, and devices that run below their peak.",
    chain="""
    T_math > max(T_F, T_T)                  -- the slower transfer must hide behind compute
      <=> T_math > T_F                      -- `T_math > T_T` holds, as `F` is large enough
      <=> 4[FLOP]*B*D*F/(X*Y*C) > 2*w*D*F/(Y*W*M_X)     -- put the times in
      <=> 4[FLOP]*B/(X*C) > 2*w/(W*M_X)                 -- cancel `D*F/Y`
      <=> B > w*X*C/(2[FLOP]*W*M_X)                   -- solve for the tokens
    """,
)
