"""Whether a calculation comes to what is printed: intervals meet, with at most one leniency."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from math import inf, log

from workings.claims.claim import Word
from workings.claims.digits import SAME, cut_off, nearly, printed_as, same, sole
from workings.claims.leniencies import (
    LEFT_OUT,
    PREFIXES,
    TIMES,
    common_powers,
    lenient,
    meets,
    scaled,
    unit_left_out,
)
from workings.claims.shown import value_text
from workings.marks.quantity import BARE, PLAIN, Dimension, Printed
from workings.marks.tree import Letter, Node, Number, Operation, leaves
from workings.marks.values import (
    Choice,
    NoValueError,
    Reading,
    Value,
    choices,
    halves,
    last_digits,
    value_of,
)

MOST_FACTORS, MOST_POWER = 5, 50  # by which units are changed by hand


@dataclass(frozen=True, slots=True)
class Said:
    """How two sides compare, and what the left comes to in the unit of the right."""

    word: Word
    expected: str = ""


def agree(
    left: Node,
    relation: str,
    right: Node,
    values: Mapping[str, Value] | None = None,
    about: bool = False,
    prefixes: bool = True,
    faces: bool = True,
) -> Said:
    """The best that any reading of both sides says of `left = right`, with these values of letters.

    It is wrong only if every reading says so, and none is open. 1,024 may pass for 1,000 where `prefixes`
    are not what the claim is about, and `faces` lets numbers be meant without their units.
    """
    readings = [r for choice in choices(left, right) for r in _ways(left, right, choice, values, faces)]
    words = [
        (_compared(left, relation, right, reading, about, prefixes), reading) for reading in readings
    ]
    said = [(word, reading) for word, reading in words if word is not None]
    for word in ("ok", "rounds", "truncates", "depends", "undecided"):
        if any(found == word for found, _ in said):
            return Said(word)
    if not said or any(
        isinstance(leaf, Number) and leaf.letter for n in (left, right) for leaf in leaves(n)
    ):
        return Said("undecided")
    nearest = min((reading for _, reading in said), key=lambda r: _apart(left, right, r))
    return Said("wrong", _expected(left, right, nearest))


def _ways(
    left: Node, right: Node, choice: Choice, values: Mapping[str, Value] | None, faces: bool
) -> Iterator[Reading]:
    """One choice with its units, and as mere figures where the units do not make both sides alike."""
    plain = Reading(choice, letters=values)
    yield plain
    bits = {key: (digits, replace(unit, scale=unit.scale * 8)) for key, (digits, unit) in choice.items()
            if unit.word.rstrip("s").casefold().endswith("bit")}  # fmt: skip
    if bits and any(isinstance(leaf, Number) and leaf.printed[0].value == 8 for leaf in leaves(left)):
        yield replace(plain, choice={**choice, **bits})  # 4.5 bits × 70e9 / 8
    if not faces or any(value.dimension != BARE for value in (values or {}).values()):
        return
    shared = sole(right)
    if shared is not None and _in_its_unit(left):
        digits, unit = choice[id(shared)]
        for power in common_powers(left, digits) | ({1} if scaled(shared) else set()):
            lone = Printed(digits.value / power, digits.ulp / power), replace(unit, scale=Fraction(1))
            yield replace(plain, choice={**choice, id(shared): lone})
    try:
        kinds = [value_of(side, plain).dimension for side in (left, right)]
    except (NoValueError, OverflowError):
        return
    if kinds[0] != kinds[1] or kinds[0] in (None, BARE) or _converts(left, choice):
        yield replace(plain, faces=True)


def _in_its_unit(node: Node) -> bool:
    """Whether figures without units may be in the unit of the result: 418.4 + 205.5 = 623.9 M."""
    numbers = [leaf for leaf in leaves(node) if isinstance(leaf, Number)]
    return all(map(_unnamed, leaves(node))) and any(not leaf.printed[0].whole for leaf in numbers)


def _converts(left: Node, choice: Choice) -> bool:
    """Whether a unit is changed by hand: `2.92e8 seconds/(24 × 60 × 60)`, `208e9 bytes/2^30`."""
    units = {unit.scale / unit.count for _, unit in choice.values() if unit.dimension != BARE}
    ratios = {a / b for a in units for b in units if a != b}
    made = {Fraction(1)}
    for factor in islice(_factors_by_hand(left), MOST_FACTORS):
        made |= {product * factor for product in made}
    return bool(ratios & (made - {1}))


def _factors_by_hand(node: Node) -> Iterator[Fraction]:
    """The numbers of a calculation by which units are changed: 60, 24, 8, 1000, 2^30."""
    match node:
        case Operation("^", (Number() as base, Number() as power)) if power.printed[0].value < MOST_POWER:
            yield base.printed[0].value ** int(power.printed[0].value)
        case Operation(_, parts):
            for part in parts:
                yield from _factors_by_hand(part)
        case Number() if node.printed[0].value in (*TIMES, *PREFIXES):
            yield node.printed[0].value


def _apart(left: Node, right: Node, reading: Reading) -> float:
    """How far the sides are apart in a reading, as a factor: the nearest is the one that was meant."""
    a, b = (value_of(side, reading).middle for side in (left, right))
    try:
        return abs(log(abs(a / b)))
    except (ValueError, ZeroDivisionError, OverflowError):
        return inf


def tallies(left: Node, right: Node, values: Mapping[str, Value] | None = None) -> Said:
    """As `agree`, but every number may have been rounded for print; counts are exact."""
    said = agree(left, "=", right, values)
    if said.word not in ("depends", "wrong"):
        return said
    first: Reading | None = None
    total = sole(right)
    to_the_last = total is not None and total.printed[0].whole and not total.printed[0].zeros
    rounding = last_digits if to_the_last and not (total and total.about) else halves
    for choice in choices(left, right):
        for binary in (False, True):
            reading = Reading(choice, rounding, letters=values, binary=binary)
            if meets(left, right, reading, replace(reading, binary=False), always=True):
                return Said("depends" if binary else "rounds")
            first = first or reading
    return said if said.expected or first is None else Said("wrong", _expected(left, right, first))


def _expected(left: Node, right: Node, reading: Reading) -> str:
    number = sole(right)
    unit = reading.choice[id(number)][1] if number is not None else None
    if unit is not None and reading.faces and (unit.dimension != BARE or unit.word == "%"):
        unit = replace(unit, scale=Fraction(1))
    return value_text(value_of(left, reading), unit)


def _compared(
    left: Node, relation: str, right: Node, reading: Reading, about: bool, prefixes: bool
) -> Word | None:
    """One reading: agreement, disagreement, or None where it is no reading of this claim."""
    try:
        a, b = value_of(left, reading), value_of(right, reading)
    except (NoValueError, OverflowError):
        return None
    if a.dimension is None or b.dimension is None or not _of_one_kind(a.dimension, b.dimension):
        if not printed_as(a, right, reading, b):
            return None
        return "rounds" if any(map(_unnamed, leaves(left))) else "depends"
    if relation in ("<", "<=", ">", ">=", "<<", ">>"):
        return _ordered(a, relation, b)
    if relation not in ("=", "≈", "->"):
        return None
    if relation == "->":
        return "rounds" if same(a.middle, b.middle) or printed_as(a, right, reading, b) else "undecided"
    if same(a.middle, b.middle):
        return "ok"
    if printed_as(a, right, reading, b) or printed_as(b, left, reading, a):
        return "rounds"
    if relation != "=" and (nearly(a, right, b, reading) or about):
        return "rounds"
    if cut_off(a, right, reading, b):
        return "truncates"
    if (word := lenient(left, right, reading, prefixes)) is not None:
        return word
    if a.dimension != b.dimension and BARE not in (a.dimension, b.dimension):
        return None
    open_ = unit_left_out(a, b, left, right) or (reading.faces and _in_its_prefix(a, b, right, reading))
    return "undecided" if open_ else "wrong"


def _in_its_prefix(a: Value, b: Value, right: Node, reading: Reading) -> bool:
    """Whether figures without units come to a result in milliseconds: 16.6 / 2039 GB/s = 8.14 ms."""
    number = sole(right)
    scale = reading.choice[id(number)][1].scale if number is not None else Fraction(1)
    return scale != 1 and bool(a.middle) and abs(b.middle * scale / a.middle - 1) <= LEFT_OUT


def _of_one_kind(a: Dimension, b: Dimension) -> bool:
    """Whether sides may be equal: a number may be one of bytes or FLOPs, a rate one of FLOPs a second."""
    return a == b or BARE in (a, b) or (a[2:] == b[2:] and (0, 0) in (a[:2], b[:2]))


def _unnamed(leaf: Number | Letter) -> bool:
    """Whether the unit that one side lacks may be this number's: 4,050 × 98.2 GFLOP = 398 TFLOP/s."""
    return isinstance(leaf, Number) and leaf.units == (PLAIN,) and not leaf.noun


