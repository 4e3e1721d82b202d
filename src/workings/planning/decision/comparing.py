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
from workings.units import BYTE, ONE, SECOND


@dataclass(frozen=True, slots=True)
class Comparison:
    """Letters on which two layouts differ (the tree's value first), and their steps and bytes.

    `ratio` is the tree's step time over the search's.
    """

    differences: Mapping[str, tuple[Fraction, Fraction]]
    ratio: Fraction
    steps: tuple[Fraction, Fraction]
    memory: tuple[Fraction, Fraction]
    text: str


def compare(decision: Decision, best: Mapping[str, Fraction]) -> Comparison:
    """Hold the tree's layout against another, given by its letters, on the same job.

    Raises DoesNotEvaluateError where the other has no value.
    """
    other = {letter: best.get(letter, decision.layout[letter]) for letter in LAYOUT}
    there = exactly(plan(), {**decision.given, **other}, ["T_step", "M"])
    steps = (decision.values["T_step"], there["T_step"])
    memory = (decision.values["M"], there["M"])
    differences = {n: (v, other[n]) for n, v in decision.layout.items() if v != other[n]}
    ratio = steps[0] / steps[1]
    text = _text(decision, differences, ratio, steps, memory)
    return Comparison(differences, ratio, steps, memory, text)


def _text(
    decision: Decision,
    differences: Mapping[str, tuple[Fraction, Fraction]],
    ratio: Fraction,
    steps: tuple[Fraction, Fraction],
    memory: tuple[Fraction, Fraction],
) -> str:
    if not differences:
        return "The search ends at the layout of the tree."
    tree, search = (", ".join(f"{n} = {v[i]}" for n, v in differences.items()) for i in (0, 1))
    times = " and ".join(str(shown(step, SECOND)) for step in steps)
    held = " and ".join(str(shown(bytes_, BYTE)) for bytes_ in memory)
    said = [
        f"The tree takes {tree}; the search takes {search}.",
        f"A step lasts {times}: the tree's is {_times(ratio)}. The fullest rank holds {held}.",
    ]
    if not decision.fits:
        said.append(f"The tree's layout takes {percent(decision.values['u_M'])} of the memory: it ends "
                    "without one that can run.")  # fmt: skip
    return " ".join(said)


def _times(ratio: Fraction) -> str:
    if ratio == 1:
        return "as long"
    return f"{shown(ratio, ONE, 4)} times as long"
