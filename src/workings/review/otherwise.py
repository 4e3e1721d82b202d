"""What peak and step would be if the job did not give an assumption of its own."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import log
from typing import NamedTuple

from workings.planning.exact import exactly
from workings.planning.inputs.assumptions import assumption_figures
from workings.planning.inputs.efficiencies import usual_figures
from workings.planning.job import Figure, Job
from workings.planning.letters import ASSUMED
from workings.planning.working import shown
from workings.review.desk import Desk
from workings.review.likelihood import RESULTS
from workings.review.numbers import percent

MUCH = Fraction(1, 20)  # of a peak or a step, from which on it is said


class Otherwise(NamedTuple):
    """The value that an assumption would have, and by which part results would then be more."""

    value: Fraction
    more: Mapping[str, Fraction]

    @property
    def effect(self) -> float:
        """The logarithm of the result that moves most."""
        return max(abs(log(1 + more)) for more in self.more.values())


def otherwise(desk: Desk, figure: Figure) -> Otherwise | None:
    """What is usual in place of what the job gives without a range: of a switch, its other value.

    Nothing where that moves neither peak nor step much.
    """
    if not (figure.letter in ASSUMED and figure.kind == "given" and figure.sure and figure.place.key):
        return None
    value = usual(desk.job, figure.letter)
    there = exactly(desk.plan, {**desk.job.values(), figure.letter: value}, RESULTS)
    more = {n: there[n] / desk.base[n] - 1 for n in RESULTS if desk.base[n]}
    return Otherwise(value, more) if any(abs(one) >= MUCH for one in more.values()) else None


def usual(job: Job, letter: str) -> Fraction:
    """What a job like this one takes of an assumption where it gives none."""
    plain = assumption_figures({}, {}, job.framework, job.device)
    return {**plain, **usual_figures(job.device, job.figures, plain)}[letter].value


def told(figure: Figure, found: Otherwise) -> str:
    """`were it 0, the step would be 18.0 % longer`."""
    words = {"M": ("the peak", "larger", "smaller"), "T_step": ("the step", "longer", "shorter")}
    parts = [
        f"{words[n][0]} would be {percent(abs(more))} {words[n][1 if more > 0 else 2]}"
        for n, more in found.more.items()
        if abs(more) >= MUCH
    ]
    return f"were it {shown(found.value, figure.dimension)}, {' and '.join(parts)}"
