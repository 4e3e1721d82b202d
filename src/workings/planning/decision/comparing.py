"""The tree's layout beside the best that a search found, and by how much they differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from workings.planning.cost import plan
from workings.planning.decision.step import Decision
from workings.planning.exact import exactly
from workings.planning.letters import LAYOUT
from workings.planning.rules.wording import percent
from workings.planning.working import shown
from workings.units import ONE


@dataclass(frozen=True, slots=True)
class Comparison:
    """Letters on which two layouts differ (the tree's value first), and all their values.

    `ratio` is the tree's step time over the search's, `text` says it.
    """

    differences: Mapping[str, tuple[Fraction, Fraction]]
    ratio: Fraction
    tree: Mapping[str, Fraction]
    search: Mapping[str, Fraction]
    text: str


def beside_best(decision: Decision, best: Mapping[str, Fraction]) -> Comparison:
    """Hold the tree's layout against another, given by its letters, on the same job.

    Raises DoesNotEvaluateError where the other has no value.
    """
    other = {letter: best.get(letter, decision.layout[letter]) for letter in LAYOUT}
    there = exactly(plan(), {**decision.given, **other})
    differences = {n: (v, other[n]) for n, v in decision.layout.items() if v != other[n]}
    ratio = decision.values["T_step"] / there["T_step"]
    return Comparison(differences, ratio, decision.values, there, _text(decision, differences, ratio))


def _text(
    decision: Decision, differences: Mapping[str, tuple[Fraction, Fraction]], ratio: Fraction
) -> str:
    if not differences:
        return "The search ends at the layout of the tree."
    said = "The search ends at another layout than the tree: "
    said += (
        "both steps last as long."
        if ratio == 1
        else (f"the tree's step is {shown(ratio, ONE, 4)} times as long.")
    )
    if not decision.fits:
        said += (f" The tree's layout takes {percent(decision.values['u_M'])} of the device's memory: it "
                 "ends without one that can run.")  # fmt: skip
    return said
