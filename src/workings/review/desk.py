"""What the sections of a review share: the job, its values in three cases, labels and numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Literal

from workings.document.blocks import Inline, Line, Math, Reference, Table, Text
from workings.formula import Name
from workings.planning.accuracy import Run, Spread
from workings.planning.calibrating.memory import ACCOUNTS
from workings.planning.elasticity import Elasticity, elasticities
from workings.planning.exact import exactly
from workings.planning.generations import generation
from workings.planning.job import NOTHING_CARRIED, Figure, Job
from workings.planning.measure import effects
from workings.planning.pairs import of_peaks, of_steps
from workings.planning.precision import precision
from workings.planning.published import settled_by_publication
from workings.planning.shares import letters_of, parsed
from workings.planning.statement import Plan
from workings.planning.utilization import COUNTED, HALF, recounted
from workings.review.likelihood import RESULTS, Likelihood
from workings.review.numbers import words

PRESETS = "presets/hardware/"
# Assumptions that a result of the job's own run settles, all together and not one by one.
SETTLED = {
    "M": (*ACCOUNTS, "w_t", "w_d"),
    "T_step": ("eta", "eta_a", "eta_m", "eta_1", "eta_2", "T_gap", "T_gap_x", "T_gap_z", "h_t", "h_e",
               "h_p", "h_d", "kappa", "lambda"),
}  # fmt: skip


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
        return {n: _end(figure, end) for n, figure in self.figures.items()}

    @cached_property
    def figures(self) -> Mapping[str, Figure]:
        """The inputs, those without their range that a measured result has settled."""
        settled = {n for result, letters in SETTLED.items() if result in self.measured for n in letters}
        return {n: replace(figure, low=None, high=None) if n in settled else figure
                for n, figure in self.job.figures.items()}  # fmt: skip

    @property
    def measured(self) -> Mapping[str, Fraction]:
        """The step time and the peak of memory, where a run of this very job showed them."""
        return self.job.measured.values

    @cached_property
    def published(self) -> Mapping[str, Spread]:
        """The step time and the peak of memory that a source tells of this very run."""
        return settled_by_publication(self.job, self.plan, self.base)

    @property
    def known(self) -> Mapping[str, Spread]:
        """What was measured of this very run, or else published of it: it outranks all other runs."""
        measured = {n: Spread(value, value, value) for n, value in self.measured.items()}
        return {**self.published, **measured}

    @property
    def read_in_two_ways(self) -> bool:
        """Whether a known step is a range, whose middle nobody has told."""
        return "T_step" in self.known and len(set(self.known["T_step"])) > 1

    @property
    def took_place(self) -> bool:
        """Whether this very run is known to have taken place on such devices, and so to fit them."""
        told = self.job.published
        return "T_step" in self.measured or bool(told.values or told.source)

    @cached_property
    def device(self) -> tuple[str, str]:
        """Generation and precision of the devices: what runs must share to be evidence."""
        return generation(self.job.device), precision(self.job)

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """Published step times on such devices, of runs of this kind where there are enough.

        None counts as further below the model than a step at the peak is.
        """
        return tuple(
            run if run.ratio >= self.at_peak else replace(run, ratio=self.at_peak)
            for run in of_steps(self._unknown("T_step"), self.base)
        )

    def _unknown(self, result: str) -> Job:
        """The job; where a result is known of this very run, as if it were not, for what others took."""
        return replace(self.job, carried=NOTHING_CARRIED) if result in self.known else self.job

    def carried(self, result: str) -> bool:
        """Whether another layout of the model showed a result, and so how far off the model is."""
        found = self.job.carried.bytes if result == "M" else self.job.carried.times
        return found is not None and result not in self.known

    @cached_property
    def at_peak(self) -> Fraction:
        """What the job's own FLOPs take at the devices' peak, over the step that the model says."""
        half = self.base[COUNTED] == HALF  # as nearly always, and worked out already
        return self.base["u"] if half else recounted(self.plan, self.job.values(), "u", HALF)

    @cached_property
    def peaks(self) -> tuple[Run, ...]:
        """Measured peaks at this precision, of the job's program where there are enough."""
        return of_peaks(self._unknown("M"), self.base["M"])

    @cached_property
    def outcome(self) -> Likelihood:
        """Where results lie, by what is known of this run, by published runs or by assumptions."""
        return Likelihood(self)

    def likely(self, result: str) -> Spread:
        """Where a result lies by its odds: P10, P50, P90, the better end first."""
        return self.outcome.likely(result)

    @property
    def of_run(self) -> tuple[str, ...]:
        """What the whole run comes to: days where it has an end, cost where there is a price."""
        v = self.base
        return tuple(n for n in ("T_run", "c_run") if v["T_tok"] and (n != "c_run" or v["c_d"]))

    def expected(self, result: str) -> Fraction:
        """A result of time by the step that was measured or published, or else by the model."""
        return self.outcome.expected(result)

    @cached_property
    def bounds(self) -> Mapping[str, Fraction]:
        """The limits by the letter that they are on: the share of the memory, and those that are set."""
        job = self.job
        found = {"u_M": job.limit_if, "T_run": job.max_time, "c_run": job.max_cost, "u": job.min_mfu}
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
        return effects(self.plan, self.figures, RESULTS)

    def label(self, kind: str, label: str) -> int:
        """The next number of its kind."""
        self.counts[kind] = self.counts.get(kind, 0) + 1
        self.numbers[label] = (kind, self.counts[kind])
        return self.counts[kind]

    def table(
        self, label: str, caption: str, align: str, head: Sequence[str], rows: Sequence[Sequence[Cell]],
        bold: tuple[int, ...] = (),
    ) -> Table:  # fmt: skip
        """A numbered table; texts become words. One of many rows may break where a page ends."""
        most = MOST_OF_WORDS if "w" in align else MOST_WHOLE
        return self._table(label, caption, align, head, rows, bold, len(rows) > most)

    def long_table(
        self, label: str, caption: str, align: str, head: Sequence[str], rows: Sequence[Sequence[Cell]],
    ) -> Iterator[Table]:  # fmt: skip
        """The same of rows of several lines, so that any may break; none where there are no rows."""
        if rows:
            yield self._table(label, caption, align, head, rows, (), long=True)

    def _table(
        self, label: str, caption: str, align: str, head: Sequence[str], rows: Sequence[Sequence[Cell]],
        bold: tuple[int, ...], long: bool,
    ) -> Table:  # fmt: skip
        lines = tuple(tuple(as_line(cell) for cell in row) for row in rows)
        heads = tuple((Text(text),) for text in head)
        return Table(label, self.label("table", label), words(caption), align, heads, lines, bold, long)


