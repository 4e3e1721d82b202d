"""Boxes as MathML Core, which browsers set themselves: no script, no fonts of ours."""

from __future__ import annotations

from html import escape

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

GAPS = {"thin": "0.1667em", "wide": "1em"}
# Signs that a browser would set with room on both sides, or would stretch.
_TIGHT = ' lspace="0" rspace="0"'


def mathml(formula: Formula, *, units: bool = False, inline: bool = False) -> str:
    """What stands inside `<math>`; `units` and `inline` as in `typeset`."""
    return box_mathml(typeset(formula, units=units, inline=inline))


def line_mathml(box: Box) -> str:
    """What stands inside the `<math>` of a line: a row for each piece, before which it may break.

    A piece begins with its sign, as lines of a long formula do on paper.
    """
    pieces: list[list[str]] = [[]]
    for part in _flat(box):
        if isinstance(part, Sign | Over) and getattr(part, "place", "between") == "between":
            if pieces[-1]:
                pieces.append([])
            pieces[-1].append(_leading(part))
        else:
            pieces[-1].append(box_mathml(part))
    return "".join(f"<mrow>{''.join(piece)}</mrow>" for piece in pieces)


def _flat(box: Box) -> tuple[Box, ...]:
    return tuple(one for part in box.parts for one in _flat(part)) if isinstance(box, Row) else (box,)


def _leading(box: Sign | Over) -> str:
    """A sign between two parts that begins a row; a browser would take it for one in front of a part."""
    if isinstance(box, Over):
        return box_mathml(box)
    return f'<mo form="infix">{escape(box.text)}</mo>'


def box_mathml(box: Box) -> str:
    """Boxes as MathML."""
    match box:
        case Letter():
            return _letter(box)
        case Number():
            return _number(box)
        case Sign():
            return _sign(box)
        case Gap(width):
            return f'<mspace width="{GAPS[width]}"/>'
        case Words(text):
            return f"<mtext>{_words(text)}</mtext>"
        case Row(parts):
            return f"<mrow>{''.join(map(box_mathml, parts))}</mrow>"
        case Fraction(above, below):
            return f"<mfrac>{box_mathml(above)}{box_mathml(below)}</mfrac>"
        case Raised(base, exponent):
            return f"<msup>{box_mathml(base)}{box_mathml(exponent)}</msup>"
        case Fenced():
            return _fenced(box)
        case Root(inside):
            return f"<msqrt>{box_mathml(inside)}</msqrt>"
        case Sum(low, high):
            return f"<munderover><mo>∑</mo>{box_mathml(low)}{box_mathml(high)}</munderover>"
        case Function():
            return _function(box)
        case Over(sign, above):
            return f"<mover>{_sign(sign)}{box_mathml(above)}</mover>"


def _letter(box: Letter) -> str:
    """A letter slants by itself where it is alone; capital Greek ones stand upright, as in TeX."""
    sign = GREEK.get(box.base, box.base)
    upright = ' mathvariant="normal"' if box.base in GREEK and box.base[0].isupper() else ""
    base = f"<mi{upright}>{escape(sign)}</mi>"
    return f"<msub>{base}{_index(box.index)}</msub>" if box.index else base


def _index(text: str) -> str:
    tag = "mn" if text.isdigit() else "mi" if text.isalpha() else "mtext"
    return f"<{tag}>{escape(text)}</{tag}>"


def _number(box: Number) -> str:
    parts = f"<mn>{escape(box.digits)}</mn>"
    if box.exponent is not None:
        digits = f"<mn>{abs(box.exponent)}</mn>"
        power = digits if box.exponent >= 0 else f"<mrow><mo>−</mo>{digits}</mrow>"
        parts += f"<mo>·</mo><msup><mn>10</mn>{power}</msup>"
    if box.unit:
        parts += f'<mspace width="{GAPS["thin"]}"/><mtext>{_words(box.unit)}</mtext>'
    return parts if parts.count("<mn>") == 1 and not box.unit else f"<mrow>{parts}</mrow>"


def _sign(box: Sign) -> str:
    """An operator; its room is the browser's unless it stands tight or before what it belongs to."""
    if box.place == "before":
        return f'<mo form="prefix">{escape(box.text)}</mo>'
    if box.place == "after":
        return f"<mo>{escape(box.text)}</mo>"
    room = _TIGHT if box.place in ("tight", "alone") else ""
    tag = "mi" if box.place == "alone" else "mo"
    return f"<{tag}{room if tag == 'mo' else ''}>{escape(box.text)}</{tag}>"


def _fenced(box: Fenced) -> str:
    stretch = "" if box.tall else ' stretchy="false"'
    left = f'<mo form="prefix"{stretch}>{escape(box.left)}</mo>'
    right = f'<mo form="postfix"{stretch}>{escape(box.right)}</mo>'
    return f"<mrow>{left}{box_mathml(box.inside)}{right}</mrow>"


def _function(box: Function) -> str:
    name = f"<mi>{escape(box.name)}</mi>"
    if box.below is not None:
        return f"<munder>{name}{box_mathml(box.below)}</munder>"
    return f"<msub>{name}<mn>{escape(box.index)}</mn></msub>" if box.index else name


def _words(text: str) -> str:
    """A space at an end would be dropped."""
    return escape(text).replace(" ", "\u00a0")
