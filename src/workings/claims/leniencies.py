"""What passes for equal that is not: operands rounded before, 1,024 for 1,000, a unit left out."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from workings.claims.claim import Word
from workings.claims.digits import last_digit, sole
from workings.marks.quantity import BARE, PLAIN, SECOND, Printed
from workings.marks.tree import Node, Number, leaves
from workings.marks.values import NoValueError, Reading, Value, rounded, value_of

LEFT_OUT = Fraction(1, 500)  # how near to a thousand sides are that only a unit parts
COUNTED = 10**5  # who writes 219,848,638,464 leaves no prefix out
COMMON = 1000  # a power of ten that is left out, and no slip of one or two
TIMES = (60, 3600, 24, 86_400, 7, 365)
PREFIXES = (10**3, 10**6, 10**9, 10**12, 2**10, 2**20, 2**30, 8)


def lenient(left: Node, right: Node, reading: Reading, prefixes: bool) -> Word | None:
    """One leniency at a time: operands rounded before, end zeros, 1,024 for 1,000 on one side.

    A unit that stands on both sides is hardly meant in two ways: that is left open.
    """
    loose = replace(reading, spread=rounded)
    if meets(left, right, loose, loose):
        return "depends"
    other = replace(reading, binary=True)
    if prefixes and (meets(left, right, other, reading) or meets(left, right, reading, other)):
        return "undecided" if _prefixed(left) & _prefixed(right) else "depends"
    return None


def _prefixed(node: Node) -> set[str]:
    """The words of its units that may be meant in 1,024."""
    numbers = [leaf for leaf in leaves(node) if isinstance(leaf, Number)]
    return {unit.word for number in numbers for unit in number.units if unit.binary != 1}


def meets(left: Node, right: Node, first: Reading, second: Reading, always: bool = False) -> bool:
    """Whether the intervals of both sides meet, to half a printed digit; counts need not be rounded."""
    loose = any(value.low != value.high for value in (first.letters or {}).values())
    doubtful = not always and not loose and first.spread is rounded
    if doubtful and not any(_may_be_rounded(n, first) for n in (left, right)):
        return False
    try:
        a, b = value_of(left, first), value_of(right, second)
    except (NoValueError, OverflowError):
        return False
    off = last_digit(right, second, b) or last_digit(left, first, a)
    half = off[0] / 2 if off else Fraction(0)
    return a.low <= b.high + half and b.low <= a.high + half


def _may_be_rounded(node: Node, reading: Reading) -> bool:
    return any(
        isinstance(leaf, Number) and rounded(leaf, reading.choice[id(leaf)][0]) for leaf in leaves(node)
    )


def _counted_in(prefix: Fraction, a: Value, b: Value, left: Node) -> bool:
    """Whether a number of the left is in what the right says: `2 bytes × 70 = 140 GB`."""
    bare = any(
        isinstance(leaf, Number) and leaf.units == (PLAIN,) and not leaf.noun for leaf in leaves(left)
    )
    return bare and prefix in PREFIXES and abs(b.middle / a.middle / prefix - 1) <= LEFT_OUT


def unit_left_out(a: Value, b: Value, left: Node, right: Node) -> bool:
    """Whether the sides differ by a unit, or what is counted, that only one of them names."""
    number = sole(right)
    if not a.middle or not b.middle:
        return False
    if number is not None and _counted_in(number.units[0].scale, a, b, left):
        return True
    if BARE not in (a.dimension, b.dimension):
        return False
    noun = number.noun if number is not None else ""
    counted = any(isinstance(leaf, Number) and leaf.noun for leaf in leaves(left))
    bare = all(isinstance(leaf, Number) and _unnamed(leaf) for leaf in leaves(left))
    powers = _powers(number)
    if a.dimension == b.dimension:
        factors: tuple[int, ...] = powers if noun or (bare and scaled(number)) else ()
    elif b.dimension == BARE:
        factors = (*TIMES, *PREFIXES)
    elif counted:  # 4 × 8 matrices = 128 bytes
        return True
    else:
        factors = (*(TIMES if bare or b.dimension == SECOND else ()), *(powers if bare else ()))
    ratio = abs(a.middle / b.middle)
    digits = number.printed[0] if number is not None else None
    near = digits.ulp / digits.value / 2 if digits is not None and digits.value else LEFT_OUT
    near = near if bare and near else max(LEFT_OUT, near)
    return any(abs(ratio / f - 1) <= near or abs(ratio * f - 1) <= near for f in factors)


def _powers(number: Number | None) -> tuple[int, ...]:
    """What a prefix of the printed unit may be worth: 1,024 for GiB, 1,000 for GB."""
    binary = number is not None and any("iB" in unit.word or "io" in unit.word for unit in number.units)
    return tuple(p for p in PREFIXES if p == 8 or (p % 1000 != 0) == binary)


def _unnamed(number: Number) -> bool:
    """Whether a number may lack its unit: what a program gives or what is counted whole does not."""
    digits = number.printed[0]
    return number.units == (PLAIN,) and digits.ulp != 0 and digits.value < COUNTED


def common_powers(left: Node, digits: Printed) -> set[int]:
    """The powers of ten that a result alone may be printed with: 16.94 + 1.89 = 18.83 × 10^14.

    Its last digit then stands where that of a number of the calculation does.
    """
    if digits.whole or digits.ulp <= 1:
        return set()
    places = {leaf.printed[0].ulp for leaf in leaves(left) if isinstance(leaf, Number)}
    return {int(power) for ulp in places if ulp and (power := digits.ulp / ulp) >= COMMON}


def scaled(number: Number | None) -> bool:
    """Whether a number stands before a count: 623.9 M."""
    return number is not None and any(unit.dimension == BARE and unit.scale > 1 for unit in number.units)
