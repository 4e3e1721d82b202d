"""Where the pieces of a figure stand, in millimetres with fixed decimals, for SVG and LaTeX."""

from __future__ import annotations

from typing import Any

from workings.document.blocks import Bars
from workings.document.drawn import Bar, Mark

NAMES = 40.0  # width of the column of names
AXIS = 92.0  # length of the axis
RIGHT = 24.0  # room for totals
BAR, GAP, TOP = 5.0, 2.5, 3.0
MARK_ROOM, MARK_ROW = 3.5, 4.4  # above the bars for the name of one mark, and for each of several
TICK_ROOM, LEGEND_ROW, LEGEND_COLUMNS = 9.0, 6.0, 2
LEGEND_LEFT, LEGEND_COLUMN = 20.0, 66.0  # the legend is wider than the axis: names of accounts are long
LETTER, ASIDE = 2.0, 1.5  # about how wide a letter is; the room between a bar and its total
INSIDE = 0.16  # the share of the axis from which a part has room for its own number

# What a script that draws bars anew must know.
COLUMNS = {"names": NAMES, "axis": AXIS, "letter": LETTER, "aside": ASIDE, "inside": INSIDE}


def layout(figure: Bars) -> dict[str, Any]:
    """Rectangles, ticks, legend and marks as plain values; y grows downwards."""
    room = MARK_ROOM if len(figure.marks) == 1 else MARK_ROW * len(figure.marks)
    top = TOP + room
    plot = top + len(figure.bars) * (BAR + GAP)
    legend_rows = -(-len(figure.legend) // LEGEND_COLUMNS) if len(figure.legend) > 1 else 0
    height = plot + TICK_ROOM + legend_rows * LEGEND_ROW + 3
    bars = [_bar(bar, top + place * (BAR + GAP), figure, height)
            for place, bar in enumerate(figure.bars)]  # fmt: skip
    return {
        **frame(NAMES, AXIS, RIGHT, plot, height),
        "plot_top": mm(room) if room else "0", "plot_height": mm(plot - room),
        "bars": bars,
        "ticks": [
            {"x": mm(NAMES + share * AXIS), "text": text, "y": mm(plot + 4.5),
             "up": mm(height - plot - 4.5)}
            for share, text in figure.axis
        ],
        "unit": figure.unit,
        "legend": [
            _legend(i, name, plot, height) for i, name in enumerate(figure.legend)
        ] if legend_rows else [],
        "marks": _marks(figure, plot, height),
    }  # fmt: skip


def frame(names: float, axis: float, right: float, plot: float, height: float) -> dict[str, str]:
    """The size of a figure and its axis, which lies under a plot of that height."""
    return {
        "width": mm(names + axis + right), "height": mm(height), "left": mm(names),
        "right": mm(names + axis), "axis_y": mm(plot), "axis_up": mm(height - plot),
        "axis_length": mm(axis),
    }  # fmt: skip


def _bar(bar: Bar, y: float, figure: Bars, height: float) -> dict[str, Any]:
    x = NAMES
    parts = []
    several = sum(bool(part.name) for part in bar.parts) > 1  # else the total says it
    for part in bar.parts:
        width = part.share * AXIS
        if not part.name:  # room before the bar begins
            x += width
            continue
        parts.append({
            "x": mm(x), "width": mm(width), "colour": figure.legend.index(part.name) + 1,
            "text": part.shown if part.share > INSIDE and several else "",
            "middle": mm(x + width / 2), "name": part.name, "shown": part.shown,
        })  # fmt: skip
        x += width
    return {
        "name": bar.name, "total": bar.total, "parts": parts,
        "y": mm(y), "text_y": mm(y + BAR * 0.68), "height": mm(BAR),
        "up": mm(height - y - BAR), "text_up": mm(height - y - BAR * 0.68),
        "end": mm(_beside(x, bar.total, figure)), "name_x": mm(NAMES - 2),
    }  # fmt: skip


def _beside(end: float, words: str, figure: Bars) -> float:
    """Where a bar's total starts: behind the bar, or behind the marks that would run through it."""
    for mark in sorted(NAMES + mark.share * AXIS for mark in figure.marks):
        if end <= mark <= end + ASIDE + len(words) * LETTER:
            end = mark
    return end + ASIDE


def _legend(number: int, name: str, plot: float, height: float) -> dict[str, Any]:
    column, row = number % LEGEND_COLUMNS, number // LEGEND_COLUMNS
    x = LEGEND_LEFT + column * LEGEND_COLUMN
    y = plot + TICK_ROOM + row * LEGEND_ROW
    return {
        "name": name, "colour": number + 1, "x": mm(x), "y": mm(y), "text_x": mm(x + 5),
        "text_y": mm(y + 3.0), "up": mm(height - y - 3.5), "text_up": mm(height - y - 3.0),
    }  # fmt: skip


def _marks(figure: Bars, plot: float, height: float) -> list[dict[str, Any]]:
    """The name of one stands above its line; of several each in a row of its own, beside its line.

    Beside a line is left of it where there is room, and the row is such that no other line runs through.
    """
    marks = sorted(figure.marks, key=lambda mark: mark.share)
    if len(marks) == 1:
        return [_mark(marks[0], MARK_ROOM, MARK_ROOM, "middle", plot, height)]
    room = max((len(mark.name) for mark in marks), default=0) * LETTER
    left = all(NAMES + mark.share * AXIS >= room for mark in marks)
    rows = marks[::-1] if left else marks
    return [
        _mark(mark, row * MARK_ROW, (row + 1) * MARK_ROW, "end" if left else "start", plot, height)
        for row, mark in enumerate(rows)
    ]


def _mark(mark: Mark, top: float, foot: float, anchor: str, plot: float, height: float) -> dict[str, Any]:
    """A line from `top` to the axis, its name on a row that ends at `foot`."""
    x = NAMES + mark.share * AXIS
    aside = {"middle": 0.0, "end": -1.0, "start": 1.0}[anchor]
    gap = 1 if anchor == "middle" else 0  # LaTeX's letters reach below their row
    return {
        "x": mm(x), "name": mark.name, "firm": mark.firm, "up": mm(height - plot),
        "y": mm(top), "length": mm(plot - top - gap), "anchor": anchor, "text_x": mm(x + aside),
        "text_y": mm(foot - 0.7), "text_up": mm(height - foot + 0.7),
    }  # fmt: skip


def mm(value: float) -> str:
    """A length with two decimals, the same on every machine."""
    return f"{value:.2f}"
