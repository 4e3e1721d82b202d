"""Where the pieces of a figure of strips stand, in millimetres with fixed decimals, for SVG and LaTeX."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workings.document.blocks import Strips
from workings.document.drawn import Strip
from workings.render.geometry import frame, mm

NAMES, AXIS, RIGHT = 34.0, 110.0, 12.0  # columns of names, of the plot, and of how many
STRIP, TOP = 5.0, 2.0
MARK_WIDTH, MARK_HEIGHT = 0.35, 2.6  # of a value
MEDIAN_WIDTH, MEDIAN_HEIGHT = 0.7, 4.0
TICK_ROOM, UNIT_ROOM, LEGEND_ROOM = 5.0, 5.0, 5.0
DASHES = (
    (1.6, 1.0),
    (0.5, 0.7),
)  # long, then short: stroke and gap of the first and second pair of lines
SAMPLE = 9.0  # length of a line in the legend


def strip_layout(drawn: Strips) -> dict[str, Any]:
    """Marks, lines, ticks and legend as plain values; y grows downwards."""
    plot = TOP + len(drawn.strips) * STRIP
    height = plot + TICK_ROOM + UNIT_ROOM + (LEGEND_ROOM if drawn.lines else 0.0) + 1
    kinds = _kinds(drawn.lines)
    legend = plot + TICK_ROOM + UNIT_ROOM + LEGEND_ROOM / 2
    return {
        **frame(NAMES, AXIS, RIGHT, plot, height),
        "strips": [_strip(one, TOP + place * STRIP, height) for place, one in enumerate(drawn.strips)],
        "mark_width": mm(MARK_WIDTH), "mark_height": mm(MARK_HEIGHT),
        "median_width": mm(MEDIAN_WIDTH), "median_height": mm(MEDIAN_HEIGHT),
        "top": mm(TOP), "plot_height": mm(plot - TOP), "one": mm(_x(_one(drawn))),
        "dashes": [
            {"x": mm(_x(share) - 0.1), "y": mm(y), "length": mm(length), "up": mm(height - y - length)}
            for share, words in drawn.lines for y, length in _dashed(TOP, plot, kinds[words])
        ],
        "ticks": [
            {"x": mm(_x(share)), "text": text, "y": mm(plot + 4.2), "end": mm(plot + 1),
             "up": mm(height - plot - 4.2)} for share, text in drawn.axis
        ],
        "unit": drawn.unit, "middle": mm(NAMES + AXIS / 2), "unit_y": mm(plot + 8.6),
        "unit_up": mm(height - plot - 8.6),
        "legend": [_legend(*entry, legend, height) for entry in _entries(drawn.lines, kinds)],
    }  # fmt: skip


def _x(share: float) -> float:
    return NAMES + share * AXIS


def _one(drawn: Strips) -> float:
    """Where a ratio of 1 stands."""
    return next(share for share, text in drawn.axis if text == "1")


def _kinds(lines: tuple[tuple[float, str], ...]) -> dict[str, int]:
    """The dashes of each line: those nearest to 1 on either side long, the next ones short."""
    found = {}
    for sign in "-+":
        here = [words for _, words in lines if words.startswith(sign)]
        for place, words in enumerate(sorted(here, key=lambda one: int(one[1:].split()[0]))):
            found[words] = min(place, len(DASHES) - 1)
    return found


def _entries(lines: tuple[tuple[float, str], ...], kinds: dict[str, int]) -> list[tuple[int, str, float]]:
    """A kind of dashes, what its lines are, and where that is said."""
    return [
        (kind, " and ".join(words for _, words in lines if kinds[words] == kind),
         NAMES + kind * AXIS / len(DASHES))
        for kind in sorted(set(kinds.values()))
    ]  # fmt: skip


def _legend(kind: int, words: str, x: float, y: float, height: float) -> dict[str, Any]:
    return {
        "name": words, "text_x": mm(x + SAMPLE + 2), "text_y": mm(y + 1.1),
        "text_up": mm(height - y - 1.1),
        "dashes": [{"x": mm(at), "y": mm(y - 0.1), "length": mm(length), "up": mm(height - y - 0.1)}
                   for at, length in _dashed(x, x + SAMPLE, kind)],
    }  # fmt: skip


def _dashed(start: float, end: float, kind: int) -> Iterator[tuple[float, float]]:
    """Where each dash of a line starts, and how long it is."""
    stroke, gap = DASHES[kind]
    place = 0
    while (at := start + place * (stroke + gap)) < end:
        yield at, min(stroke, end - at)
        place += 1


def _strip(one: Strip, top: float, height: float) -> dict[str, Any]:
    middle = top + STRIP / 2
    mark, median = middle - MARK_HEIGHT / 2, middle - MEDIAN_HEIGHT / 2
    return {
        "name": one.name, "name_x": mm(NAMES - 2), "shown": one.shown, "shown_x": mm(NAMES + AXIS + 2),
        "text_y": mm(middle + 1.2), "text_up": mm(height - middle - 1.2),
        "middle": mm(middle), "middle_up": mm(height - middle),
        "marks": [mm(_x(share) - MARK_WIDTH / 2) for share in one.places],
        "y": mm(mark), "up": mm(height - mark - MARK_HEIGHT),
        "median": mm(_x(one.middle) - MEDIAN_WIDTH / 2), "median_y": mm(median),
        "median_up": mm(height - median - MEDIAN_HEIGHT),
    }  # fmt: skip
