"""What the oracles here share: one optimizer step on real vectors, its traffic counted."""

from fractions import Fraction
from functools import lru_cache

from workings.simulate.training_step import Step, Strategy, training_step

run = lru_cache(maxsize=512)(training_step)


def one_row(d: int, m: int, how: Strategy) -> Step:
    """A step in which all ranks share one copy of the state."""
    return run(d, 1, m, how)


def one_column(d: int, m: int, how: Strategy) -> Step:
    """A step in which every rank holds a copy of the state."""
    return run(1, d, m, how)


def sent(step: Step, P: int, w: Fraction | int = 1, g: Fraction | int = 1) -> Fraction:
    """What a rank sent of `P` parameters: weights of `w` bytes gathered, gradients of `g` scattered."""
    return (step.gathered * w + step.scattered * g) * P
