"""The walk through the tree in words, one line a question, and the text's claim beside our figures."""

from __future__ import annotations

from fractions import Fraction

from workings.planning.decision.bands import CLAIM
from workings.planning.decision.step import Decision, Step
from workings.planning.rules.wording import number, percent
from workings.planning.working import shown
from workings.units import BYTE, ONE


def told(decision: Decision) -> list[str]:
    """Each step in a sentence or two: question, number, answer, outcome, what was tried."""
    return [_told(step) for step in decision.steps]


def claimed(decision: Decision) -> str:
    """The range the text gives for so many devices, and what the model makes of the tree's layout."""
    ours = f"the model gives {percent(decision.efficiency)} and {percent(decision.values['u'])}"
    band = decision.band
    if band is None:
        return f"The text claims nothing for so few devices; {ours}."
    claims = (f"{int(low * 100)}–{int(high * 100)} %" for low, high in (band.efficiency, band.mfu))
    efficiency, mfu = claims
    return (
        f"From {band.devices:,} devices on an efficiency of {efficiency} and an MFU of {mfu} ({CLAIM}); "
        f"{ours}, efficiency taken as the share of a step that is neither bubble nor a transfer in the "
        "open."
    )


def _told(step: Step) -> str:
    bytes_ = step.formula.startswith(("M", "max(M"))
    dimension = BYTE if bytes_ else ONE
    limit = "" if step.limit is None else f", against {shown(step.limit, dimension)}"
    said = f"{step.question} {step.formula} = {shown(step.value, dimension)}{limit}: {step.answer}. "
    tried = ", ".join(f"{number(t.letter, t.choice)}: {_judged(t.value, bytes_)}" for t in step.tried)
    return said + f"So {step.outcome}" + (f" ({tried})." if tried else ".")


def _judged(value: Fraction, bytes_: bool) -> str:
    return str(shown(value, BYTE)) if bytes_ else f"m = {shown(value, ONE)}"
