"""Columns that go together: two amounts a row whose quotient is the same in all rows.

A count and its per cent, bytes a parameter and their total, bits and bytes. Where at least three rows
agree on the quotient and one does not, the odd one is found; whether it is wrong the rule must know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from workings.check.claims.agreement import quotient
from workings.check.claims.amounts import Amount

ENOUGH = 3
MAX_ROWS = 200
NARROW = Fraction(21, 20)


@dataclass(frozen=True, slots=True)
class Constant:
    """The quotient that most pairs share, from `low` to `high`, and which pairs those are."""

    low: Fraction
    high: Fraction
    agreeing: tuple[int, ...]


def constant_quotient(pairs: Sequence[tuple[Amount, Amount]]) -> Constant | None:
    """What most pairs (x, y) have as x / y; None if fewer than three share one, or it is vague."""
    if len(pairs) > MAX_ROWS:
        return None
    spans = [quotient(x, y) if x.low > 0 and y.low > 0 else None for x, y in pairs]
    best: Constant | None = None
    for point in sorted({low for span in spans if span for low in span[:1]}):
        inside = tuple(i for i, span in enumerate(spans) if span and span[0] <= point <= span[1])
        if best is None or len(inside) > len(best.agreeing):
            low, high = _meet([span for i in inside if (span := spans[i])])
            best = Constant(low, high, inside)
    if best is None or len(best.agreeing) < ENOUGH or best.high > best.low * NARROW:
        return None
    return best


def _meet(spans: Sequence[tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    return max(low for low, _ in spans), min(high for _, high in spans)
