"""From what batch compute hides the gathers of FSDP alone."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.mesh._letters import ALL
from workings.derivations.mesh._times import run_block
from workings.derivations.mesh.mesh_compute_time import MESH_COMPUTE_TIME
from workings.derivations.mesh.mesh_gather_time_large import MESH_GATHER_TIME_LARGE
from workings.derivations.sources import SCALING_BOOK_FSDP
from workings.units import ONE


def race_against_gathers(**letters: Any) -> bool:
    """A block really multiplied on the mesh; its compute time against that of its gathers."""
    times = run_block(**letters, M_Y=1, a=Fraction(1), large=True)
    return times.compute > times.fsdp


COMPUTE_BOUND_BATCH_GATHER = derivation(
    "compute-bound-batch-gather",
    title="Tokens from which compute hides the gathers of the weights",
    unit=ONE,
    noun="tokens",
    letters={name: ALL[name] for name in ("B", "D", "F", "X", "Y", "C", "W", "M_X", "w")},
    uses={"T_math": MESH_COMPUTE_TIME.at(), "T_F": MESH_GATHER_TIME_LARGE.at()},
    source=SCALING_BOOK_FSDP,
    oracle=race_against_gathers,
    convention="Large ring; gathers and compute run at the same time. On a torus tensor parallelism has "
    "axes of its own; on a switch it shares the port, so there the threshold of both in turn counts.",
    leaves_out="Transfers of tensor parallelism, start-up latency, devices that run below their peak.",
    chain="""
    T_math > T_F                            -- the gathers must hide behind compute
      <=> 4[FLOP]*B*D*F/(X*Y*C) > 2*w*D*F/(Y*W*M_X)     -- put the times in
      <=> 4[FLOP]*B/(X*C) > 2*w/(W*M_X)                 -- cancel `D*F/Y`
      <=> B > w*X*C/(2[FLOP]*W*M_X)                   -- solve for the tokens
    """,
)
