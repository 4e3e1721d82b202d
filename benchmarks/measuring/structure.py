"""Mistakes in the structure of a formula: factors, terms, signs, exponents, brackets that round."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, Literal, TypeAlias, TypeVar

from measuring.edits import Edit, Side, balanced, replaced
from workings.formula.tree import Add, Call, Expr, Name, Num, Power, Product, walk

N = TypeVar("N", Add, Product)
Parts: TypeAlias = list[tuple[str, Expr, tuple[int, int]]]
_FRACTION = re.compile(r"\\[dt]?frac\s*\{")
_ROUNDINGS = (("\\lceil", "\\lfloor"), ("\\rceil", "\\rfloor"), ("⌈", "⌊"), ("⌉", "⌋"), ("ceil", "floor"))


def broken_structure(side: Side) -> Iterator[Edit]:
    """Every edit of a side's structure."""
    for node in walk(side.tree):
        found: Iterator[Edit | None] = iter(())
        match node:
            case Product():
                found = _of_product(side, node)
            case Add():
                found = _of_sum(side, node)
            case Power():
                found = _of_power(side, node)
            case Call():
                found = _of_call(side, node)
            case Name():
                found = _of_name(side, node)
        yield from (edit for edit in found if edit is not None)


def _parts(side: Side, node: Add | Product) -> Parts | None:
    """The operands with their signs and places, in reading order; None where a place is unknown."""
    sign = "*" if isinstance(node, Product) else "+"
    found = []
    last = -1
    for operation, part in ((sign, node.first), *node.rest):
        if isinstance(part, Num) and not part.text:
            continue  # a unit that stands as a factor
        place = side.place(part)
        if place is None or place[0] < last:
            return None
        last = place[1]
        found.append((operation, part, place))
    return found


def _of_product(side: Side, node: Product) -> Iterator[Edit | None]:
    parts = _parts(side, node)
    if parts is None or len(parts) < 2:
        return
    yield from _dropped(side, node, parts, "dropped-factor")
    yield from _doubled(side, node, parts, "doubled-factor")
    yield _upside_down(side, node, parts)


def _of_sum(side: Side, node: Add) -> Iterator[Edit | None]:
    parts = _parts(side, node)
    if parts is None or len(parts) < 2:
        return
    one = node.rest[0]
    if len(parts) == 2 and one == ("-", Num(Fraction(1))):
        start, end = parts[0][2][0], parts[1][2][1]
        yield side.edit("off-by-one", start, end, side.source(*parts[0][2]), node, node.first)
        return
    yield from _dropped(side, node, parts, "dropped-term")
    yield from _doubled(side, node, parts, "doubled-term")
    yield from _signs(side, node, parts)
    if len(parts) == 2 and one[0] == "+" and side.block.dialect_at(parts[0][2][0]) == "math":
        (_, a, first), (_, b, second) = parts
        text = f"\\max({side.source(*first)}, {side.source(*second)})"
        yield side.edit("sum-max", first[0], second[1], text, node, Call("max", (a, b)))


def _dropped(side: Side, node: N, parts: Parts, mistake: str) -> Iterator[Edit | None]:
    """Leave an operand out, with the sign before it (of the first one: behind it)."""
    for i, (_sign, part, place) in enumerate(parts):
        name = "ring-factor" if _is_ring(part) else mistake
        if i == 0:
            if parts[1][0] in "*+":
                yield side.edit(name, place[0], parts[1][2][0], "", node, _without(node, part))
        else:
            start = parts[i - 1][2][1]
            yield side.edit(name, start, place[1], "", node, _without(node, part))


def _without(node: Any, part: Expr) -> Expr:
    """The node with one operand less."""
    if node.first is part:
        first, rest = node.rest[0][1], node.rest[1:]
    else:
        first, rest = node.first, tuple(pair for pair in node.rest if pair[1] is not part)
    made: Expr = replace(node, first=first, rest=rest) if rest else first
    return made


def _with(node: Any, sign: str, part: Expr) -> Expr:
    """The node with one operand more."""
    made: Expr = replace(node, rest=(*node.rest, (sign, part)))
    return made


