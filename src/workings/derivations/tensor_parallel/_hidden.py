"""What the oracles here share: which collectives of a layer have a product to run beside."""

from __future__ import annotations

from fractions import Fraction

from workings.derivations.tensor_parallel._layer import run
from workings.simulate.tensor_layer import Options


def hidden_share(t: int, options: Options) -> Fraction | None:
    """Numbers sent by collectives that can hide, over all numbers sent; None if none are sent."""
    ranks = run(t, 1, 3, 1, 2, options)
    if ranks is None or not ranks.sent():
        return None
    hidden = sum((op.sent for op in ranks.collectives() if ranks.can_hide(op)), Fraction(0))
    return hidden / ranks.sent()
