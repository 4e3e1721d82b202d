"""The overlapped threshold with exact rings."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.mesh._letters import ALL
from workings.derivations.mesh._times import run_block
from workings.derivations.mesh.mesh_compute_time import MESH_COMPUTE_TIME
from workings.derivations.mesh.mesh_gather_time import MESH_GATHER_TIME
from workings.derivations.mesh.mesh_tensor_time import MESH_TENSOR_TIME
from workings.derivations.sources import SCALING_BOOK_MIXED
from workings.units import ONE
from workings.vocabulary.kinds import TORUS


def race_overlapped_exact(**letters: Any) -> bool:
    """A block really multiplied on the mesh; its compute time against its transfer times."""
    times = run_block(**letters, large=False)
    return times.compute > max(times.fsdp, times.tensor)


COMPUTE_BOUND_BATCH_MAX_EXACT = derivation(
    "compute-bound-batch-max-exact",
    title="Tokens from which the forward pass is compute-bound (overlapped, exact rings)",
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
    oracle=race_overlapped_exact,
    holds_for={TORUS: "compute-bound-batch-sum-exact"},
    convention="Exact rings; both transfers and the compute run at the same time (max).",
    leaves_out="Start-up latency, and devices that run below their peak.",
    chain="""
    T_math > max(T_F_ring, T_T_ring)        -- the slower transfer must hide behind compute
      <=> T_math > T_F_ring                 -- `T_math > T_T_ring` holds, as `F` is large enough
      <=> 4[FLOP]*B*D*F/(X*Y*C) > (X - 1)/X*(2*w*D*F/(Y*W*M_X))   -- put the times in
      <=> B > w*(X - 1)*C/(2[FLOP]*W*M_X)                     -- solve for the tokens
    """,
)
