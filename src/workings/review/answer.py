"""The answer in a word: the worst of what the odds say of every limit."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING

from workings.planning.bound import keeps

if TYPE_CHECKING:
    from workings.review.desk import Desk

WORDS = ("GO", "GO IF", "NO-GO")  # from the best to the worst
ABOUT = {"u_M": "memory", "T_run": "days", "c_run": "cost", "u": "MFU"}  # what the limits are on


def answer(desk: Desk, letters: Iterable[str] = ()) -> str:
    """The answer on all limits, or on some of them; broken rules apart."""
    return worst(word_on(desk, n) for n in letters or ("u_M", *limited(desk)))


def worst(words: Iterable[str]) -> str:
    """The worst of several answers."""
    return max(words, key=WORDS.index)


def limited(desk: Desk) -> dict[str, Fraction]:
    """The limits on days, cost and MFU that a person set."""
    return {r: most for r, most in desk.bounds.items() if r != "u_M" and desk.base[r]}


def word_on(desk: Desk, letter: str) -> str:
    """What the odds say, but that a run fits which took place."""
    took_place = letter == "u_M" and desk.took_place and "M" not in desk.known
    return "GO" if took_place else by_odds(desk, letter)


def by_odds(desk: Desk, letter: str) -> str:
    """The best answer for which what it asks for keeps a limit."""
    limit = desk.bounds[letter]
    return next((w for w in WORDS[:2] if keeps(letter, desk.outcome.asked(letter, w), limit)), "NO-GO")
