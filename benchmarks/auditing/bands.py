"""Claims of a range, such as “80 to 95 %” or “of the order of MB”: `from`, and `to` or `below`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from workings.document.directive import text_at
from workings.document.page import Page
from workings.errors import UserError
from workings.units import Dimension, Quantity, parse_quantity
from workings.values.desk import Measured

KEYS = ("says", "from", "to", "below")


@dataclass(frozen=True, slots=True)
class Band:
    """From `low` to `high`, without an end where that is None; `high` itself may be outside."""

    words: str
    dimension: Dimension
    low: Fraction | None
    high: Fraction | None
    high_inside: bool

    def holds(self, measured: Measured) -> bool:
        """Whether a value of the same dimension lies inside."""
        value, high = measured.value, self.high
        if measured.dimension != self.dimension or (self.low is not None and value < self.low):
            return False
        return high is None or value < high or (self.high_inside and value == high)


def band_of(claim: Mapping[str, Any], page: Page, line: int) -> Band:
    """The range that a claim states. Raises UserError."""
    text = {key: text_at(dict(claim), key, page, line) for key in KEYS}
    if "claimed" in claim or ("to" in claim and "below" in claim):
        raise UserError("found more than one, expected claimed, or from with to or below")
    ends = {key: parse_quantity(text[key]) for key in KEYS[1:] if key in claim}
    if not ends:
        raise UserError("found no range, expected from, or to or below")
    if len({end.dimension for end in ends.values()}) > 1:
        raise UserError(f"found {' and '.join(text[key] for key in ends)}, expected one unit")
    above = ends.get("to") or ends.get("below")
    return Band(text["says"] or _words(text), next(iter(ends.values())).dimension,
                _value(ends.get("from")), _value(above), "to" in claim)  # fmt: skip


def _value(end: Quantity | None) -> Fraction | None:
    return None if end is None else end.value


def _words(text: Mapping[str, str]) -> str:
    """The range in words where the claim has none of its own."""
    names = {"from": "from ", "to": "to ", "below": "below "}
    found = " ".join(names[key] + text[key] for key in names if text[key])
    return found.removeprefix("from ") if text["to"] and text["from"] else found
