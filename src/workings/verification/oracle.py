"""A result against its oracle: counted by brute force at awkward points."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from workings.derivation import Derivation, NotCountedError
from workings.derivation.evaluation import DoesNotApplyError, value_of
from workings.formula import (
    DoesNotEvaluateError,
    Value,
    holds,
)
from workings.formula.interval import ends, rational
from workings.proof import (
    PROVED,
    REFUTED,
    UNDECIDED,
    Verdict,
)

ORACLE_POINTS = 24
TOLERANCE = Fraction(1, 10**6)  # how wide a bracket an oracle that searches may return


def check_oracle(what: Derivation) -> Verdict:
    """Compare the result with the brute-force count at awkward points."""
    if not what.counted:
        return Verdict(UNDECIDED, "not counted a second way")
    agreed = used = 0
    enough = ORACLE_POINTS if what.solved_letter is None else ORACLE_POINTS // 2
    for point in what.setting.points(4 * ORACLE_POINTS):
        if used >= enough:
            break
        before = agreed
        for values in _beside_boundary(what, point):
            try:
                here = value_of(what, values)  # raises where a condition is violated
                theirs = what.oracle(**_arguments(what, values))
            except (DoesNotApplyError, DoesNotEvaluateError, NotCountedError):
                continue
            if theirs is None:  # too large for this oracle to count
                continue
            ours = holds(what.condition, values) if isinstance(theirs, bool) else here
            if not _agree(ours, theirs):
                at = ", ".join(f"{n} = {v}" for n, v in _arguments(what, values).items())
                return Verdict(REFUTED, f"formula {_text(ours)}, counted {_text(theirs)} at {at}")
            agreed += 1
        used += agreed > before
    word = PROVED if agreed >= 12 else UNDECIDED
    return Verdict(word, f"agrees at {agreed} points", agreed)


def _beside_boundary(what: Derivation, point: Mapping[str, Value]) -> Iterator[dict[str, Value]]:
    """The point; for a solved condition also the numbers on both sides of its boundary.

    Each with the results that the chain starts from.
    """
    yield dict(point)
    letter = what.solved_letter
    if letter is None:
        return
    try:
        boundary = rational(value_of(what, point))
    except (DoesNotApplyError, DoesNotEvaluateError):
        return
    whole = what.letters[letter].domain.integer
    near = (
        [Fraction(math.floor(boundary) + step) for step in (-1, 0, 1, 2)]
        if whole
        else [boundary * Fraction(n, 1000) for n in (900, 999, 1001, 1100)]
    )
    for value in near:
        if 0 < value < 10_000:
            try:
                yield what.setting.complete({**point, letter: value})
            except DoesNotEvaluateError:  # a result that the chain starts from does not apply there
                continue


def _arguments(what: Derivation, values: Mapping[str, Value]) -> dict[str, Any]:
    """Whole numbers as int, others as Fraction: what the oracle is called with."""
    out: dict[str, Any] = {}
    for name, concept in what.letters.items():
        value = rational(values[name])
        whole = concept.domain.integer and value.denominator == 1
        out[name] = int(value) if whole else value
    return out


def _agree(ours: Value | bool, theirs: Any) -> bool:
    if isinstance(theirs, bool) or isinstance(ours, bool):
        return ours is theirs
    if isinstance(theirs, tuple):
        low, high = theirs
        least, most = ends(ours)  # an irrational value lies anywhere between them
        return bool(low <= most and least <= high and high - low <= TOLERANCE * high)
    return bool(rational(ours) == theirs)


def _text(value: Any) -> str:
    if isinstance(value, bool | tuple):
        return str(value)
    exact = value if isinstance(value, Fraction | int) else rational(value)
    return str(exact) if Fraction(exact).denominator < 10**6 else f"{float(exact):.12g}"
