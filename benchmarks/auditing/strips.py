"""The directive `strips`: ratios of several groups on one logarithmic axis, a strip for each group."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import replace
from math import isfinite, log

from auditing.records import Record, record
from workings.document.blocks import Strips
from workings.document.directive import Directive, check_options
from workings.document.drawn import Strip
from workings.document.figures import figure_name
from workings.document.inline import line_of
from workings.document.page import Page

_TICKS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.5, 2, 3, 5, 10, 20, 50, 100)
APART = 0.07  # of the axis, so that the words of two ticks do not touch
MARGIN = 1.02  # the axis goes on a little on both sides
MOST = 4  # lines, two kinds of dashes on either side of 1


def strips(directive: Directive, page: Page) -> Strips:
    """```{strips} measured.toml``` with `:table:`, of groups and ratios, and `:lines:` at ratios."""
    check_options(directive, page, ("table", "lines"))
    data, line = record(directive, page), directive.line
    name = figure_name(replace(directive, argument=data.name), page)
    groups = _groups(data, name, page, line)
    lines = _numbers(directive.options.get("lines", ""), ":lines:", page, line)
    if len(lines) > MOST:
        raise page.source.fail(line, f":lines: found {len(lines)}, expected at most {MOST}")
    axis = _Axis([*(value for some in groups.values() for value in some), *lines, 1.0])
    return Strips(
        name, page.label("figure", name, line), line_of(data.caption, page, line), _in_words(groups),
        tuple(_strip(group, some, axis) for group, some in groups.items()),
        tuple((axis.at(value), _percent(value)) for value in lines), axis.ticks(), data.head[1],
    )  # fmt: skip


def _groups(data: Record, name: str, page: Page, line: int) -> dict[str, list[float]]:
    """The ratios of every row by its name. Raises DocumentError."""
    if data.align != "lw" or not data.rows:
        raise page.source.fail(line, f"{name}: found align {data.align!r}, expected lw: names and ratios")
    groups: dict[str, list[float]] = {}
    for group, text in data.rows:
        if group in groups or not text.strip():
            found = "a second row" if group in groups else "no number"
            raise page.source.fail(
                line, f"{name}: {group}: found {found}, expected lw: names and ratios, each name once"
            )
        groups[group] = _numbers(text, f"{name}: {group}", page, line)
    return groups


class _Axis:
    """A logarithmic axis a little longer than its values need."""

    def __init__(self, values: Sequence[float]) -> None:
        self.low, self.high = log(min(values) / MARGIN), log(max(values) * MARGIN)

    def at(self, value: float) -> float:
        return (log(value) - self.low) / (self.high - self.low)

    def ticks(self) -> tuple[tuple[float, str], ...]:
        """Round values, 1 among them, that leave each other room."""
        found = {1.0: self.at(1)}
        for value in sorted(_TICKS, key=lambda one: abs(log(one))):
            place = self.at(value)
            if 0 <= place <= 1 and all(abs(place - other) > APART for other in found.values()):
                found[value] = place
        return tuple((place, f"{value:g}") for value, place in sorted(found.items()))


def _strip(name: str, values: Sequence[float], axis: _Axis) -> Strip:
    return Strip(name, tuple(axis.at(v) for v in values), axis.at(statistics.median(values)),
                 str(len(values)))  # fmt: skip


def _numbers(text: str, where: str, page: Page, line: int) -> list[float]:
    """Numbers above 0, apart by spaces. Raises DocumentError."""
    try:
        found = [float(word) for word in text.split()]
    except ValueError:
        found = [0.0]
    if not all(isfinite(value) and value > 0 for value in found):
        raise page.source.fail(line, f"{where}: found {text[:60]!r}, expected numbers above 0")
    return found


def _percent(ratio: float) -> str:
    """A ratio as a difference from 1."""
    return f"{round((ratio - 1) * 100):+d} %"


def _in_words(groups: dict[str, list[float]]) -> str:
    said = (f"{name}: {len(some)}, median {statistics.median(some):.2f}" for name, some in groups.items())
    return f"Ratios by group, on a logarithmic axis: {'; '.join(said)}."
