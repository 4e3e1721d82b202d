"""Where the pieces of a line plot stand, in millimetres with fixed decimals, for SVG."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workings.render.geometry import frame, mm

if TYPE_CHECKING:
    from workings.planning.sweeping.plot import Box, Dot, Plot, Series

NAMES, AXIS, RIGHT = 22.0, 126.0, 8.0  # columns of the ticks of y, of the plot, and beside it
TOP, HEIGHT = 13.0, 72.0
TICK_ROOM, LEGEND_ROW, LEGEND_COLUMNS, LONGEST = 13.0, 5.4, 3, 26
WIDEST = 85  # letters of the line under the title
COLOURS = 6


def line_layout(drawn: Plot) -> dict[str, Any]:
    """Lines, boxes, ticks and legend as plain values; y grows downwards."""
    plot = TOP + HEIGHT
    legend = _legend(drawn, plot + TICK_ROOM)
    said = plot + TICK_ROOM + -(-len(legend) // LEGEND_COLUMNS) * LEGEND_ROW + _words_room(drawn) + 1
    height = said + LEGEND_ROW  # the line for what one points at
    return {
        **frame(NAMES, AXIS, RIGHT, plot, height),
        "alternative": drawn.alternative, "title": drawn.title, "title_y": mm(TOP - 8), "top": mm(TOP),
        "subtitle": _short(drawn.subtitle, WIDEST), "subtitle_y": mm(TOP - 3.5),
        "x_name": drawn.x_name, "x_name_y": mm(plot + 9), "x_name_up": mm(height - plot - 9),
        "middle": mm(NAMES + AXIS / 2),
        "x_ticks": [{"x": mm(_x(at)), "text": text, "y": mm(plot + 4.5), "up": mm(height - plot - 4.5)}
                    for at, text in drawn.x_ticks],
        "y_ticks": [{"y": mm(_y(at)), "text_y": mm(_y(at) + 1.2), "text": text, "x": mm(NAMES - 1.5),
                     "up": mm(height - _y(at))} for at, text in drawn.y_ticks],
        "boxes": [_box(box) for box in drawn.boxes],
        "mark": {"y": mm(_y(drawn.mark[0])), "words": drawn.mark[1], "text_y": mm(_y(drawn.mark[0]) - 1),
                 "x": mm(NAMES + 1)} if drawn.mark else None,
        "lines": [_line(one, number, height) for number, one in enumerate(drawn.series)],
        "legend": [{**one, "up": mm(height - float(one["y"])),
                    "text_up": mm(height - float(one["text_y"]))} for one in legend],
        "claim": drawn.claim, "claim_y": mm(said - 2.5),
        "said_y": mm(height - 2.5),
    }  # fmt: skip


def _words_room(drawn: Plot) -> float:
    return LEGEND_ROW if drawn.claim else 0.0


def _x(share: float) -> float:
    return NAMES + share * AXIS


def _y(share: float) -> float:
    return TOP + (1 - share) * HEIGHT


def _box(box: Box) -> dict[str, str]:
    return {
        "x": mm(_x(box.left)), "y": mm(_y(box.high)), "width": mm((box.right - box.left) * AXIS),
        "height": mm((box.high - box.low) * HEIGHT), "words": box.words,
    }  # fmt: skip


def _line(series: Series, number: int, height: float) -> dict[str, Any]:
    return {
        "style": _style(number), "dot": f"d{number % COLOURS + 1}", "colour": _colour(number),
        "runs": [" ".join(f"{mm(_x(p.x))},{mm(_y(p.y))}" for p in run) for run in series.runs],
        "dots": [_dot(place, height) for run in series.runs for place in run],
    }  # fmt: skip


def _dot(place: Dot, height: float) -> dict[str, Any]:
    up = mm(height - _y(place.y))
    return {
        "x": mm(_x(place.x)),
        "y": mm(_y(place.y)),
        "up": up,
        "words": place.words,
        "fits": place.fits,
    }


def _colour(number: int) -> str:
    """The number of a colour, as LaTeX and Typst have them."""
    return str(number % COLOURS + 1)


def _style(number: int) -> str:
    """A colour, and dashes from the second round of colours on."""
    return f"s{number % COLOURS + 1}" + (" dashed" if number >= COLOURS else "")


def _legend(drawn: Plot, top: float) -> list[dict[str, str]]:
    """Lines by name, then what a hollow point and a box mean, where there are any."""
    entries = [("line", _style(n), one.name) for n, one in enumerate(drawn.series) if one.name]
    if any(not place.fits for one in drawn.series for run in one.runs for place in run):
        entries.append(("hollow", "", "does not fit"))
    if drawn.boxes:
        entries.append(("box", "", "claimed, see below"))
    found = []
    for place, (kind, style, name) in enumerate(entries):  # lines come first
        x = NAMES + place % LEGEND_COLUMNS * (AXIS + RIGHT) / LEGEND_COLUMNS
        y = top + place // LEGEND_COLUMNS * LEGEND_ROW
        found.append({
            "kind": kind, "style": style, "colour": _colour(place), "full": name,
            "x": mm(x), "y": mm(y), "end": mm(x + 6),
            "middle": mm(x + 3), "box_y": mm(y - 1.8), "text_x": mm(x + 7.5), "text_y": mm(y + 1.2),
            "name": _short(name, LONGEST),
        })  # fmt: skip
    return found


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
