"""What tensor parallelism copies, found by placing every tensor of a block on two ranks."""

from collections.abc import Iterable
from typing import Any

from workings.derivations.parameters._letters import described
from workings.simulate.rank_tensors import Layer, block, on_rank

CONVENTION = (
    "Column-parallel products cut their output and its bias, row-parallel ones their input: their bias "
    "is added once, after the sum, and every rank holds it."
)


def on_both_ranks(**letters: Any) -> int:
    """Values that both ranks of a group hold of a block without experts."""
    return whole(block(described(**letters), experts=False))


def whole(layers: Iterable[Layer]) -> int:
    """Values of the tensors that no rank cuts, as the second rank of a group holds them."""
    return sum(on_rank(layer, 2, 1) for layer in layers if not layer.units)
