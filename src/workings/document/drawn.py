"""Figures of a document and the pieces they are made of: bars of parts, lanes of boxes, strips, lines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from workings.document import made_of
from workings.document.pieces import Line

if TYPE_CHECKING:
    from workings.planning.sweeping.plot import Plot


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a bar: its name, its length as a share of the axis, and the value it stands for.

    A piece without a name is room left free.
    """

    name: str
    share: float
    shown: str


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a figure: parts end to end, the total behind it."""

    name: str
    parts: tuple[Part, ...]
    total: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A line across all bars, at a share of the axis: a limit, or `firm`, what there is and no more."""

    share: float
    name: str
    firm: bool = False


@dataclass(frozen=True, slots=True)
class Box:
    """A task on a lane: start and length as shares of the axis, a style, words, and a short mark.

    `part` is 1 or 2 for the upper or lower half of two tasks that run at once, else 0.
    """

    start: float
    length: float
    style: str
    words: str
    mark: str
    part: int = 0


@dataclass(frozen=True, slots=True)
class Lane:
    """What one rank does over time."""

    name: str
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Strip:
    """The values of one group: their places as shares of the axis, their median's, and words beside."""

    name: str
    places: tuple[float, ...]
    middle: float
    shown: str


@dataclass(frozen=True, slots=True)
class Bars:
    """Horizontal bars on one axis, and the limits that are marked on it."""

    label: str
    number: int
    caption: Line
    alternative: str
    bars: tuple[Bar, ...]
    legend: tuple[str, ...]
    axis: tuple[tuple[float, str], ...]
    unit: str
    marks: tuple[Mark, ...] = ()
    source: made_of.Drawn | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Gantt:
    """Tasks of several ranks on one time axis; the legend names each style."""

    label: str
    number: int
    caption: Line
    alternative: str
    lanes: tuple[Lane, ...]
    legend: tuple[tuple[str, str], ...]
    axis: tuple[tuple[float, str], ...]
    unit: str


@dataclass(frozen=True, slots=True)
class Strips:
    """Values of several groups on one axis, a strip for each; `lines` are drawn across all, dashed."""

    label: str
    number: int
    caption: Line
    alternative: str
    strips: tuple[Strip, ...]
    lines: tuple[tuple[float, str], ...]
    axis: tuple[tuple[float, str], ...]
    unit: str


@dataclass(frozen=True, slots=True)
class Lines:
    """Points on two axes, in lines or alone; each says what it stands for."""

    label: str
    number: int
    caption: Line
    plot: Plot

    @property
    def alternative(self) -> str:
        """What it shows, in words."""
        return self.plot.alternative
