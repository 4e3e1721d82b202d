"""GO, GO IF or NO-GO: the odds of keeping the limits, and what else keeps a plan from GO."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from workings.planning.frameworks import against
from workings.planning.working import listed
from workings.review.answer import worst
from workings.review.constraints import Constraint, constraints
from workings.review.desk import Desk
from workings.review.likest import untried
from workings.review.limits import KEEP, LIKE_THIS, Condition, Judged, on_memory, on_run

UNTRIED = (
    "but no published run known here has this layout, which a search chose: what is measured decides"
)


@dataclass(frozen=True)
class Verdict:
    """The answer, why, and what it depends on."""

    word: str
    reason: str
    conditions: tuple[str, ...]
    constraints: tuple[Constraint, ...]
    about: tuple[str, ...] = ("memory",)
    checks: tuple[str, ...] = ()  # by which each condition is measured, "" where there is none

    @property
    def said(self) -> str:
        """The answer with what it is about: `GO on memory and days`."""
        return f"{self.word} on {listed(self.about)}"

    def __repr__(self) -> str:
        """What a notebook shows."""
        asked = f"; if {'; '.join(self.conditions)}" if self.word == "GO IF" else ""
        return f"{self.said}: {self.reason}{asked}"


def verdict(desk: Desk, errors: tuple[str, ...] = ()) -> Verdict:
    """By the odds of keeping every limit: GO from 90 of 100 on, GO IF from 50 (memory 10), else NO-GO.

    A broken rule, `errors`, that no run can break is NO-GO. What was measured or published of the job's
    own run takes the place of other runs.
    """
    judged = [on_memory(desk), *on_run(desk)]
    if errors and judged[0].word != "NO-GO":
        judged.insert(0, Judged("NO-GO", "a rule is broken that no run can break", "rules"))
    word = worst(one.word for one in judged)
    deciding = [one for one in judged if one.word == word]
    about = tuple(one.about for one in deciding)
    first, *others = (one.reason for one in deciding)
    reasons = [first, *map(_again, others)]
    asked = [*map(Condition, errors), *_strictest(one for one in judged if one.word != "GO")]
    if word != "NO-GO" and untried(desk):
        asked = [*_strictest(judged)]
        word, about = _short_of_go(word, about, "the layout")
        reasons.append(UNTRIED)
    if said := against(desk.job):
        word, about = _short_of_go(word, about, "the program")
        asked += [Condition(f"a few steps run as planned, though {words}") for words in said]
    if own := desk.job.cover.conditions:
        word, about = _short_of_go(word, about, "what its author asks for")
        asked += [Condition(one.rstrip(".")) for one in own]
    found = constraints(desk.job, desk.base, desk.outcome.middle)
    return Verdict(word, "; ".join(reasons), tuple(one.words for one in asked), tuple(found),
                   about, tuple(one.check for one in asked))  # fmt: skip


def _short_of_go(word: str, about: tuple[str, ...], more: str) -> tuple[str, tuple[str, ...]]:
    """The answer where more is asked for than the limits: nothing is GO until that is shown."""
    if word == "NO-GO":
        return word, about
    return "GO IF", (*(about if word == "GO IF" else ()), more)


def _again(reason: str) -> str:
    """A further reason, without the words that the first has said of chances."""
    for verb in KEEP.values():
        reason = reason.replace(f"{LIKE_THIS} would {verb}", "")
    return reason


def _strictest(judged: Iterable[Judged]) -> Iterator[Condition]:
    """What has to hold of each; of several on a step only the strictest, which includes the others."""
    asked = [one.condition for one in judged if one.condition is not None]
    least = min((one.step for one in asked if one.step is not None), default=None)
    return (one for one in asked if one.step in (None, least))
