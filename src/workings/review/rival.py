"""Another layout that may be faster: by how much, how likely, and what it comes to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from workings.planning.choice import (
    SURE,
    at,
    faster,
    holds_surely,
    likely_faster,
    likely_step,
    pairs_of,
    step_of_kind,
)
from workings.planning.search import Option
from workings.planning.working import shown
from workings.review.alternatives import Alternatives, doubt
from workings.review.desk import Desk
from workings.review.likelihood import in_hundredths
from workings.review.naming import named
from workings.review.numbers import percent, spent
from workings.review.verdict import Verdict
from workings.units import BYTE, SECOND

Values = Mapping[str, Fraction]
_NEXT = (
    "where that does not fit on all devices, those of the next alternative that is neither tight nor rare"
)
_FASTEST = "of all that are timed and fit, the fastest is trained in"


@dataclass(frozen=True)
class Rival:
    """A layout that is likely to be the faster.

    `ratio` is its step over that of the layout under review at P50, `chance` that of being the faster and
    `in_words` the same of 100; `fits` says whether its memory is GO by its odds, `doubt` what few
    published runs had of it.
    """

    name: str
    ratio: Fraction
    chance: Fraction
    in_words: str
    fits: bool
    doubt: str


def rival(desk: Desk, found: Alternatives | None) -> Rival | None:
    """The layout that is proposed, where it is likely to be the faster."""
    if found is None or found.option is None or found.proposed is None:
        return None
    job, option, own = desk.job, found.option, likely(desk, desk.base)
    if not likely_faster(job, option, own):
        return None
    chance = faster(job, option, own)
    sources = len({run.source for run in pairs_of(job, option)})
    fits = holds_surely(job, option, desk.plan)
    return Rival(named(found.proposed), likely_step(job, option) / own, chance,
                 in_hundredths(chance, sources), fits, doubt(desk, found.proposed))  # fmt: skip


def likely(desk: Desk, values: Values) -> Fraction:
    """A step as published runs of the layout's kind took it, or as this very run is known to."""
    if values is desk.base and "T_step" in desk.known:
        return desk.known["T_step"].middle
    return values["T_step"] * step_of_kind(desk.job, values).middle


def beside_rival(answer: Verdict, other: Rival | None) -> Verdict:
    """The answer: nothing is GO while another layout is likely to be faster, until both are timed.

    NO-GO where that one is faster in nine of ten cases, GO on memory and like published runs throughout.
    """
    if other is None or answer.word == "NO-GO":
        return answer
    asked = f"timed beside it, a few steps of {other.name} take no less time than those of this layout"
    about = answer.about if answer.word == "GO IF" else ()
    less = percent(1 - other.ratio, 2)
    faster = (f"another layout may take {less} less time a step (of 100 pairs of published runs that the "
              f"model has as far apart, {other.in_words} are in that order)")  # fmt: skip
    if other.fits and not other.doubt and other.chance >= SURE:
        return replace(answer, word="NO-GO", reason=f"{faster}; {answer.reason}", about=("the layout",),
                       conditions=(f"{asked}; {_NEXT}",), checks=("",))  # fmt: skip
    reason = f"{answer.reason}; {faster}"
    conditions = (*answer.conditions, f"{asked}, or do not fit; {_FASTEST}")
    return replace(answer, word="GO IF", reason=reason, about=(*about, "the layout"),
                   conditions=conditions, checks=(*answer.checks, ""))  # fmt: skip


def prospects(desk: Desk, option: Option) -> str:
    """What another layout comes to by its odds: its step, the run, whether it fits."""
    there = Desk(at(desk.job, option), desk.plan)
    step = there.likely("T_step")
    run = [spent(letter, there.likely(letter).middle) for letter in there.of_run]
    told = f", the run {' and '.join(run)} (P50)" if run else ""
    fit = there.outcome.in_words("u_M", there.job.limit_if)
    return (
        f"its step takes {shown(step.middle, SECOND)} (P50; P90 {shown(step.most, SECOND)}){told}, and "
        f"with {shown(there.base['M'], BYTE, 3)} by the model {fit} of 100 such would fit"
    )
