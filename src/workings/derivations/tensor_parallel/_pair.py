"""Two products and the function between them, run in either order of splitting."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from workings.derivations.tensor_parallel._letters import SPLIT_ACTIVATION
from workings.simulate.block_matrices import Matrix, numbers
from workings.simulate.tensor_ranks import Ranks
from workings.vocabulary.model import D_FF

LETTERS = {**SPLIT_ACTIVATION, "F": D_FF}
Split = Callable[[Ranks, Matrix, tuple[Matrix, Matrix]], object]


def run_pair(
    split: Split, t: int, b_m: int, s: int, c: int, D: int, a: Fraction, F: int
) -> Fraction | None:
    """Bytes a rank sends; None where the tokens cannot be shared out, or are very many."""
    if s % c or b_m * s // c * D * F > 20_000:
        return None
    ranks = Ranks(t)
    split(ranks, numbers(b_m * s // c, D, 1), (numbers(D, F, 2), numbers(F, D, 3)))
    return ranks.sent() * a
