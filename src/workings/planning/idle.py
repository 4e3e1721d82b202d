"""What a job is given and what moves nothing in its layout, so that nobody believes that it counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from workings.formula import DoesNotEvaluateError
from workings.planning.exact import exactly
from workings.planning.job import Figure, Job, Noted
from workings.planning.letters import ASSUMED, HARDWARE, TRAINING
from workings.planning.statement import Plan
from workings.vocabulary.concept import Domain

RESULTS = ("M", "T_step", "T_run", "c_run", "u")
_COUNTED = {"n", "n_r", "n_node", "n_pod", "o_d"}  # they come with a layout, or with their network
_NEAR = Fraction(1, 100)  # by which part a value is moved
# What a name promises, where that is less than any result: bytes of memory. All others promise any.
_PROMISED: Mapping[str, tuple[str, ...]] = dict.fromkeys(("w_p", "w_g", "w_o", "w_c", "a", "w_l"), ("M",))
_WHY: Mapping[str, str] = {
    "w_c": ": weights to compute with are held till the next step at gather_width, the larger of the two",
}


def with_idle(job: Job, plan: Plan) -> Job:
    """The job with a note on every given value that moves nothing: of its launch beside the answer."""
    return replace(job, noted=(*job.noted, *_idle(job, plan)))


def _idle(job: Job, plan: Plan) -> Iterator[Noted]:
    values = job.values()
    base = _results(plan, values)
    for letter, figure in job.figures.items():
        if letter in _COUNTED or not _given(figure) or not base:
            continue
        promised = _PROMISED.get(letter, RESULTS)
        found = (_results(plan, {**values, letter: other}) for other in _others(figure))
        if any(not other or any(other[n] != base[n] for n in promised) for other in found):
            continue
        moves = "moves neither memory nor time" if promised == RESULTS else "does not move the memory"
        text = f"{moves} of this layout{_WHY.get(letter, '')}"
        yield Noted("taken" if letter in TRAINING else "read", *figure.place, text)


def _given(figure: Figure) -> bool:
    """Whether somebody wrote this value, and it is more than none of it."""
    ours = figure.letter in TRAINING or figure.letter in HARDWARE or figure.letter in ASSUMED
    wrote = figure.kind in ("given", "measured") and bool(figure.place.key)
    return ours and wrote and (figure.value > 0 or figure.concept.domain is Domain.FLAG)


def _others(figure: Figure) -> tuple[Fraction, ...]:
    """Values beside this one: the other of a switch, or a little less and a little more."""
    if figure.concept.domain is Domain.FLAG:
        return (1 - figure.value,)
    return figure.value * (1 - _NEAR), figure.value * (1 + _NEAR)


def _results(plan: Plan, values: Mapping[str, Fraction]) -> Mapping[str, Fraction]:
    """What an answer rests on; nothing where it cannot be worked out."""
    try:
        found = exactly(plan, values, RESULTS)
    except DoesNotEvaluateError:
        return {}
    return {name: found[name] for name in RESULTS}
