"""The walk through the tree in words, one row a question, and the text's claim beside our figures."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from workings.planning.decision.bands import CLAIM
from workings.planning.decision.step import Decision, DecisionStep, Tried
from workings.planning.rules.wording import percent
from workings.planning.utilization import COUNTED, in_words
from workings.planning.working import shown
from workings.units import ONE, Format, parse_unit, show

GB = parse_unit("GB")  # for all bytes, so that tries and limit compare


class Row(NamedTuple):
    """A question, the number that answered it and what was asked of it, the answer, what follows."""

    question: str
    number: str
    answer: str
    outcome: str


def told(decision: Decision) -> list[Row]:
    """Each step in words, with what was tried."""
    return [_told(step) for step in decision.steps]


def claimed(decision: Decision) -> str:
    """The range the text gives for so many devices, and what the model makes of the tree's layout."""
    counted = f" ({in_words(decision.values[COUNTED])})" if decision.values["z_h"] else ""
    ours = f"the model gives {percent(decision.efficiency)} and {percent(decision.values['u'])}{counted}"
    band = decision.band
    if band is None:
        return f"These notes claim nothing for so few devices; for the tree's layout {ours}."
    claims = (f"{int(low * 100)}–{int(high * 100)} %" for low, high in (band.efficiency, band.mfu))
    efficiency, mfu = claims
    return (
        f"From {band.devices:,} devices on an efficiency of {efficiency} and an MFU of {mfu} ({CLAIM}). "
        f"For the tree's layout {ours}, efficiency taken as the share of a step that is neither bubble "
        "nor a transfer in the open."
    )


def _told(step: DecisionStep) -> Row:
    value = _value(step, step.value)
    wanted = f"limit {_value(step, step.limit)}" if _is_bytes(step) and step.limit else step.wanted
    number = f"{step.measure}: {value}" + (f"; {wanted}" if wanted else "")
    tried = "; ".join(f"at {int(t.choice):,}: {_judged(step, t)}" for t in step.tried)
    return Row(step.question, number, step.answer, step.outcome + (f" ({tried})" if tried else ""))


def _judged(step: DecisionStep, tried: Tried) -> str:
    return _value(step, tried.value) if _is_bytes(step) else f"{shown(tried.value, ONE)} micro-batches"


def _value(step: DecisionStep, value: Fraction) -> str:
    return str(show(value, GB, Format()) if _is_bytes(step) else shown(value, ONE))


def _is_bytes(step: DecisionStep) -> bool:
    return step.formula.startswith(("M", "max(M"))