def _doubled(side: Side, node: N, parts: Parts, mistake: str) -> Iterator[Edit | None]:
    """Write an operand twice, with the sign that stands beside it."""
    for i, (sign, part, place) in enumerate(parts):
        if (i == 0 and parts[1][0] not in "*+") or sign == "/":
            continue
        left = place if i == 0 else parts[i - 1][2]
        right = parts[1][2] if i == 0 else place
        between = side.source(left[1], right[0]) if right[0] > left[1] else ""
        if isinstance(part, Num) and not between.strip():
            continue
        text = side.source(*place) + (between or " ") + side.source(*place)
        yield side.edit(mistake, *place, text, node, _with(node, sign, part))


def _signs(side: Side, node: Add, parts: Parts) -> Iterator[Edit | None]:
    for (_, _, before), (sign, part, place) in pairwise(parts):
        between = side.source(before[1], place[0])
        if between.strip() not in ("+", "-", "−", "–"):
            continue
        other: Literal["+", "-"] = "-" if sign == "+" else "+"
        rest = tuple((other if p is part else s, p) for s, p in node.rest)
        yield side.edit("sign", before[1], place[0], between.replace(between.strip(), other), node,
                        replace(node, rest=rest))  # fmt: skip


def _upside_down(side: Side, node: Product, parts: Parts) -> Edit | None:
    """Swap what is above and below a fraction's line."""
    if len(parts) != 2 or len(node.rest) != 1 or parts[1][0] != "/":
        return None
    (_, above, first), (_, below, second) = parts
    start, end = first[0], second[1]
    between = side.source(first[1], second[0])
    if between.strip() not in ("/", "}{", "} {") or node.span is None:
        return None
    text = side.source(*second) + between + side.source(*first)
    begin, stop = side.in_file(start, end)
    if balanced_swap(text):
        return Edit("inverted", begin, stop, text, _swapped(side, node, above, below))
    return None


def balanced_swap(text: str) -> bool:
    """Whether the braces of `a}{b` pair up once the outer ones are put back."""
    return balanced("{" + text + "}") or balanced(text)


def _swapped(side: Side, node: Product, above: Expr, below: Expr) -> Expr:
    return replaced(side.tree, node, Product(below, (("/", above),)))


def _of_power(side: Side, node: Power) -> Iterator[Edit | None]:
    exponent = node.exponent
    if not isinstance(exponent, Num) or exponent.value.denominator != 1 or exponent.span is None:
        return
    if isinstance(node.base, Num) and node.base.text == "10":
        return
    start, end = exponent.span.start, exponent.span.end
    if side.block.text[start:end] != str(int(exponent.value)) or not side.member.start <= start:
        return
    new = exponent.value + 1
    if len(str(int(new))) == end - start:
        yield side.edit("exponent", start, end, str(int(new)), exponent, Num(new, None, str(int(new))))


def _of_call(side: Side, node: Call) -> Iterator[Edit | None]:
    if node.span is None:
        return
    start, end = node.span.start, node.span.end
    source = side.source(start, end)
    if node.function in ("ceil", "floor"):
        text = source
        for up, down in _ROUNDINGS:
            text = text.replace(up, down) if node.function == "ceil" else text.replace(down, up)
        other = "floor" if node.function == "ceil" else "ceil"
        yield side.edit("rounding-call", start, end, text, node, replace(node, function=other))
    if node.function == "max" and len(node.args) == 2:
        places = [side.place(a) for a in node.args]
        if places[0] and places[1]:
            text = f"({side.source(*places[0])} + {side.source(*places[1])})"
            total = Add(node.args[0], (("+", node.args[1]),))
            yield side.edit("sum-max", start, end, text, node, total)


def _of_name(side: Side, node: Name) -> Iterator[Edit | None]:
    """p - 1 in place of p."""
    place = side.place(node)
    if place is None or " " in node.id or side.tree is node or node.span is None:
        return
    start, end = node.span.start, node.span.end
    one_less = Add(node, (("-", Num(Fraction(1), None, "1")),))
    yield side.edit("off-by-one", start, end, f"({side.source(start, end)} - 1)", node, one_less)


def _is_ring(node: Expr) -> bool:
    """(p − 1)/p."""
    match node:
        case Product(Add(first, (("-", Num(one)),)), (("/", below),)):
            return one == 1 and first == below
    return False
