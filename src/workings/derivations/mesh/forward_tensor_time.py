"""Tensor-parallel transfer time of the forward pass, all blocks."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.mesh._letters import ALL
from workings.derivations.mesh._times import run_block
from workings.derivations.mesh.mesh_tensor_time_large import MESH_TENSOR_TIME_LARGE
from workings.derivations.sources import SCALING_BOOK_MIXED
from workings.units import SECOND
from workings.vocabulary.model import BLOCKS


def add_up_transfers(L: int, **letters: Any) -> object:
    """Block after block really run on the mesh, the times added up."""
    letters |= {"F": 1, "C": 1, "M_X": 1, "w": 1}
    return sum(run_block(**letters, large=True).tensor for _ in range(L))


FORWARD_TENSOR_TIME = derivation(
    "forward-tensor-time",
    title="Tensor-parallel transfer time of the forward pass, the feed-forwards of all blocks",
    unit=SECOND,
    letters={"L": BLOCKS, **{name: ALL[name] for name in ("B", "D", "X", "Y", "W", "M_Y", "a")}},
    uses={"T_T": MESH_TENSOR_TIME_LARGE.at()},
    source=SCALING_BOOK_MIXED,
    oracle=add_up_transfers,
    convention="Large ring: the factor `(Y - 1)/Y` is taken as 1.",
    chain="""
    T_A = sum(T_T, (i, 1, L))      -- one block after the other
      = L*T_T                       -- equal blocks
      = L*(2*a*B*D/(X*W*M_Y))    -- put one block's time in
    """,
)
