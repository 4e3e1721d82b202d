"""What the oracles here share: one optimizer step on real vectors, its traffic counted."""

from functools import lru_cache

from workings.simulate.training_step import Step, Strategy, training_step

_run = lru_cache(maxsize=512)(training_step)


def one_row(d: int, m: int, how: Strategy) -> Step:
    """A step in which all ranks share one copy of the state."""
    return _run(d, 1, m, how)


def one_column(d: int, m: int, how: Strategy) -> Step:
    """A step in which every rank holds a copy of the state."""
    return _run(1, d, m, how)
