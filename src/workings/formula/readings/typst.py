"""Boxes as what stands between Typst's dollar signs: single signs escaped, words as strings.

Typst reads a run of letters as a name, a slash as a fraction and a comma as the end of an argument; here
a letter stands alone, and every sign has a backslash before it. A space is written only between letters
and digits, where it shows nowhere: beside words it would.
"""

from __future__ import annotations

from itertools import pairwise

from workings.formula.readings.typeset import (
    GREEK,
    Box,
    Fenced,
    Fraction,
    Function,
    Gap,
    Letter,
    Number,
    Over,
    Raised,
    Root,
    Row,
    Sign,
    Sum,
    Words,
    typeset,
)
from workings.formula.tree import Formula

_GAPS = {"thin": "thin", "wide": "quad"}
_DOT = "\u22c5"  # the operator: the dot of words has no room around it


def typst(formula: Formula, *, units: bool = False, inline: bool = False) -> str:
    """What stands between dollar signs; `units` and `inline` as in `typeset`."""
    return box_typst(typeset(formula, units=units, inline=inline))


def box_typst(box: Box) -> str:
    """Boxes as Typst's mathematics."""
    match box:
        case Letter():
            return _letter(box)
        case Number():
            return _number(box)
        case Sign():
            return _sign(box)
        case Gap(width):
            return _GAPS[width]
        case Words(text):
            return string(text)
        case Row(parts):
            return _joined([box_typst(part) for part in parts])
        case Fraction(above, below):
            return f"frac({box_typst(above)}, {box_typst(below)})"
        case Raised(base, exponent):
            return f"attach({box_typst(base)}, t: {box_typst(exponent)})"
        case Fenced(left, inside, right, tall):
            text = f"\\{left}{box_typst(inside)}\\{right}"
            return f"lr({text})" if tall else text
        case Root(inside):
            return f"sqrt({box_typst(inside)})"
        case Sum(low, high):
            return f"attach(sum, b: {box_typst(low)}, t: {box_typst(high)})"
        case Function(name, index, below):
            if below is not None:
                return f"attach(limits(op({string(name)})), b: {box_typst(below)})"
            return f"attach(op({string(name)}), b: {index})" if index else f"op({string(name)})"
        case Over(sign, above):
            return f'class("relation", attach(limits({_sign(sign)}), t: {box_typst(above)}))'


def string(text: str) -> str:
    """A text as Typst's string, in which nothing of it is read."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _letter(box: Letter) -> str:
    """N slants with an upright index; `alpha` is the Greek letter, and a word stands upright."""
    base = GREEK.get(box.base, box.base if len(box.base) == 1 else string(box.base))
    if not box.index:
        return base
    return f"attach({base}, b: {box.index if len(box.index) == 1 else string(box.index)})"


def _number(box: Number) -> str:
    """Thousands commas without a gap, a power of ten, the unit after a thin space."""
    text = string(box.digits) if "," in box.digits else box.digits
    if box.exponent is not None:
        minus = "\u2212" if box.exponent < 0 else ""
        text += f"{_DOT}attach(10, t: {minus}{abs(box.exponent)})"
    return f"{text} thin{string(box.unit)}" if box.unit else text


def _sign(box: Sign) -> str:
    """A sign; Typst knows its room, which a tight one does not have."""
    text = f"\\{_DOT if box.text == '·' else box.text}"
    return f'class("normal", {text})' if box.place == "tight" else text


def _joined(parts: list[str]) -> str:
    out = parts[0]
    for left, right in pairwise(parts):
        out += (" " if left[-1].isalnum() and right[0].isalnum() else "") + right
    return out
