"""What the product says of a row, beside what was published of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from heldouts.jobs import job
from heldouts.published import Peak, Step, counted, peak, step
from heldouts.rows import RefusedError, Row, eight_bits, program, source
from workings.errors import UserError
from workings.formula import DoesNotEvaluateError
from workings.planning.cost import plan
from workings.planning.job import Job
from workings.planning.rules import lint
from workings.review.desk import Desk
from workings.review.verdict import verdict

SIZES = ((3e9, "below 3B"), (20e9, "3B to 20B"), (100e9, "20B to 100B"), (math.inf, "100B and more"))


@dataclass(frozen=True)
class Ranged:
    """A figure of ours with the ends that a review gives it, and the published one.

    `likely`: where a review has eight of ten published runs; nothing where it knows of too few.
    """

    ours: float
    low: float
    high: float
    published: float
    likely: tuple[float, float] | None = None

    @property
    def error(self) -> float:
        """Ours over the published, less one."""
        return self.ours / self.published - 1

    @property
    def far(self) -> float:
        """How far off, alike to both sides."""
        return abs(math.log(self.ours / self.published))

    @property
    def inside(self) -> bool:
        """Whether the published figure lies in the range."""
        return self.low <= self.published <= self.high

    @property
    def width(self) -> float:
        """The upper end over the lower."""
        return self.high / self.low


@dataclass(frozen=True)
class Score:
    """A row scored. `word`: GO, GO IF or NO-GO on memory; `broken`: rules that forbid it."""

    name: str
    source: str
    device: str
    program: str
    size: str
    by: str
    step: Ranged
    memory: Ranged | None
    what: str
    word: str
    share: float
    broken: tuple[str, ...]


@dataclass(frozen=True)
class Scored:
    """Rows scored, and the kinds of those of which nothing can be said, with their rows' names."""

    scores: Sequence[Score]
    refused: Mapping[str, Sequence[str]]


def scored(rows: Sequence[Row]) -> Scored:
    """Every row scored, or refused."""
    found, refused = list[Score](), dict[str, list[str]]()
    for row in rows:
        try:
            found.append(score(row))
        except RefusedError as error:
            refused.setdefault(str(error), []).append(row["name"])
    return Scored(found, refused)


def score(row: Row) -> Score:
    """A row as a review sees it, without its search for other layouts. Raises RefusedError."""
    read, time, size = job(row), step(row), peak(row)
    try:
        desk = Desk(read, plan())
        word, share = verdict(desk).word, float(desk.base["u_M"])
        return Score(
            row["name"], source(row), _device(desk, row), program(row), _size(desk.base), time.by,
            _ranged(desk, "T_step", time), _sized(desk, size) if size else None,
            size.what if size else "", word, share, _broken(read),
        )  # fmt: skip
    except (UserError, DoesNotEvaluateError) as error:
        raise RefusedError(f"plan: {error}") from error


def _ranged(desk: Desk, letter: str, published: Step | Peak) -> Ranged:
    ours, low, high = (float(case[letter]) for case in (desk.base, desk.low, desk.high))
    found = desk.likely(letter)
    likely = (float(found.least), float(found.most)) if found else None
    return Ranged(ours, low, high, published[0], likely)


def _sized(desk: Desk, size: Peak) -> Ranged:
    """The peak, of what its source counts."""
    ours, low, high = (float(counted(size, case)) for case in (desk.base, desk.low, desk.high))
    return replace(_ranged(desk, "M", size), ours=ours, low=low, high=high)


def _device(desk: Desk, row: Row) -> str:
    return f"{desk.device[0]}, {'8-bit' if eight_bits(row) else '16-bit'}"


def _size(v: Mapping[str, Fraction]) -> str:
    """Dense or of experts, and how many parameters in all."""
    total = v["L"] * (v["P_bd"] + v["P_be"]) + v["V"] * v["n_emb"] * v["D"]
    return f"{'MoE' if v['E'] else 'dense'}, {next(name for most, name in SIZES if total < most)}"


def _broken(read: Job) -> tuple[str, ...]:
    """Rules that forbid the layout whatever its memory."""
    return tuple(
        f.rule.id for f in lint(read) if f.broken and f.rule.severity == "error" and f.rule.id != "fits"
    )
