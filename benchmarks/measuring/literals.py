"""A printed number written anew in its own style: as many digits, commas where it had commas."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction

from workings.formula.tree import Num

_MANTISSA = re.compile(r"[0-9]{1,3}(?:(?:\{,\}|,)[0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?")
MAX_DIGITS = 30


@dataclass(frozen=True, slots=True)
class Literal:
    """A number as it stands in a file: where its mantissa is, what it is, and how it is written."""

    node: Num
    start: int  # in the file
    text: str
    comma: str
    decimals: int
    value: Fraction  # of the mantissa

    @property
    def digits(self) -> str:
        """The mantissa's digits without point and commas."""
        return re.sub(r"[^0-9]", "", self.text)

    def times(self, factor: Fraction) -> tuple[str, Num] | None:
        """The number multiplied, printed to as many significant digits; None if that is impossible."""
        value = self.value * factor
        if not value:
            return None
        if not self.decimals and value.denominator == 1:
            return self.written(value, 0)
        kept = max(len(self.digits.strip("0")), 2 if factor.denominator > 1 else 1)
        whole = len(str(int(value))) if value >= 1 else 0
        decimals = max(0, kept - whole)
        if decimals > 8 or (not decimals and value < 10 ** (kept - 1)):
            return None
        rounded = Fraction(round(value * 10**decimals), 10**decimals)
        return self.written(rounded, decimals) if rounded else None

    def with_digits(self, digits: str) -> tuple[str, Num]:
        """The number with other digits, point and commas in place."""
        left = iter(digits)
        text = "".join(next(left) if c.isdigit() else c for c in self.text)
        return text, self.meaning(Fraction(int(digits), 10**self.decimals), text)

    def written(self, value: Fraction, decimals: int) -> tuple[str, Num]:
        """A value with so many decimals, in this number's style."""
        digits = str(int(value * 10**decimals)).rjust(decimals + 1, "0")
        whole, fraction = (digits[:-decimals], "." + digits[-decimals:]) if decimals else (digits, "")
        if self.comma:
            whole = re.sub(r"(?<=[0-9])(?=(?:[0-9]{3})+$)", lambda _: self.comma, whole)
        return whole + fraction, self.meaning(value, whole + fraction)

    @property
    def tail(self) -> str:
        """What follows the mantissa in the number: `e9`, `B`, `%`."""
        plain = self.text.replace("{,}", ",")
        return self.node.text.removeprefix(plain) if self.node.text.startswith(plain) else ""

    def meaning(self, mantissa: Fraction, text: str) -> Num:
        """The node with another mantissa: suffix, exponent and unit stay."""
        shown = text.replace("{,}", ",") + self.tail
        return replace(self.node, value=self.node.value * mantissa / self.value, text=shown)


def literal_at(node: Num, file: str, start: int, end: int) -> Literal | None:
    """The number that a node was read from, if it stands at this place of the file."""
    match = _MANTISSA.search(file, start, end)
    if match is None or len(match.group()) > MAX_DIGITS:
        return None
    text = match.group()
    comma = "{,}" if "{,}" in text else "," if "," in text else ""
    decimals = len(text.partition(".")[2])
    value = Fraction(text.replace("{,}", "").replace(",", ""))
    if not value or not node.text.startswith(text.replace("{,}", ",")[:3].rstrip(".,")):
        return None
    return Literal(node, match.start(), text, comma, decimals, value)
