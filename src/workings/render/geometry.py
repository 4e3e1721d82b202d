"""Where the pieces of a figure stand, in millimetres with fixed decimals, for SVG and LaTeX."""

from __future__ import annotations

from typing import Any

from workings.document.blocks import Figure
from workings.document.drawn import Bar

NAMES = 40.0  # width of the column of names
AXIS = 92.0  # length of the axis
RIGHT = 24.0  # room for totals
BAR, GAP, TOP, MARK_ROOM = 7.0, 4.0, 3.0, 3.5
TICK_ROOM, LEGEND_ROW, LEGEND_COLUMNS = 9.0, 6.0, 2
LEGEND_LEFT, LEGEND_COLUMN = 20.0, 66.0  # the legend is wider than the axis: names of accounts are long
LETTER, ASIDE = 2.0, 1.5  # about how wide a letter is; the room between a bar and its total
INSIDE = 0.16  # the share of the axis from which a part has room for its own number


def layout(figure: Figure) -> dict[str, Any]:
    """Rectangles, ticks, legend and mark as plain values; y grows downwards."""
    room = MARK_ROOM if figure.mark else 0.0
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
        "mark": _mark(figure, plot, height),
    }  # fmt: skip


def frame(names: float, axis: float, right: float, plot: float, height: float) -> dict[str, str]:
    """The size of a figure and its axis, which lies under a plot of that height."""
    return {
        "width": mm(names + axis + right), "height": mm(height), "left": mm(names),
        "right": mm(names + axis), "axis_y": mm(plot), "axis_up": mm(height - plot),
        "axis_length": mm(axis),
    }  # fmt: skip


def _bar(bar: Bar, y: float, figure: Figure, height: float) -> dict[str, Any]:
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


def _beside(end: float, words: str, figure: Figure) -> float:
    """Where a bar's total starts: behind the bar, or behind the mark that would run through it."""
    mark = NAMES + figure.mark[0] * AXIS if figure.mark else 0.0
    runs_through = end <= mark <= end + ASIDE + len(words) * LETTER
    return (mark if runs_through else end) + ASIDE


def _legend(number: int, name: str, plot: float, height: float) -> dict[str, Any]:
    column, row = number % LEGEND_COLUMNS, number // LEGEND_COLUMNS
    x = LEGEND_LEFT + column * LEGEND_COLUMN
    y = plot + TICK_ROOM + row * LEGEND_ROW
    return {
        "name": name, "colour": number + 1, "x": mm(x), "y": mm(y), "text_x": mm(x + 5),
        "text_y": mm(y + 3.0), "up": mm(height - y - 3.5), "text_up": mm(height - y - 3.0),
    }  # fmt: skip


def _mark(figure: Figure, plot: float, height: float) -> dict[str, Any] | None:
    if figure.mark is None:
        return None
    share, name = figure.mark
    return {
        "x": mm(NAMES + share * AXIS), "name": name, "up": mm(height - plot),
        "y": mm(MARK_ROOM), "length": mm(plot - MARK_ROOM - 1), "text_y": mm(MARK_ROOM - 0.7),
        "text_up": mm(height - MARK_ROOM + 0.7),
    }  # fmt: skip


def mm(value: float) -> str:
    """A length with two decimals, the same on every machine."""
    return f"{value:.2f}"
