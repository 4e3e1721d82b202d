"""Boxes as LaTeX that pdflatex, GitHub and MathJax all read.

No `\\operatorname`, no macros of ours: what is printed can be pasted anywhere.
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

SIGNS = {
    "−": "-", "·": r"\cdot", "×": r"\times", "≤": r"\le", "≥": r"\ge", "≈": r"\approx",
    "⟺": r"\iff", "→": r"\to", "∞": r"\infty",
}  # fmt: skip
FENCES = {"⌈": r"\lceil", "⌉": r"\rceil", "⌊": r"\lfloor", "⌋": r"\rfloor"}
GAPS = {"thin": r"\,", "wide": r"\quad"}


def latex(node: Formula, *, units: bool = False, inline: bool = False) -> str:
    """Write a formula as LaTeX; `units` and `inline` as in `typeset`."""
    return box_latex(typeset(node, units=units, inline=inline))


def box_latex(box: Box) -> str:
    """Boxes as LaTeX."""
    match box:
        case Letter():
            return _letter(box)
        case Number():
            return _number(box)
        case Sign(text):
            return SIGNS.get(text, text)
        case Gap(width):
            return GAPS[width]
        case Words(text):
            return rf"\text{{{text}}}"
        case Row(parts):
            return _row(parts)
        case Fraction(above, below):
            return rf"\frac{{{box_latex(above)}}}{{{box_latex(below)}}}"
        case Raised(base, exponent):
            text = box_latex(base)
            held = f"{{{text}}}" if isinstance(base, Letter) and base.index else text
            return f"{held}^{{{box_latex(exponent)}}}"
        case Fenced():
            return _fenced(box)
        case Root(inside):
            return rf"\sqrt{{{box_latex(inside)}}}"
        case Sum(low, high):
            return rf"\sum_{{{box_latex(low)}}}^{{{box_latex(high)}}}"
        case Function(name, index, below):
            under = f"{{{box_latex(below)}}}" if below else index
            return rf"\{name}_{under}" if under else rf"\{name}"
        case Over(sign, above):
            return rf"\overset{{{box_latex(above)}}}{{{box_latex(sign)}}}"


def _letter(box: Letter) -> str:
    """N with an upright subscript, `alpha` as the Greek letter."""
    base = box.base
    head = f"\\{base}" if base in GREEK else base if len(base) == 1 else rf"\text{{{base}}}"
    if not box.index:
        return head
    return f"{head}_{{{box.index if len(box.index) == 1 else rf'{chr(92)}text{{{box.index}}}'}}}"


def _number(box: Number) -> str:
    """Thousands commas without a gap, a power of ten, the unit after a space."""
    text = box.digits.replace(",", "{,}")
    if box.exponent is not None:
        text += rf" \cdot 10^{{{box.exponent}}}"
    return rf"{text}\,\text{{{box.unit}}}" if box.unit else text


def _row(parts: tuple[Box, ...]) -> str:
    out = box_latex(parts[0])
    for left, right in pairwise(parts):
        out += _space(left, right) + box_latex(right)
    return out


def _space(left: Box, right: Box) -> str:
    """A space of the source text: TeX needs it behind a command, and people around signs."""
    if isinstance(left, Sign) and left.place in ("before", "tight"):
        return ""
    if isinstance(right, Sign) and right.place in ("after", "tight"):
        return ""
    fenced = isinstance(right, Fenced) and right.left == "("
    tight = fenced and not isinstance(left, Sign | Gap | Sum)
    return "" if tight or isinstance(right, Gap) else " "


def _fenced(box: Fenced) -> str:
    left, right = FENCES.get(box.left, box.left), FENCES.get(box.right, box.right)
    inside = box_latex(box.inside)
    if box.tall:
        return rf"\left{left} {inside} \right{right}"
    space = " " if left.startswith("\\") else ""
    return f"{left}{space}{inside}{space}{right}"
