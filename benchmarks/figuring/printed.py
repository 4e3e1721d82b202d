"""A printed figure, read strictly: its digits, its unit as it stands, and how near ours must come.

The reader of lists of formulas (`covering/printed.py`) takes every reading of a unit. Here a GB is 10⁹
bytes and nothing else, so that a figure that means 2³⁰ by it is one under a convention, which is said.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from covering.sides import same

from workings.errors import UserError
from workings.units import UnitError, parse_quantity

ROUGH = Fraction(2, 100)
_NUMBER = re.compile(
    r"(?P<digits>-?\d+(?:[,_]\d{3})*(?:\.\d+)?|-?0,\d+)"
    r"(?:[eE]\+?(?P<e>-?\d+)|\s?[*x×]\s?10\^(?P<power>\d+))?"
)
_POWER = re.compile("10([⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_RANGE = re.compile(r"\s*(?:to|-)\s*(\d+)\b")
_UNIT = re.compile(r"(?P<space>\s?)(?P<word>[A-Za-z%]+)(?P<per>/[a-z]+)?")
_LESS = re.compile(r"less than|<|at most|under", re.IGNORECASE)
_MORE = re.compile(r"more than|>|at least|over", re.IGNORECASE)
# What stands right after digits is a multiple; an attached B is a billion, after a space it is a byte.
_ATTACHED = {"k": 10**3, "K": 10**3, "T": 10**12, "M": 10**6, "B": 10**9}
_OWN: dict[str, int | Fraction] = {
    "%": Fraction(1, 100), "bytes": 1, "byte": 1, "b": 1, "J": 1, "Wh": 3600, "kWh": 3_600_000,
    "k": 10**3, "M": 10**6, "B": 1, "TFLOPs": 10**12, "TFLOPS": 10**12, "TFLOP": 10**12, "GFLOP": 10**9,
    "GFLOPs": 10**9, "exaflops": 10**18, "sec": 1, "t": 1000, "tCO": 1000, "terabytes": 10**12,
    "million": 10**6, "quintillion": 10**18,
    "Gbps": Fraction(10**9, 8), "KB": 10**3, "milliseconds": Fraction(1, 1000),
}  # fmt: skip


@dataclass(frozen=True)
class Printed:
    """A printed figure in base units (byte, FLOP, second, joule, dollar).

    `half` is half of its last digit; `rough` the same where the zeros at the end of a whole number are
    no digits, but no more than a fiftieth; `top` the upper end of a range. `unit` is whether a unit that
    counts stands beside it; `scale` is what digits are multiplied by.
    """

    value: Fraction
    half: Fraction
    rough: Fraction
    top: Fraction
    bound: str
    unit: bool
    scale: Fraction

    def fits(self, ours: Fraction, exactness: str) -> bool:
        """Whether ours is what is printed, as exactly as the source means it."""
        if exactness == "exact":
            return same(self.value, ours)
        if self.value != self.top:
            return self.value <= ours <= self.top
        if self.bound and exactness == "bound":
            beyond = ours <= self.value if self.bound == "<" else ours >= self.value
            return beyond or abs(ours - self.value) <= self.half
        return abs(ours - self.value) <= (self.rough if exactness == "about" else self.half)

    def off(self, ours: Fraction) -> Fraction:
        """By how much of ours it is off."""
        return abs(ours - self.value) / abs(ours) if ours else Fraction(1)


def read(text: str, unit: str = "") -> Printed:
    """Read a printed figure, in the unit that stands beside it or in another. Raises UserError."""
    text = _POWER.sub(lambda found: f"10^{found[1].translate(_DIGITS)}", text)
    found = _NUMBER.search(text)
    if found is None:
        raise UserError(f"found no digits in {text!r}, expected `printed`, the figure in digits")
    digits = found["digits"]
    plain = digits.replace(",", ".") if re.fullmatch(r"-?0,\d+", digits) else re.sub("[,_]", "", digits)
    power = Fraction(10) ** int(found["e"] or found["power"] or 0)
    rest = text[found.end() :]
    top = _RANGE.match(rest)
    own = _unit_of(rest)
    scale = _unit(unit) if unit else own or Fraction(1)
    decimals = len(plain.partition(".")[2])
    zeros = 0 if decimals else len(plain) - len(plain.rstrip("0"))
    half = power * scale / 2 / 10**decimals
    before = text[: found.start()]
    bound = "<" if _LESS.search(before) else ">" if _MORE.search(before) else ""
    value = Fraction(plain) * power * scale
    rough = max(half, min(half * 10**zeros, ROUGH * abs(value)))
    return Printed(value, half, rough, Fraction(top[1]) * scale if top else value, bound,
                   own is not None, scale)  # fmt: skip


def _unit_of(rest: str) -> Fraction | None:
    """What the words after digits multiply them by; None where they name a thing and no unit."""
    found = _UNIT.match(rest)
    if found is None:
        return None
    word, per = found["word"], found["per"] or ""
    if not found["space"] and word in _ATTACHED:
        return Fraction(_ATTACHED[word])
    try:
        return _unit(word) / (3600 if per == "/hr" else 1)
    except UnitError:
        return None


def _unit(text: str) -> Fraction:
    """A unit, or a quantity such as "1024 kB", in base units. Raises UnitError."""
    if text in _OWN:
        return Fraction(_OWN[text])
    return Fraction(parse_quantity(text if text[0].isdigit() else f"1 {text}").value)
