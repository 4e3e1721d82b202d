"""The pieces that figures are made of: bars of parts, lines across, lanes of boxes, strips."""

from __future__ import annotations

from dataclasses import dataclass


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