def _ordered(a: Value, relation: str, b: Value) -> Word:
    if relation in ("<<", ">>"):
        return "undecided"
    holds = {"<": a.low < b.high, "<=": a.low <= b.high, ">": a.high > b.low, ">=": a.high >= b.low}
    return "ok" if holds[relation] else "wrong"


def ratio_of(left: Node, right: Node) -> Fraction | None:
    """How many times the right the left is, in the likeliest reading in units of one kind."""
    for choice in choices(left, right):
        try:
            a, b = value_of(left, Reading(choice)), value_of(right, Reading(choice))
        except NoValueError:
            continue
        if a.dimension == b.dimension and a.middle and b.middle:
            return abs(a.middle / b.middle)
    return None


def stands_for(value: Fraction, digits: Printed, least: int) -> bool:
    """Whether digits are a value rounded or cut off, so that at least so many of them count.

    Zeros at the end of a whole number may be rounded ones: 20,000 is 20,444 to two digits.
    """
    if same(value, digits.value):
        return True
    if not digits.value or not digits.ulp or (count := len(str(int(digits.value / digits.ulp)))) < least:
        return False
    place = digits.ulp * Fraction(10) ** min(digits.zeros, count - least)
    off = value - digits.value
    cut = 0 <= off < digits.ulp and (not digits.whole or digits.value >= 100)
    return cut or 2 * abs(off) <= place * (1 + SAME)
