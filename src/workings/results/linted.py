"""What `lint` returns: what every rule of layouts says of a job."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workings.planning.job import Job
from workings.planning.rules.as_data import as_dict
from workings.planning.rules.finding import Finding, Tally, tally
from workings.planning.rules.linting import lint
from workings.planning.rules.places import NOWHERE, places
from workings.planning.rules.report import written
from workings.values.tabled import tabled


@dataclass(frozen=True, repr=False)
class LintResult:
    """The rules asked of a job, those that hold too.

    `findings` has one for each rule; `searched` says in sentences which layout was judged where none was
    given; `file` is what the job was read from, `lines` the line on which a broken rule was decided.
    """

    job: Job
    findings: tuple[Finding, ...]
    file: str
    lines: Mapping[str, int]
    searched: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether no rule is broken that stops a run: the command exits 0."""
        return not self.errors

    @property
    def broken(self) -> tuple[Finding, ...]:
        """The rules that do not hold."""
        return tuple(finding for finding in self.findings if finding.broken)

    @property
    def errors(self) -> tuple[Finding, ...]:
        """Broken rules that stop the run or make its numbers meaningless."""
        return self._of("error")

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """Broken rules that cost time or memory."""
        return self._of("warning")

    @property
    def notes(self) -> tuple[Finding, ...]:
        """Practices that are not followed, perhaps for a reason."""
        return self._of("note")

    @property
    def counts(self) -> Tally:
        """How many rules hold, of those that apply, and what the others are."""
        return tally(self.findings)

    def to_dict(self) -> dict[str, Any]:
        """What `workings lint --format json` prints."""
        return as_dict(self.findings, self.file, self.lines)

    def _of(self, severity: str) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.broken if finding.rule.severity == severity)

    def __str__(self) -> str:
        return written("text", self.findings, self.file, self.lines)

    def __repr__(self) -> str:
        return "\n".join([f"{self.job.name}: {self.counts}", *map(repr, self._worst_first())])

    def _repr_html_(self) -> str:
        rows = [(f.rule.severity, f.rule.id, f.message) for f in self._worst_first()]
        title = f"{self.job.name}: {self.counts}"
        return tabled(("severity", "rule", "what it says"), "", rows, title)

    def _worst_first(self) -> Iterator[Finding]:
        yield from (*self.errors, *self.warnings, *self.notes)


def linted(given: Job, file: str | Path | None) -> LintResult:
    """Judge a job; where it has no layout, the best that a search finds. Raises JobError."""
    from workings.planning.idle import with_idle  # noqa: PLC0415 - works every given value out again
    from workings.planning.stored import stored_plan  # noqa: PLC0415 - the same

    job, searched = _laid_out(given)
    job = with_idle(job, stored_plan())
    findings = lint(job)
    return LintResult(job, findings, str(file) if file else "command line",
                      _lines(job, findings, file), searched)  # fmt: skip


def _laid_out(job: Job) -> tuple[Job, tuple[str, ...]]:
    """The job, with the best layout where it chooses none, and words on what was searched."""
    if job.chosen:
        return job, ()
    from workings.planning.best import kept, with_best_layout  # noqa: PLC0415 - not where one is given
    from workings.planning.naming import named_at  # noqa: PLC0415 - the same
    from workings.planning.stored import stored_plan  # noqa: PLC0415 - the same
    from workings.planning.unsearched import unsearched  # noqa: PLC0415 - the same

    best = with_best_layout(job, stored_plan())
    layout = named_at(best.values(), {})
    held = " and ".join(f"{name} {value}" for name, [value] in kept(job).items())
    which = f"with {held}, as given, " if held else ""
    taken = f"no layout is given; of those searched the fastest that fits {which}is judged"
    return best, (f"{taken}: {layout}", *unsearched(job.figures))


def _lines(job: Job, findings: tuple[Finding, ...], file: str | Path | None) -> Mapping[str, int]:
    """Where in the file each broken rule was decided; nowhere for a preset or options."""
    path = Path(file) if file else None
    if path is None or not path.is_file():
        return NOWHERE
    return places(job, findings, path.name, path.read_text(encoding="utf-8"))
