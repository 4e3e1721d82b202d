"""Where the pieces of a Gantt chart stand, in millimetres with fixed decimals, for SVG and LaTeX."""

from __future__ import annotations

from typing import Any

from workings.document.blocks import Gantt
from workings.document.drawn import Box, Lane
from workings.render.geometry import frame, mm

NAMES = 15.0  # width of the column of names
AXIS = 137.0  # length of the axis
RIGHT = 4.0
LANE, GAP, TOP = 6.4, 1.6, 2.0
MANY, NARROW = 10, 0.7  # lanes beyond which they are narrower, so that a chart leaves room on its page
TICK_ROOM, LEGEND_ROW, LEGEND_COLUMNS = 8.0, 5.6, 3
LETTER = 2.0  # about how wide a letter of a tick is
DIGIT, MARGIN = 1.4, 0.5  # what a digit of a mark needs, and the rest of its box
DARK = ("f", "w")  # styles on which marks are white


def gantt_layout(chart: Gantt) -> dict[str, Any]:
    """Lanes, boxes, ticks and legend as plain values; y grows downwards."""
    narrow = NARROW if len(chart.lanes) > MANY else 1.0
    tall, step = LANE * narrow, (LANE + GAP) * narrow
    plot = TOP + len(chart.lanes) * step
    rows = -(-len(chart.legend) // LEGEND_COLUMNS)
    height = plot + TICK_ROOM + rows * LEGEND_ROW + 1
    return {
        **frame(NAMES, AXIS, RIGHT, plot, height),
        "lane_height": mm(tall),
        "lanes": [
            _lane(lane, TOP + place * step, height, tall) for place, lane in enumerate(chart.lanes)
        ],
        "ticks": [
            {"x": mm(NAMES + share * AXIS), "text": text, "text_x": mm(_inside(share, text)),
             "y": mm(plot + 4.2), "end": mm(plot + 1), "up": mm(height - plot - 4.2),
             "end_up": mm(height - plot - 1)}
            for share, text in chart.axis
        ],
        "unit": chart.unit,
        "unit_x": mm(NAMES - 2),
        "unit_y": mm(plot + 4.2),
        "unit_up": mm(height - plot - 4.2),
        "legend": [_legend(i, *entry, plot, height) for i, entry in enumerate(chart.legend)],
    }  # fmt: skip


def _inside(share: float, text: str) -> float:
    """Where the words of a tick are centred: under it, or as near as the edge of the chart allows."""
    return min(NAMES + share * AXIS, NAMES + AXIS + RIGHT - len(text) * LETTER / 2)


def _lane(lane: Lane, y: float, height: float, tall: float) -> dict[str, Any]:
    return {
        "name": lane.name, "name_x": mm(NAMES - 2), "text_y": mm(y + tall / 2 + 1.15),
        "text_up": mm(height - y - tall / 2 - 1.15), "y": mm(y), "up": mm(height - y - tall),
        "boxes": [_box(box, y, height, tall) for box in lane.boxes],
    }  # fmt: skip


def _box(box: Box, y: float, height: float, lane: float) -> dict[str, Any]:
    """A box, or the upper or lower half of two; its mark only where there is room for it."""
    x, width = NAMES + box.start * AXIS, box.length * AXIS
    tall = lane / 2 if box.part else lane
    top = y + (lane / 2 if box.part == 2 else 0.0)
    fits = len(box.mark) * DIGIT + MARGIN <= width
    middle = top + tall / 2
    return {
        "style": box.style, "dark": box.style[0] in DARK, "words": box.words,
        "mark": box.mark if fits else "",
        "x": mm(x), "y": mm(top), "width": mm(width), "height": mm(tall),
        "up": mm(height - top - tall), "middle": mm(x + width / 2),
        "mark_y": mm(middle + 0.95), "mark_up": mm(height - middle),
    }  # fmt: skip


def _legend(number: int, style: str, name: str, plot: float, height: float) -> dict[str, Any]:
    column, row = number % LEGEND_COLUMNS, number // LEGEND_COLUMNS
    x = NAMES + column * AXIS / LEGEND_COLUMNS
    y = plot + TICK_ROOM + row * LEGEND_ROW
    return {
        "style": style, "idle": style == "idle", "name": name,
        "x": mm(x), "y": mm(y), "text_x": mm(x + 5),
        "text_y": mm(y + 2.8), "up": mm(height - y - 3.5), "text_up": mm(height - y - 2.8),
    }  # fmt: skip
