"""Boxes on one line of plain text: what a screen reader says of a formula, and a search finds."""

from __future__ import annotations

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
)


def box_linear(box: Box) -> str:
    """Boxes as text: `(S + A/2)/N`, `sum from i=1 to N - 1 of …`."""
    match box:
        case Letter(base, index):
            return GREEK.get(base, base) + (f"_{index}" if index else "")
        case Number(digits, exponent, unit):
            power = "" if exponent is None else f" · 10^{exponent}"
            return f"{digits}{power}{f' {unit}' if unit else ''}"
        case Sign(text, place):
            return {"between": f" {text} ", "after": f"{text} "}.get(place, text)
        case Gap():
            return " "
        case Words(text):
            return text
        case Row(parts):
            return _row(parts)
        case Fraction(above, below):
            return f"{_held(above)}/{_held(below)}"
        case Raised(base, exponent):
            return f"{box_linear(base)}^{_held(exponent)}"
        case Fenced(left, inside, right):
            return f"{left}{box_linear(inside)}{right}"
        case Root(inside):
            return f"√({box_linear(inside)})"
        case Sum(low, high):
            return f"sum from {box_linear(low)} to {box_linear(high)} of "
        case Function(name, index, below):
            under = box_linear(below) if below else index
            return f"{name}_{under} " if under else name
        case Over(sign, above):
            return f" {sign.text} for {box_linear(above)} "


def _row(parts: tuple[Box, ...]) -> str:
    """Parts side by side; factors that only stand beside each other have a space between them."""
    out = ""
    for part in parts:
        text = box_linear(part)
        apart = out[-1:].isalnum() or out[-1:] in (")", "⌉", "⌋")
        out += f" {text}" if apart and (text[:1].isalnum() or text[:1] in "⌈⌊√") else text
    return " ".join(out.split())


def _held(box: Box) -> str:
    """A part that its slash or power must hold together."""
    alone = isinstance(box, Letter | Fenced | Root) or (
        isinstance(box, Number) and box.exponent is None and not box.unit
    )
    return box_linear(box) if alone else f"({box_linear(box)})"
