"""The threshold without overlap, with exact rings."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.mesh._letters import ALL
from workings.derivations.mesh._times import run_block
from workings.derivations.mesh.mesh_compute_time import MESH_COMPUTE_TIME
from workings.derivations.mesh.mesh_gather_time import MESH_GATHER_TIME
from workings.derivations.mesh.mesh_tensor_time import MESH_TENSOR_TIME
from workings.derivations.sources import SCALING_BOOK_MIXED
from workings.units import ONE


def race_in_turn_exact(**letters: Any) -> bool:
    """A block really multiplied on the mesh; its compute time against its transfer times."""
    times = run_block(**letters, large=False)
    return times.compute > times.fsdp + times.tensor


COMPUTE_BOUND_BATCH_SUM_EXACT = derivation(
    "compute-bound-batch-sum-exact",
    title="Tokens from which the forward pass is compute-bound (not overlapped, exact rings)",
    unit=ONE,
    noun="tokens",
    letters=ALL,
    uses={
        "T_math": MESH_COMPUTE_TIME.at(),
        "T_F_ring": MESH_GATHER_TIME.at(),
        "T_T_ring": MESH_TENSOR_TIME.at(),
    },
    given=("F > a*(Y - 1)*C/(2[FLOP]*W*M_Y) -- no batch is large enough: its own transfers outlast it",),
    source=SCALING_BOOK_MIXED,
    oracle=race_in_turn_exact,
    convention="Exact rings; the two transfers take turns and must both hide behind compute (sum).",
    leaves_out="Start-up latency, and devices that run below their peak.",
    chain="""
    T_math > T_F_ring + T_T_ring            -- both transfers, one after the other
      <=> B*(4[FLOP]*F/(Y*C) - (Y - 1)/Y*(2*a/(W*M_Y))) > 2*w*(X - 1)*F/(Y*W*M_X)
                                            -- put the times in, collect the tokens
      <=> B > w*(X - 1)*C/(2[FLOP]*W*M_X)*(1/(1 - a*(Y - 1)*C/(2[FLOP]*F*W*M_Y)))
                                            -- solve for them
    """,
)
