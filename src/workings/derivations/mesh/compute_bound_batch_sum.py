"""From what batch compute hides both transfers, one after the other."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.mesh._letters import ALL
from workings.derivations.mesh._times import run_block
from workings.derivations.mesh.mesh_compute_time import MESH_COMPUTE_TIME
from workings.derivations.mesh.mesh_gather_time_large import MESH_GATHER_TIME_LARGE
from workings.derivations.mesh.mesh_tensor_time_large import MESH_TENSOR_TIME_LARGE
from workings.derivations.sources import SCALING_BOOK_MIXED
from workings.units import ONE


def race_in_turn(**letters: Any) -> bool:
    """A block really multiplied on the mesh; its compute time against its transfer times."""
    times = run_block(**letters, large=True)
    return times.compute > times.fsdp + times.tensor


COMPUTE_BOUND_BATCH_SUM = derivation(
    "compute-bound-batch-sum",
    title="Tokens from which the forward pass is compute-bound (not overlapped)",
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
    oracle=race_in_turn,
    convention="Large rings; the two transfers take turns and must both hide behind compute (sum).",
    leaves_out="Start-up latency, and devices that run below their peak.",
    chain="""
    T_math > T_F + T_T                      -- both transfers, one after the other
      <=> 4[FLOP]*B*D*F/(X*Y*C) > 2*w*D*F/(Y*W*M_X) + 2*a*B*D/(X*W*M_Y)   -- put the times in
      <=> B*(4[FLOP]*F/(Y*C) - 2*a/(W*M_Y)) > 2*w*F*X/(Y*W*M_X)           -- collect the tokens
      <=> B > w*X*C/(2[FLOP]*W*M_X)*(1/(1 - a*Y*C/(2[FLOP]*F*W*M_Y)))       -- solve for them
    """,
)
