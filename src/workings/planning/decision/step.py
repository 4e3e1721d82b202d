"""A question of the tree, the number that answered it, and what follows; and the whole of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from workings.planning.decision.bands import Band

Answer = Literal["yes", "no"]


@dataclass(frozen=True, slots=True)
class Tried:
    """A value tried for a letter, and the number by which it was judged."""

    letter: str
    choice: Fraction
    value: Fraction
    enough: bool


@dataclass(frozen=True, slots=True)
class DecisionStep:
    """`formula`, in the letters of the plan, gave `value`, which was held against `limit`.

    `measure` says in words what the formula gives, `wanted` what was asked of it. `kind` tells the
    tree's own questions from the practices listed beside it. `reading` says what we took where the text
    leaves it open; `tried` holds the choices in the order they were tried.
    """

    number: int
    kind: Literal["tree", "practice"]
    question: str
    measure: str
    formula: str
    value: Fraction
    limit: Fraction | None
    answer: Answer
    outcome: str
    chosen: Mapping[str, Fraction]
    wanted: str = ""
    reading: str = ""
    tried: tuple[Tried, ...] = ()


def answer(truth: bool) -> Answer:
    """A truth in a word."""
    return "yes" if truth else "no"


@dataclass(frozen=True, slots=True)
class Decision:
    """Where the tree ends: its steps, the layout, every value there, and whether it fits.

    `efficiency` is the share of a step that is neither bubble nor a transfer in the open.
    """

    steps: tuple[DecisionStep, ...]
    layout: Mapping[str, Fraction]
    given: Mapping[str, Fraction]
    values: Mapping[str, Fraction]
    fits: bool
    efficiency: Fraction
    band: Band | None
