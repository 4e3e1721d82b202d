"""Compute time of the forward pass, all blocks."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.mesh._letters import ALL
from workings.derivations.mesh._times import run_block
from workings.derivations.mesh.mesh_compute_time import MESH_COMPUTE_TIME
from workings.derivations.sources import SCALING_BOOK_MIXED
from workings.units import SECOND
from workings.vocabulary.model import BLOCKS


def add_up_compute(L: int, **letters: Any) -> object:
    """Block after block really run on the mesh, the times added up."""
    letters |= {"W": 1, "M_X": 1, "M_Y": 1, "w": 1, "a": 1}
    return sum(run_block(**letters, large=True).compute for _ in range(L))


FORWARD_COMPUTE_TIME = derivation(
    "forward-compute-time",
    title="Compute time of the forward pass, the feed-forwards of all blocks",
    unit=SECOND,
    letters={"L": BLOCKS, **{name: ALL[name] for name in ("B", "D", "F", "X", "Y", "C")}},
    uses={"T_math": MESH_COMPUTE_TIME.at()},
    source=SCALING_BOOK_MIXED,
    oracle=add_up_compute,
    convention="Every device runs at its peak.",
    chain="""
    T_C = sum(T_math, (i, 1, L))      -- one block after the other
      = L*T_math                       -- equal blocks
      = L*(4[FLOP]*B*D*F/(X*Y*C))    -- put one block's time in
    """,
)
