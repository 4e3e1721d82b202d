"""Mistakes in a printed number: its digits, its power of ten, its unit, another number in its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from measuring.edits import Edit, Side, replaced
from measuring.literals import Literal, literal_at
from workings.formula.tree import Expr, Num, Product, children
from workings.units import UnitError, parse_unit

_EXPONENT = re.compile(r"(?<=[0-9])e\+?([0-9]+)|10\s*(?:\^|\*\*)\s*\{?\s*([0-9]+)")
_SWAPS = {
    "binary-prefix": (("GB", "GiB"), ("GiB", "GB"), ("MB", "MiB"), ("TB", "TiB"), ("MiB", "MB")),
    "unit-prefix": (("GB", "MB"), ("MB", "GB"), ("TB", "GB"), ("GiB", "MiB"), ("TFLOPs", "GFLOPs"),
                    ("KB", "MB"), ("TFLOPS", "PFLOPS"), ("ms", "us")),
    "bits-bytes": (("bytes", "bits"), ("GB", "Gbit"), ("MB", "Mbit"), ("TB", "Tbit")),
    "time-unit": (("days", "hours"), ("hours", "minutes"), ("years", "months"), ("seconds", "minutes"),
                  ("ms", "s"), ("day", "hour")),
}  # fmt: skip
UNITS = frozenset(_SWAPS)
_BYTES = {1: 2, 2: 4, 4: 2, 8: 4, 16: 12, 12: 16}
_PASSES = {6: 2, 2: 6, 3: 1, 4: 6}


def broken_figures(side: Side, result: bool, elsewhere: Sequence[Literal]) -> Iterator[Edit]:
    """Every edit of a side's numbers. `result`: the side is one printed number."""
    for node, factor in numbers_in(side.tree):
        place = side.place(node)
        if place is None:
            continue
        literal = literal_at(node, side.file, *side.in_file(*place))
        if literal is None:
            continue
        yield from _digits(side, literal)
        yield from _power_of_ten(side, literal, place)
        if result:
            yield from _units(side, literal, place)
        else:
            yield from _stale(side, literal, elsewhere)
            if factor:
                yield from _habits(side, literal)


def numbers_in(tree: Expr, *, factor: bool = False) -> Iterator[tuple[Num, bool]]:
    """The printed numbers of a tree, and whether each is a factor of a product."""
    if isinstance(tree, Num):
        if tree.text and tree.value > 0:
            yield tree, factor
        return
    for child in children(tree):
        yield from numbers_in(child, factor=isinstance(tree, Product))


def _put(side: Side, mistake: str, literal: Literal, made: tuple[str, Num] | None) -> Iterator[Edit]:
    """The literal's mantissa written otherwise."""
    if made is None or made[0] == literal.text:
        return
    start = literal.start
    yield Edit(
        mistake, start, start + len(literal.text), made[0], replaced(side.tree, literal.node, made[1])
    )


def _digits(side: Side, literal: Literal) -> Iterator[Edit]:
    digits = literal.digits
    kept = digits.rstrip("0")
    if len(kept) < 2:
        return
    for at in range(min(len(kept) - 1, 3)):
        a, b = digits[at], digits[at + 1]
        if a != b and not (at == 0 and b == "0"):
            swapped = digits[:at] + b + a + digits[at + 2 :]
            yield from _put(side, "transposed-digits", literal, literal.with_digits(swapped))
    for at in range(min(len(kept), 2)):
        for step in (1, 3, 7):
            new = str((int(digits[at]) + step) % 10)
            if not (at == 0 and new == "0"):
                other = digits[:at] + new + digits[at + 1 :]
                yield from _put(side, "digit", literal, literal.with_digits(other))


def _power_of_ten(side: Side, literal: Literal, place: tuple[int, int]) -> Iterator[Edit]:
    start, end = side.in_file(*place)
    match = _EXPONENT.search(side.file, literal.start, end)
    if match is None or literal.start < start:
        if len(literal.digits) > 1 or literal.value >= 10:
            yield from _put(side, "power-of-ten", literal, literal.times(Fraction(10)))
            yield from _put(side, "power-of-ten", literal, literal.times(Fraction(1, 10)))
            yield from _put(side, "power-of-ten", literal, literal.times(Fraction(1000)))
        return
    group = 1 if match[1] is not None else 2
    for step in (3, -3, 1):
        power = int(match[group]) + step
        if power > 0:
            new = replace(literal.node, value=literal.node.value * Fraction(10) ** step,
                          text=literal.node.text.replace(f"e{match[group]}", f"e{power}"))  # fmt: skip
            tree = replaced(side.tree, literal.node, new)
            yield Edit("power-of-ten", match.start(group), match.end(group), str(power), tree)


def _units(side: Side, literal: Literal, place: tuple[int, int]) -> Iterator[Edit]:
    """Another unit behind the same figure."""
    node = literal.node
    if node.unit is None:
        return
    end = side.in_file(*place)[1]
    for mistake, swaps in _SWAPS.items():
        for old, new in swaps:
            match = re.compile(rf"(?<![A-Za-z]){old}(?![A-Za-z])").search(side.file, literal.start, end)
            unit = _unit_after(node.unit, old, new)
            if match and unit:
                tree = replaced(side.tree, node, replace(node, unit=unit))
                yield Edit(mistake, match.start(), match.end(), new, tree)


_CANONICAL = {"bytes": "B", "bits": "bit", "days": "day", "hours": "h", "hour": "h", "minutes": "min",
              "years": "year", "months": "month", "seconds": "s"}  # fmt: skip


def _unit_after(unit: str, old: str, new: str) -> str | None:
    """The unit that a node has once a word of it is exchanged; None where it is not that word's."""
    first, other = _CANONICAL.get(old, old), _CANONICAL.get(new, new)
    for name in (old, first):
        if unit == name or unit.startswith(name + "/"):
            made = other + unit.removeprefix(name)
            try:
                parse_unit(made)
            except UnitError:
                return None
            return made
    return None


def _stale(side: Side, literal: Literal, elsewhere: Sequence[Literal]) -> Iterator[Edit]:
    """A number of the same kind from another place."""
    for other in elsewhere:
        if (
            other.node.unit != literal.node.unit
            or other.value == literal.value
            or other.tail != literal.tail
        ):
            continue
        if Fraction(1, 8) <= other.value / literal.value <= 8 and len(literal.digits) > 1 < len(
            other.digits
        ):
            if (other.comma or literal.comma) and other.comma != literal.comma:
                continue
            made = other.text, literal.meaning(other.value, other.text)
            yield from _put(side, "stale-value", literal, made)


def _habits(side: Side, literal: Literal) -> Iterator[Edit]:
    """A small whole factor that people mistake for another."""
    if literal.decimals or literal.node.value != literal.value:
        return
    for mistake, table in (("bytes-per-value", _BYTES), ("forward-backward", _PASSES)):
        new = table.get(int(literal.value))
        if new is not None:
            yield from _put(side, mistake, literal, literal.written(Fraction(new), 0))
