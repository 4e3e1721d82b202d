"""What a figure that is called a total may be if it is not the sum of what stands above it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from workings.claims.grids import Cell, amount_of
from workings.claims.relations import Span, span_of
from workings.claims.table_words import only_total, says
from workings.marks.quantity import BARE

OFF = Fraction(2)  # a total further off its sum is a total of something else
FAR = Fraction(5, 2)
CLOSE = Fraction(5, 4)  # for what is called a total of something
MOST_DIGITS = 4  # of how often a label says that its part counts
_NUMBERS = re.compile(r"\d+")
ROUGH = Fraction(11, 10)  # an "about 240" for 251
LARGE = 1000  # what is at least so many is no setting


def may_be(cell: Cell, parts: Sequence[Cell]) -> bool:
    """Whether a total is not so far off the sum that it must be something else."""
    added, own = added_up(parts), amount_of(cell)
    return bool(added and own) and (max(own / added, added / own) < FAR or _slip_of_ten(own, added))


def is_another(
    cell: Cell,
    label: str,
    parts: tuple[Cell, ...],
    labels: Sequence[str],
    intensive: bool,
    corroborated: bool,
) -> bool:
    """Whether a total may be no sum of the parts: a mean, what the label says, or of other parts."""
    values = [amount_of(part) for part in parts]
    value, added = amount_of(cell), added_up(parts)
    if not added or not value or _is_one_of(cell, value, values):
        return True
    ratio = max(value / added, added / value)
    about = cell.number is not None and cell.number.about
    if says("more", label) or _has_remark(cell) or (about and ratio < ROUGH):
        return True
    if intensive and min(values) <= value <= max(values):
        return True
    if _as_often(cell, parts, labels):
        return True
    like = ratio < OFF or _slip_of_ten(value, added)
    if corroborated:
        return not like
    out = _left_out(cell, parts)
    aside = any(_is_aside(labels[n]) or _is_one_of_many(n, values, labels) for n in out)
    if out and not (only_total(label) and _is_exact(cell) and not aside):
        return True
    if not out and _counts_twice(parts, added - value):
        return True
    if only_total(label):
        return not like
    amounts = cell.number is not None and cell.number.units[0].dimension != BARE
    return not (ratio < CLOSE and (amounts or min(value, max(values)) >= LARGE))


def _has_remark(cell: Cell) -> bool:
    """Whether what stands beside a total says that there is more in it."""
    return cell.block.kind not in ("output", "code") and says("more", cell.block.text)


def _is_one_of(cell: Cell, value: Fraction, values: Sequence[Fraction]) -> bool:
    """Whether it is the largest, a mean, the product, or a whole of a hundred per cent."""
    mean = sum(values, Fraction(0)) / len(values)
    if any(abs(value / other - 1) < Fraction(1, 200) for other in (*values, mean) if other):
        return True
    product = Fraction(1)
    for factor in values:
        product *= factor
    if product and abs(value / product - 1) < Fraction(1, 1000):
        return True
    return cell.number is not None and cell.number.units[0].word == "%" and value == 1


def added_up(cells: Sequence[Cell]) -> Fraction:
    """The sum of the cells, in the first readings of their units."""
    return sum((amount_of(cell) for cell in cells), Fraction(0))


def one_kind(cells: Sequence[Cell]) -> bool:
    """Whether all are amounts of one kind."""
    return len({n.units[0].dimension for c in cells if (n := c.number)}) == 1 and (
        len({n.units[0].word == "%" for c in cells if (n := c.number)}) == 1
    )


def _left_out(cell: Cell, parts: tuple[Cell, ...]) -> list[int]:
    """The parts without which it is the sum of the others."""
    spans, own = [span_of(part) for part in parts], span_of(cell)
    found = [span for span in spans if span is not None]
    if own is None or len(found) < 3:
        return []
    low, high = sum(s.low for s in found), sum(s.high for s in found)
    return [n for n, s in enumerate(spans) if s and low - s.low <= own.high and own.low <= high - s.high]


def _is_exact(cell: Cell) -> bool:
    """Whether it has so many digits that it is no sum of some parts by chance."""
    digits = cell.number.printed[0] if cell.number is not None else None
    return digits is not None and digits.value / digits.ulp >= LARGE


def _is_aside(label: str) -> bool:
    """Whether what a row is called says that it may not count: tied, optional, in brackets."""
    return says("aside", label) or label.strip().startswith(("(", "*", "["))


def _is_one_of_many(place: int, values: Sequence[Fraction], labels: Sequence[str]) -> bool:
    """Whether a row says one of what another counts: one layer, and all 36 of them."""
    one = _NUMBERS.findall(labels[place]) == ["1"] or says("one", labels[place])
    for value, label in zip(values, labels, strict=True):
        times = value / values[place] if values[place] else Fraction(0)
        if times >= 2 and times.denominator == 1 and (one or str(times) in _NUMBERS.findall(label)):
            return True
    return False


def _as_often(cell: Cell, parts: Sequence[Cell], labels: Sequence[str]) -> bool:
    """Whether it is the sum of its parts, some of them as often as their labels say: `LayerNorm (×2)`."""
    spans, own = _spans(parts), span_of(cell)
    found = [_NUMBERS.findall(label) for label in labels]
    counts = [int(said[0]) if len(said) == 1 and len(said[0]) < MOST_DIGITS else 1 for said in found]
    alone = [[k if m == n else 1 for m, k in enumerate(counts)] for n, k in enumerate(counts) if k > 1]
    for often in (counts, *alone) if alone and len(spans) == len(counts) else ():
        low = sum(k * span.low for k, span in zip(often, spans, strict=True))
        high = sum(k * span.high for k, span in zip(often, spans, strict=True))
        if own and low <= own.high and own.low <= high and high - low < low / 10:
            return True
    return False


def _counts_twice(parts: Sequence[Cell], surplus: Fraction) -> bool:
    """Whether a part that is the sum of those beside it may be what the parts have too much."""
    spans = _spans(parts)
    for place, own in enumerate(spans):
        for run in (spans[place - 1 :: -1] if place else [], spans[place + 1 :]):
            low = high = 0.0
            for length, span in enumerate(run, 1):
                low, high = low + span.low, high + span.high
                if length > 1 and low <= own.high and own.low <= high and own.low <= float(surplus):
                    return True
    return False


def _spans(cells: Sequence[Cell]) -> list[Span]:
    return [span for cell in cells if (span := span_of(cell)) is not None]


def _slip_of_ten(value: Fraction, added: Fraction) -> bool:
    return any(
        abs(value / added * Fraction(10) ** k - 1) < Fraction(1, 100) for k in (-3, -2, -1, 1, 2, 3)
    )
