"""Another layout that may be faster: by how much, how likely, and what it comes to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from workings.planning import odds
from workings.planning.accuracy import Run, alike, evidence, step_times
from workings.planning.choice import at, holds_surely, step_of_kind
from workings.planning.pairs import after_a_step, pair_error
from workings.planning.search import Option
from workings.planning.working import shown
from workings.review.alternatives import Alternatives
from workings.review.desk import Desk
from workings.review.likelihood import in_hundredths
from workings.review.naming import named
from workings.review.numbers import percent, spent
from workings.review.verdict import Verdict
from workings.units import BYTE, SECOND

Values = Mapping[str, Fraction]
SURE = Fraction(9, 10)  # the chance of being faster from which on the other layout is to be taken


@dataclass(frozen=True)
class Rival:
    """A layout that is faster at P50 by more than the model can tell.

    `ratio` is its step over that of the layout under review, `fits` whether its memory is GO by its odds,
    `doubt` what few published runs had of it.
    `pairs` are published runs of one model each: they tell how far apart two steps lie beside the model.
    """

    name: str
    ratio: Fraction
    fits: bool
    doubt: str
    pairs: tuple[Run, ...]

    @property
    def chance(self) -> Fraction:
        """The chance that it is the faster."""
        return odds.chance(odds.of_runs(self.pairs), 1 / self.ratio)

    @property
    def in_words(self) -> str:
        """That chance of 100, as finely as sources tell it apart."""
        return in_hundredths(self.chance, len({run.source for run in self.pairs}))


def rival(desk: Desk, found: Alternatives | None) -> Rival | None:
    """The layout that is proposed, where it is faster by more than the model can tell."""
    if found is None or found.option is None or found.proposed is None:
        return None
    ratio = likely(desk, found.proposed) / likely(desk, desk.base)
    if ratio * (1 + pair_error()) >= 1:
        return None
    fits = holds_surely(desk.job, found.option, desk.plan)
    pairs = after_a_step(desk.device, found.proposed, desk.job.framework)
    return Rival(named(found.proposed), ratio, fits, doubt(desk, found.proposed), pairs)


def doubt(desk: Desk, best: Mapping[str, Fraction]) -> str:
    """What only the faster layout has, and fewest published runs on such devices had."""
    runs = alike(step_times(), *desk.device)
    weak = [e for e in evidence(runs) if e.weak]
    new = [e for e in weak if e.feature.holds(best) and not e.feature.holds(desk.base)]
    if not runs or not new:
        return ""
    least = min(new, key=lambda e: e.rows)
    had = f"{least.rows or 'none'} of {len(runs)} published step times on such devices"
    return f" ({had} had {least.feature.name})"


def likely(desk: Desk, values: Values) -> Fraction:
    """A step as published runs of the layout's kind took it, or as this very run is known to."""
    if values is desk.base and "T_step" in desk.known:
        return desk.known["T_step"].middle
    return values["T_step"] * step_of_kind(desk.job, values).middle


def beside_rival(answer: Verdict, other: Rival | None) -> Verdict:
    """The answer: nothing is GO while another layout may be faster, until both are timed.

    NO-GO where that one is faster in nine of ten cases, GO on memory and like published runs throughout.
    """
    if other is None or answer.word == "NO-GO":
        return answer
    asked = f"timed beside it, a few steps of {other.name} take no less time than those of this layout"
    asked += "" if other.fits else ", or do not fit"
    about = answer.about if answer.word == "GO IF" else ()
    less = percent(1 - other.ratio, 2)
    reason = (f"another layout may take {less} less time a step (it is the faster in "
              f"{other.in_words} of 100 cases); {answer.reason}")  # fmt: skip
    if other.fits and not other.doubt and other.chance >= SURE:
        return replace(answer, word="NO-GO", reason=reason, about=("the layout",),
                       conditions=(asked,), checks=("",))  # fmt: skip
    return replace(answer, word="GO IF", reason=reason, about=(*about, "the layout"),
                   conditions=(*answer.conditions, asked), checks=(*answer.checks, ""))  # fmt: skip


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
