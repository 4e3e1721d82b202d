"""What the sections of a review share: the job, its values in three cases, labels and numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Literal

from workings.document.blocks import Inline, Line, Math, Reference, Table, Text
from workings.formula import Name
from workings.planning.elasticity import Elasticity, elasticities
from workings.planning.exact import exactly
from workings.planning.job import Figure, Job
from workings.planning.measure import effects
from workings.planning.statement import Plan
from workings.review.numbers import words

RESULTS = ("M", "T_step")


@dataclass
class Desk:
    """A job on the desk: `base`, `low` and `high` hold every value of the three cases."""

    job: Job
    plan: Plan
    numbers: dict[str, tuple[str, int]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    @cached_property
    def base(self) -> Mapping[str, Fraction]:
        """Every value as the job has it."""
        return exactly(self.plan, self.job.values())

    @cached_property
    def low(self) -> Mapping[str, Fraction]:
        """Every value where each assumption lies at the end that costs least."""
        return exactly(self.plan, self.ends("low"))

    @cached_property
    def high(self) -> Mapping[str, Fraction]:
        """Every value where each assumption lies at the end that costs most."""
        return exactly(self.plan, self.ends("high"))

    def ends(self, end: Literal["low", "high"]) -> dict[str, Fraction]:
        """Every input, each assumption at one end of its range."""
        return {n: _end(figure, end) for n, figure in self.job.figures.items()}

    @cached_property
    def bounds(self) -> Mapping[str, Fraction]:
        """The limits by the letter that they are on: the share of the memory, and those that are set."""
        job = self.job
        found = {"u_M": job.limit, "T_run": job.max_time, "c_run": job.max_cost}
        return {letter: limit for letter, limit in found.items() if limit is not None}

    @cached_property
    def slopes(self) -> Mapping[str, Sequence[Elasticity]]:
        """The elasticities of what is limited, and of step time, by every input that is no switch."""
        letters = [n for n, c in self.plan.letters.items() if c.domain.name != "FLAG"]
        wanted = (*self.bounds, "T_step")
        return {r: elasticities(self.plan, self.base, r, letters) for r in wanted}

    @cached_property
    def effects(self) -> Mapping[str, Mapping[str, float]]:
        """How far the range of each figure moves memory and step time, as logarithms."""
        return effects(self.plan, self.job.figures, RESULTS)

    def label(self, kind: str, label: str) -> int:
        """The next number of its kind."""
        self.counts[kind] = self.counts.get(kind, 0) + 1
        self.numbers[label] = (kind, self.counts[kind])
        return self.counts[kind]

    def table(
        self, label: str, caption: str, align: str, head: Sequence[str], rows: Sequence[Sequence[Cell]],
        bold: tuple[int, ...] = (),
    ) -> Table:  # fmt: skip
        """A numbered table; texts become words."""
        lines = tuple(tuple(as_line(cell) for cell in row) for row in rows)
        heads = tuple((Text(text),) for text in head)
        return Table(label, self.label("table", label), words(caption), align, heads, lines, bold)

    def tables(
        self, label: str, caption: str, align: str, head: Sequence[str], rows: Sequence[Sequence[Cell]],
    ) -> Iterator[Table]:  # fmt: skip
        """The same in as many parts as pages hold, for rows whose words take several lines."""
        part: list[Sequence[Cell]] = []
        height, count = Fraction(0), 0
        for row, lines in zip([*rows, ()], [*_heights(rows, align), Fraction(TALLEST)], strict=True):
            if part and height + lines > TALLEST:
                count += 1
                name, more = (label, "") if count == 1 else (f"{label}-{count}", ", continued")
                yield self.table(name, caption + more, align, head, part)
                part, height = [], Fraction(0)
            part.append(row)
            height += lines


Cell = str | Inline | Line
TALLEST = 40  # lines of a table on a page
WIDTH = 88  # characters of a line of a table
LOOSE = Fraction(5, 4)  # how much longer words run in narrow columns, for want of places to break


def _heights(rows: Sequence[Sequence[Cell]], align: str) -> list[Fraction]:
    """About how many lines each row takes on paper."""
    sizes = [[sum(len(_letters(piece)) for piece in as_line(cell)) for cell in row] for row in rows]
    fixed = [max(s[i] for s in sizes) + 2 for i, a in enumerate(align) if a != "w"] if sizes else []
    wide = [i for i, a in enumerate(align) if a == "w"]
    room = max(10, (WIDTH - sum(fixed)) // max(1, len(wide)))
    return [max([Fraction(1), *(LOOSE * s[i] / room for i in wide)]) + Fraction(1, 3) for s in sizes]


def _letters(piece: Inline) -> str:
    """The letters of a piece, or as many as it is wide."""
    for name in ("text", "number"):
        if isinstance(found := getattr(piece, name, None), str):
            return found + getattr(piece, "unit", "")
    inside: Line = getattr(piece, "inside", ())
    return "".join(map(_letters, inside)) or "mmmm"


def as_line(cell: Cell) -> Line:
    """A cell as a line; texts become words."""
    if isinstance(cell, str):
        return words(cell)
    return cell if isinstance(cell, tuple) else (cell,)


def letter(name: str) -> Math:
    """A letter as mathematics."""
    return Math(Name(name))


def working_of(name: str) -> Reference:
    """The number of the equation that works a letter out."""
    return Reference(f"work-{name}")


def _end(figure: Figure, end: str) -> Fraction:
    found = figure.low if end == "low" else figure.high
    return figure.value if found is None else found
