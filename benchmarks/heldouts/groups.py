"""Errors and ranges of groups of rows, each source counting alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import mean, median

from heldouts.scoring import Ranged, Score

FEW_SOURCES, FEW_ROWS = 4, 12
ALL = "all"


@dataclass(frozen=True)
class Group:
    """A group: rows and sources, the median size of rows' errors, and what sources have in the mean.

    `signed`: the median over sources of a source's median error. `inside`: the share of rows inside the
    stated range, and `width` its upper end over its lower, both the mean over sources of a source's mean.
    `likely` and `likely_width`: the same of the range of published runs, of `told` rows, which have one.
    """

    name: str
    rows: int
    sources: int
    off: float
    signed: float
    inside: float
    width: float
    told: int
    likely: float | None
    likely_width: float | None

    @property
    def validated(self) -> bool:
        """Whether there are rows and sources enough to say anything."""
        return self.sources >= FEW_SOURCES and self.rows >= FEW_ROWS


Pick = Callable[[Score], Ranged | None]


def groups(scores: Sequence[Score], named: Callable[[Score], str], pick: Pick) -> list[Group]:
    """A group for each name, in the order of the names; rows without the figure are left out."""
    some = [score for score in scores if pick(score)]
    names = sorted({named(score) for score in some})
    return [group(name, [score for score in some if named(score) == name], pick) for name in names]


def group(name: str, scores: Sequence[Score], pick: Pick) -> Group:
    """The figures of rows that all have one."""
    of = _by_source(scores, pick)
    rows = [row for some in of for row in some]
    told = [some for source in of if (some := [row for row in source if row.likely])]
    return Group(
        name, len(rows), len(of),
        median(abs(row.error) for row in rows),
        median(median(row.error for row in some) for some in of),
        _pooled([[float(row.inside) for row in some] for some in of]),
        _pooled([[row.width for row in some] for some in of]),
        sum(map(len, told)),
        _pooled([[_lies(row) for row in some] for some in told]) if told else None,
        _pooled([[_wide(row) for row in some] for some in told]) if told else None,
    )  # fmt: skip


def _by_source(scores: Iterable[Score], pick: Pick) -> list[list[Ranged]]:
    of = dict[str, list[Ranged]]()
    for score in scores:
        if found := pick(score):
            of.setdefault(score.source, []).append(found)
    return list(of.values())


def _pooled(sources: Sequence[Sequence[float]]) -> float:
    return mean(mean(some) for some in sources)


def _lies(row: Ranged) -> float:
    least, most = row.likely or (0.0, 0.0)
    return float(least <= row.published <= most)


def _wide(row: Ranged) -> float:
    least, most = row.likely or (1.0, 1.0)
    return most / least
