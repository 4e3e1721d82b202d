"""What `review` returns: a job's design review, as figures and as the pages that one signs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from workings.planning.job import Job
from workings.planning.ledger import MOMENTS, ledger
from workings.planning.rules.finding import Finding
from workings.planning.timeline import Timeline, timeline
from workings.planning.waterfall import waterfall
from workings.planning.working import shown
from workings.results.layout import Layout, layout_at
from workings.review.as_json import as_dict
from workings.review.build import Review, review
from workings.review.numbers import DAY
from workings.review.recommended import recommended
from workings.review.verdict import Verdict
from workings.units import BYTE, CURRENCY, SECOND, Dimension
from workings.values.tabled import tabled


@dataclass(frozen=True, repr=False)
class Range:
    """A result as the job has it, and where each assumption is at the end that costs least, or most.

    In base units: bytes, seconds, shares of 1 or currency.
    """

    base: float
    low: float
    high: float
    dimension: Dimension

    def __float__(self) -> float:
        return self.base

    def __repr__(self) -> str:
        ends = (shown(Fraction(value), self.dimension) for value in (self.base, self.low, self.high))
        return "{} ({} to {})".format(*ends)


@dataclass(frozen=True, repr=False)
class Memory:
    """What the fullest rank holds.

    `peak`: bytes. `capacity`: bytes that the device reports. `share`: of it, at the peak. `stage`: the
    pipeline stage of that rank. `moment`: of the step at which the peak is. `accounts`: bytes by name.
    `totals`: bytes by moment.
    """

    peak: Range
    capacity: float
    stage: str
    moment: str
    accounts: Mapping[str, float]
    totals: Mapping[str, float]

    @property
    def share(self) -> float:
        """The part of the device's memory that the peak takes."""
        return self.peak.base / self.capacity

    def __repr__(self) -> str:
        whole = shown(Fraction(self.capacity), BYTE)
        return f"{self.peak!r}, {self.share * 100:.1f} % of {whole}, at the {self.moment}"


@dataclass(frozen=True, repr=False)
class Step:
    """How long a step takes.

    `time`: seconds. `mfu`: a share of 1. `parts`: seconds by name; they add up to `time.base`.
    """

    time: Range
    mfu: float
    parts: Mapping[str, float]

    def __repr__(self) -> str:
        return f"{self.time!r}, MFU {self.mfu * 100:.1f} %"


@dataclass(frozen=True, repr=False)
class ReviewResult:
    """A job reviewed: the verdict, what it rests on, and the documents."""

    review: Review

    @property
    def name(self) -> str:
        """What the job is called."""
        return self.job.name

    @property
    def job(self) -> Job:
        """The job with the layout under review."""
        return self.review.desk.job

    @property
    def verdict(self) -> Verdict:
        """GO, GO IF or NO-GO as `word`, with its `reason` and its `conditions`."""
        return self.review.answer

    @property
    def recommended(self) -> str:
        """A sentence or two: this layout, another, or both measured beside each other."""
        return recommended(self.review.desk, self.review.answer, self.review.found)

    @cached_property
    def layout(self) -> Layout:
        """The layout under review."""
        return layout_at(self.job, {}, self.review.desk.base)

    @cached_property
    def memory(self) -> Memory:
        """What the fullest rank holds, account by account, in bytes."""
        found = ledger(self.review.desk.base)
        return Memory(
            self._range("M", BYTE), float(self.review.desk.base["M_dev"]), found.stage,
            MOMENTS[found.peak], {a.name: float(a.bytes) for a in found.accounts},
            dict(zip(MOMENTS, map(float, found.totals), strict=True)),
        )  # fmt: skip

    @cached_property
    def step(self) -> Step:
        """How long a step takes, and where its time goes, in seconds."""
        base = self.review.desk.base
        parts = {span.name: float(span.seconds) for span in waterfall(base)}
        return Step(self._range("T_step", SECOND), float(base["u"]), parts)

    @property
    def run_time(self) -> Range | None:
        """The whole run in seconds; None where nothing says how many tokens it has."""
        return self._range("T_run", SECOND) if "T_run" in self.review.desk.of_run else None

    @property
    def cost(self) -> Range | None:
        """The whole run in the currency of the price; None where nothing says what a device costs."""
        return self._range("c_run", CURRENCY) if "c_run" in self.review.desk.of_run else None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What every rule of layouts says, also those that hold."""
        return self.review.findings

    @property
    def broken(self) -> tuple[Finding, ...]:
        """The rules that do not hold."""
        return tuple(finding for finding in self.findings if finding.broken)

    @cached_property
    def alternatives(self) -> tuple[Layout, ...]:
        """The layouts that a search finds best, the best of each mesh."""
        best = self.review.found.result.best if self.review.found else ()
        return tuple(layout_at(self.job, o.layout, o.values, tied=o.tied) for o in best)

    @property
    def values(self) -> Mapping[str, float]:
        """Every letter of the cost model in base units, inputs too: `values["T_step"]`."""
        return {name: float(value) for name, value in self.review.desk.base.items()}

    def files(
        self, formats: str | Sequence[str] = "md,tex", *, pdf_engine: str | None = None,
        fonts: Sequence[str | Path] = (),
    ) -> dict[str, Any]:  # fmt: skip
        """The documents, figures and review.json: contents by the names of the files; a PDF as bytes."""
        from workings.render.press import press_of  # noqa: PLC0415 - loads Jinja
        from workings.render.reports import parse_formats  # noqa: PLC0415 - the same
        from workings.review.writing import files  # noqa: PLC0415 - the same

        kinds = parse_formats(formats if isinstance(formats, str) else ",".join(formats))
        return files(self.review, kinds, press_of(pdf_engine, tuple(map(Path, fonts)), kinds))

    def write(self, folder: str | Path, formats: str | Sequence[str] = "md,tex") -> list[Path]:
        """Write the files into a folder, each whole; their paths. Raises UserError."""
        from workings.render.reports import write_all  # noqa: PLC0415 - loads Jinja

        return write_all(self.files(formats), Path(folder))

    def timeline(self) -> Timeline:
        """The step by the clock, for `--trace`. Raises UserError."""
        return timeline(self.review.desk.plan, self.job.values())

    def to_dict(self) -> dict[str, Any]:
        """What `workings review --format json` prints, and review.json holds."""
        return as_dict(self.review)

    def _range(self, name: str, dimension: Dimension) -> Range:
        desk = self.review.desk
        base, low, high = (float(case[name]) for case in (desk.base, desk.low, desk.high))
        return Range(base, low, high, dimension)

    def _rows(self) -> list[tuple[str, str]]:
        """What one reads of a review first."""
        rows = [("why", self.verdict.reason), *(("if", words) for words in self.verdict.conditions),
                ("layout", self.layout.words), ("memory", repr(self.memory)),
                ("step", repr(self.step))]  # fmt: skip
        if self.run_time is not None:
            rows.append(("run", f"{self.run_time.base / float(DAY):.4g} days"))
        return rows

    def __repr__(self) -> str:
        lines = [f"{name:7} {words}" for name, words in self._rows()]
        return "\n".join([f"Review of {self.name}: {self.verdict.said}", *lines])

    def _repr_html_(self) -> str:
        return tabled(("", ""), "", self._rows(), f"Review of {self.name}: {self.verdict.said}")


def reviewed(job: Job) -> ReviewResult:
    """Review a job. Raises JobError or DoesNotEvaluateError in one sentence."""
    return ReviewResult(review(job))
