"""How wide a feed-forward layer must be for tensor parallelism to hide behind compute."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.mesh._letters import ALL
from workings.derivations.mesh._times import run_block
from workings.derivations.mesh.mesh_compute_time import MESH_COMPUTE_TIME
from workings.derivations.mesh.mesh_tensor_time_large import MESH_TENSOR_TIME_LARGE
from workings.derivations.sources import SCALING_BOOK_TP
from workings.units import ONE


def race_against_tensor_parallelism(F: object, **letters: Any) -> bool | None:
    """A block really multiplied on the mesh; compute against the tensor-parallel transfers."""
    if not isinstance(F, int):
        return None  # a width that is no whole number cannot be run
    times = run_block(F=F, **letters, M_X=1, w=letters["a"], large=True)
    return times.compute > times.tensor


TENSOR_PARALLEL_NEEDS_D_FF = derivation(
    "tensor-parallel-needs-d-ff",
    title="Feed-forward width from which tensor parallelism hides behind compute",
    unit=ONE,
    noun="values",
    letters={name: ALL[name] for name in ("B", "D", "F", "X", "Y", "C", "W", "M_Y", "a")},
    uses={"T_math": MESH_COMPUTE_TIME.at(), "T_T": MESH_TENSOR_TIME_LARGE.at()},
    source=SCALING_BOOK_TP,
    oracle=race_against_tensor_parallelism,
    convention="Large ring: the factor `(Y - 1)/Y` is taken as 1.",
    chain="""
    T_math > T_T                                        -- the transfers hide behind compute
      <=> 4[FLOP]*B*D*F/(X*Y*C) > 2*a*B*D/(X*W*M_Y)     -- put the times in
      <=> F > a*Y*C/(2[FLOP]*W*M_Y)                     -- the tokens cancel: more do not help
    """,
)
