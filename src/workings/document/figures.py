"""The directive `figure`: bars of quantities on one axis, stacked or side by side."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from workings.document.blocks import Bars
from workings.document.directive import (
    Directive,
    check_keys,
    check_options,
    numbers_at,
    settings_at,
    table_of,
    tables_at,
    text_at,
)
from workings.document.drawn import Bar, Mark, Part
from workings.document.inline import line_of
from workings.document.made_of import Amount, Drawn, Named
from workings.document.page import Page
from workings.units import Format, Unit, parse_unit, show
from workings.values.desk import Measured, heard_by_one

_KEYS = ("caption", "alternative", "unit", "digits", "set", "bar", "limit", "limit-name")
TICKS = 5
COLOURS = 6
_VALUE = re.compile(r"\{value\}`([^`]+)`")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,60}")


def figure(directive: Directive, page: Page) -> Bars:
    """```{figure} memory``` with [[bar]] and [[bar.part]] tables: horizontal bars, to scale."""
    check_options(directive, page, ())
    at = directive.body_line
    data = table_of(directive, page, _KEYS)
    unit = parse_unit(text_at(data, "unit", page, at, "GB"))
    style = numbers_at(data, page, at, Format((unit.text, *page.style.units), page.style.digits))
    general = settings_at(data, page, at)
    tables = tables_at(data, "bar", page, at)
    made = [_bar(bar, general, page, at) for bar in tables]
    named = [_name_of(text_at(bar, "name", page, at), page) for bar in tables]
    measured = [(name, [(part, m) for part, m, _ in parts])
                for (name, _), parts in zip(named, made, strict=True)]  # fmt: skip
    heard_by_one(general, [m.idle for _, parts in measured for _, m in parts])
    if not measured or not all(parts for _, parts in measured):
        raise page.source.fail(at, "{figure}: found no [[bar]] with [[bar.part]], expected both")
    for name, parts in measured:
        for part, m in parts:
            if m.dimension != unit.dimension or m.value < 0:
                found = m.shown(page.style)
                raise page.source.fail(at, f"{name}, {part}: found {found}, expected {unit.text} from 0")
    limit = _limit(data, unit, page, at)
    totals = [sum((m.value for _, m in parts), Fraction(0)) for _, parts in measured]
    end = _axis_end(max([*totals, limit or Fraction(0)]) / unit.scale)
    full = end * unit.scale
    bars = tuple(
        Bar(name, tuple(Part(n, float(m.value / full), str(show(m.value, unit, style)))
                        for n, m in parts), str(show(total, unit, style)))
        for (name, parts), total in zip(measured, totals, strict=True)
    )  # fmt: skip
    legend = tuple(dict.fromkeys(part.name for bar in bars for part in bar.parts))
    if len(legend) > COLOURS:
        raise page.source.fail(
            at, f"{{figure}}: found {len(legend)} names of parts, expected at most {COLOURS}: each "
            "has a colour of its own",
        )  # fmt: skip
    axis = tuple((i / TICKS, _tick(end * i / TICKS)) for i in range(TICKS + 1))
    marks: tuple[Mark, ...] = ()
    said = text_at(data, "limit", page, at)
    name = text_at(data, "limit-name", page, at)
    if limit is not None:
        called = name or (str(show(limit, unit, style)) if "{" in said else "limit")
        marks = (Mark(float(limit / full), called),)
    label, words = figure_name(directive, page), text_at(data, "alternative", page, at)
    amounts = tuple(
        (name, tuple((part, one) for part, _, one in parts))
        for (_, name), parts in zip(named, made, strict=True)
    )
    return Bars(
        label, page.label("figure", label, directive.line),
        line_of(text_at(data, "caption", page, at), page, at),
        words or _in_words(bars), bars, legend, axis, unit.text, marks,
        page.made(Drawn(amounts, said or None, bool(name), unit.text, style, words)),
    )  # fmt: skip


def figure_name(directive: Directive, page: Page) -> str:
    """The name after a directive that draws, for its file and its number. Raises DocumentError."""
    label = directive.argument or directive.name
    if not _NAME.fullmatch(label):
        raise page.source.fail(
            directive.line, f"{{{directive.name}}}: found {label[:60]!r}, expected a name such as "
            "memory-use, for its file",
        )  # fmt: skip
    return label


def _name_of(text: str, page: Page) -> tuple[str, Named]:
    """A bar's name with the numbers in it, and what it is made of."""
    pieces = tuple(Amount(piece, page.style) if place % 2 else piece
                   for place, piece in enumerate(_VALUE.split(text)))  # fmt: skip
    shown = (piece if isinstance(piece, str) else page.desk.measure(piece.text).shown(page.style)
             for piece in pieces)  # fmt: skip
    return "".join(map(str, shown)), tuple(piece for piece in pieces if piece)


def _limit(data: dict[str, Any], unit: Unit, page: Page, line: int) -> Fraction | None:
    """The quantity that a red line marks."""
    if "limit" not in data:
        return None
    limit = page.desk.limit(text_at(data, "limit", page, line), {})
    if limit.dimension != unit.dimension or limit.value <= 0:
        found = data["limit"]
        raise page.source.fail(line, f"limit: found {found!r}, expected {unit.text} above 0")
    return limit.value


def _bar(
    bar: dict[str, Any], general: dict[str, str], page: Page, line: int
) -> list[tuple[str, Measured, Amount]]:
    check_keys(bar, "[[bar]]", page, line, ("name", "set", "part"))
    settings = general | settings_at(bar, page, line)
    parts: list[tuple[str, Measured, Amount]] = []
    for part in tables_at(bar, "part", page, line):
        check_keys(part, "[[bar.part]]", page, line, ("name", "id", "set"))
        chosen = page.desk.resolve(settings | settings_at(part, page, line))
        made = Amount(
            text_at(part, "id", page, line), page.style, settings | settings_at(part, page, line)
        )
        measured = page.desk.measure(made.text, chosen)
        heard_by_one(settings_at(part, page, line), [measured.idle])
        parts.append((text_at(part, "name", page, line), measured, made))
    heard_by_one(settings_at(bar, page, line), [measured.idle for _, measured, _ in parts])
    return parts


def _axis_end(longest: Fraction) -> Fraction:
    """The next of 1, 2, 2.5, 5 × a power of ten at or above the longest bar."""
    if longest == 0:
        return Fraction(1)
    power = Fraction(1)
    while power * 10 <= longest:
        power *= 10
    while power > longest:
        power /= 10
    steps = (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(5, 2), Fraction(4), Fraction(5),
             Fraction(6), Fraction(8), Fraction(10))  # fmt: skip
    return next(power * step for step in steps if power * step >= longest)


def _tick(value: Fraction) -> str:
    return f"{float(value):,.6g}" if value < 10**6 else f"{float(value):.4g}"


def _in_words(bars: tuple[Bar, ...]) -> str:
    """The figure for those who cannot see it."""
    described = []
    for bar in bars:
        parts = ", ".join(f"{part.name} {part.shown}" for part in bar.parts)
        total = f", together {bar.total}" if len(bar.parts) > 1 else ""
        described.append(f"{bar.name}: {parts}{total}")
    return "Horizontal bars. " + "; ".join(described) + "."
