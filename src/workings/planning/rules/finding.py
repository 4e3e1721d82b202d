"""What a rule says of a job, and how many of the rules hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from workings.planning.rules.rule import Rule

# "not judged" where the job breaks a rule without which the numbers of this one mean nothing.
Outcome = Literal["holds", "broken", "not applicable", "not judged"]


AS_FAST = Fraction(1001, 1000)  # device time of a token, over the job's, up to which nothing is slower


@dataclass(frozen=True, slots=True)
class Remedy:
    """A change that mends a rule and breaks none of those that refuse a layout.

    `letter` moves to `value`, and `changed` holds every letter that moves with it. `time` is the
    device time of a token over that of the job, `memory` the share of the reported bytes that the
    fullest rank then holds, `breaks` the titles of rules that would warn and do not yet. Where several
    letters move as one setting, `words` and `said` are what it is in words and in a job file.
    """

    letter: str
    value: Fraction
    changed: Mapping[str, Fraction]
    time: Fraction
    memory: Fraction
    breaks: tuple[str, ...] = ()
    words: str = ""
    said: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule's outcome, the numbers that decided it, in one sentence and by letter."""

    rule: Rule
    outcome: Outcome
    message: str
    numbers: Mapping[str, Fraction]
    remedies: tuple[Remedy, ...] = ()

    @property
    def broken(self) -> bool:
        """Whether the job breaks the rule."""
        return self.outcome == "broken"

    def __repr__(self) -> str:
        return f"{self.rule.severity} {self.rule.id}, {self.outcome}: {self.rule.title}"


@dataclass(frozen=True, slots=True)
class Tally:
    """How many rules hold, of those that apply; errors, warnings and notes among the others."""

    holds: int
    applies: int
    errors: int
    warnings: int
    notes: int
    unjudged: int = 0

    def __str__(self) -> str:
        counts = ((self.errors, "error"), (self.warnings, "warning"), (self.notes, "note"))
        broken = [f"{n} {word}{'' if n == 1 else 's'}" for n, word in counts if n]
        broken += [f"{self.unjudged} not judged"] if self.unjudged else []
        return f"{self.holds} of {self.applies} rules hold" + (f": {', '.join(broken)}" if broken else "")


def tally(findings: Iterable[Finding]) -> Tally:
    """Count findings."""
    listed = tuple(findings)

    def outcome(name: Outcome) -> int:
        return sum(f.outcome == name for f in listed)

    def severity(name: str) -> int:
        return sum(f.broken and f.rule.severity == name for f in listed)

    kept, unjudged = outcome("holds"), outcome("not judged")
    return Tally(
        kept, kept + outcome("broken") + unjudged, severity("error"), severity("warning"),
        severity("note"), unjudged,
    )  # fmt: skip
