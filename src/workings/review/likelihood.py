"""Where the results of a job lie: P10, P50 and P90, and the chance that a limit is kept.

What was measured, or published of this very run, is so. Else published runs on such devices tell, and
where these are too few the assumptions, no narrower than all published runs are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from workings.planning import odds
from workings.planning.accuracy import (
    SOURCES,
    Run,
    Spread,
    likely,
    peaks,
    spread,
    step_times,
    widened,
)
from workings.planning.bound import taken

if TYPE_CHECKING:
    from workings.review.desk import Desk

GRAINS = ((1, 99), (5, 19))  # hundredths that are told apart, from how many sources on
ASKED = (10, 50, 90)  # of 100, for an answer: what is less is not told as much
COARSEST = 10  # hundredths that fewer sources tell, as P10 and P90 do
RESULTS = ("M", "T_step")  # what a run of the job shows, and all other results rest on
NOWHERE = Spread(Fraction(1), Fraction(1), Fraction(1))


@dataclass(frozen=True)
class Likelihood:
    """The odds of the results of a job on the desk."""

    desk: Desk
    _ends: dict[str, Spread] = field(default_factory=dict, repr=False)

    def evidence(self, result: str) -> tuple[Run, ...]:
        """The published runs that tell the odds of a result; none where too few ran on such devices."""
        own = _rests_on(result)
        runs = self.desk.peaks if own == "M" else self.desk.runs
        return () if own in self.desk.known or spread(runs) is None else runs

    def likely(self, result: str) -> Spread:
        """P10, P50, P90, the better end first."""
        ends = self.ends(_rests_on(result))
        if self._read_in_two_ways(result):  # P10 by the one reading to P90 by the other
            shorter, longer = (self._known(result, end) for end in ends[::2])
            return Spread(shorter.least, (shorter.middle + longer.middle) / 2, longer.most)
        if len(set(ends)) == 1:  # known, and so exactly
            return self._known(result, ends.middle)
        if self._around(result):
            ends = odds.deciles(self._odds(result))
        return likely(self.desk.base[result], result, ends)

    def by_reading(self, result: str) -> list[Spread]:
        """The same by each reading of a known step, the shorter first."""
        return [self._known(result, end) for end in sorted(set(self.ends("T_step")[::2]))]

    def _known(self, result: str, end: Fraction) -> Spread:
        """The same where a peak or a step is known to be so many times what the model says."""
        return likely(self.desk.base[result], result,
                      Spread(*(end * around for around in self.beside(result))))  # fmt: skip

    def _read_in_two_ways(self, result: str) -> bool:
        return _rests_on(result) == "T_step" and self.desk.read_in_two_ways

    def expected(self, result: str) -> Fraction:
        """A result by what a run of the job showed, or else by the model."""
        rests_on = _rests_on(result)
        ratio = self.ends(rests_on).middle if rests_on in self.desk.known else Fraction(1)
        return likely(self.desk.base[result], result, Spread(ratio, ratio, ratio)).middle

    def chance(self, result: str, limit: Fraction) -> Fraction:
        """The chance that a result keeps its limit, in hundredths."""
        return odds.chance(self._odds(result), 1 / taken(result, self.desk.base[result], limit))

    def in_words(self, result: str, limit: Fraction) -> str:
        """The chance in hundredths, as finely as sources tell it apart."""
        return in_hundredths(self.chance(result, limit), self.number_of_sources(result))

    def number_of_sources(self, result: str) -> int:
        """How many tell the odds, each alike; where they are assumed, as few as tell any."""
        own = _rests_on(result)
        if own in self.desk.known and len(set(self.ends(own))) == 1:
            return GRAINS[0][1]
        return len({run.source for run in self.evidence(result)}) or SOURCES

    def asked(self, result: str, word: str) -> Fraction:
        """What has to keep a limit: P90 for GO; for GO IF P50, of memory P10.

        A few steps on one replica show a peak before anything is decided; how long a run takes does not
        show so soon.
        """
        found = self.likely(result)
        if word == "GO":
            return found.most
        return found.least if _rests_on(result) == "M" else found.middle

    def _around(self, result: str, settled: str = "") -> list[odds.Odds]:
        """The odds of goodput, tokens and price, but of what is settled."""
        figures = self.desk.figures
        if settled:
            figures = {**figures, settled: replace(figures[settled], low=None, high=None)}
        return odds.beside(result, figures)

    def beside(self, result: str, settled: str = "") -> Spread:
        """What goodput, tokens and price make of a result whose step is known; not what is `settled`."""
        around = self._around(result, settled)
        return odds.deciles(odds.together(around)) if around else Spread(*[Fraction(1)] * 3)

    @cached_property
    def middle(self) -> Mapping[str, Fraction]:
        """What is limited, as it most likely is: its P50."""
        return {letter: self.likely(letter).middle for letter in self.desk.bounds}

    def ends(self, result: str) -> Spread:
        """Memory or step time over what the model says of it: P10, P50, P90."""
        if result not in self._ends:
            self._ends[result] = self._over_the_model(result)
        return self._ends[result]

    def _over_the_model(self, result: str) -> Spread:
        desk = self.desk
        if result in desk.known:
            return Spread(*(end / desk.base[result] for end in desk.known[result]))
        if (found := spread(self.evidence(result))) is not None:
            return found
        low, high = (case[result] / desk.base[result] for case in (desk.low, desk.high))
        every = spread(peaks() if result == "M" else step_times()) or NOWHERE
        least = min(low, every.least) if result == "M" else max(desk.at_peak, min(low, every.least))
        return widened(least, max(high, every.most), ())

    def _odds(self, result: str) -> odds.Odds:
        """A result over what the model says of it, at even odds."""
        runs = self.evidence(result)
        return odds.together([odds.of_runs(runs) if runs else self._told(result), *self._around(result)])

    def _told(self, result: str) -> odds.Odds:
        """The odds where no runs tell them: of the readings of what is known, or as they are assumed."""
        ends = self.ends(_rests_on(result))
        return odds.either(*ends[::2]) if self._read_in_two_ways(result) else odds.assumed(ends)


def in_hundredths(chance: Fraction, sources: int) -> str:
    """A chance of 100, as finely as so many sources tell it apart."""
    grain = next((grain for grain, needed in GRAINS if sources >= needed), COARSEST)
    chance *= 100
    if chance < grain or chance > 100 - grain:
        return f"fewer than {grain}" if chance < grain else f"more than {100 - grain}"
    told = round(chance / grain) * grain
    if any(chance < asked <= told for asked in ASKED):  # not said to be what is asked for
        return f"{told - grain} to {told}"
    return f"{'about ' * (grain > 1)}{told}"


def _rests_on(result: str) -> str:
    """The result of a run that settles a result: its peak of memory, or its step time."""
    return "M" if result in ("M", "u_M") else "T_step"