Cell = str | Inline | Line
MOST_WHOLE, MOST_OF_WORDS = 15, 4  # rows that stay on one page: of a line, and of several


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


def worked_by(desk: Desk, formula: str, letters: Sequence[str] = ()) -> Line:
    """A formula of the plan's letters, and the numbers of every equation that works one of them out.

    `letters` come first, whether or not they stand in it. A formula that is a letter is its equation.
    """
    known = {s.letter for s in desk.plan.statements if not s.switch}
    wanted = [n for n in dict.fromkeys((*letters, *letters_of(formula))) if n in known]
    pieces: list[Inline] = []
    if formula not in known:
        pieces += [Math(parsed(formula)), Text(": " if wanted else "")]
    for place, name in enumerate(wanted):
        pieces += [Text(", ")] * (place > 0) + [working_of(name)]
    return tuple(pieces)


def on_tpus(job: Job) -> bool:
    """Whether the devices are TPUs: as the preset of the hardware says, else as the cluster is called.

    A job is called after its cluster where it has no name of its own: `Llama 3 8B on 16 × TPU v5p`.
    """
    presets = [name for name in job.files if name.startswith(PRESETS)]
    if presets:
        return any(name.startswith(f"{PRESETS}tpu-") for name in presets)
    return re.search(r" on [\d,]+ (?:× )?TPU\b", job.name) is not None


def _end(figure: Figure, end: str) -> Fraction:
    found = figure.low if end == "low" else figure.high
    return figure.value if found is None else found
