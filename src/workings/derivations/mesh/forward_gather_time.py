"""FSDP transfer time of the forward pass, all blocks."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.mesh._letters import ALL
from workings.derivations.mesh._times import run_block
from workings.derivations.mesh.mesh_gather_time_large import MESH_GATHER_TIME_LARGE
from workings.derivations.sources import SCALING_BOOK_MIXED
from workings.units import SECOND
from workings.vocabulary.model import BLOCKS


def add_up_gathers(L: int, **letters: Any) -> object:
    """Block after block really run on the mesh, the times added up."""
    letters |= {"B": 1, "C": 1, "M_Y": 1, "a": 1}
    return sum(run_block(**letters, large=True).fsdp for _ in range(L))


FORWARD_GATHER_TIME = derivation(
    "forward-gather-time",
    title="FSDP transfer time of the forward pass, the feed-forwards of all blocks",
    unit=SECOND,
    letters={"L": BLOCKS, **{name: ALL[name] for name in ("D", "F", "X", "Y", "W", "M_X", "w")}},
    uses={"T_F": MESH_GATHER_TIME_LARGE.at()},
    source=SCALING_BOOK_MIXED,
    oracle=add_up_gathers,
    convention="Large ring: the factor `(X - 1)/X` is taken as 1.",
    chain="""
    T_G = sum(T_F, (i, 1, L))      -- one block after the other
      = L*T_F                       -- equal blocks
      = L*(2*w*D*F/(Y*W*M_X))    -- put one block's time in
    """,
)
