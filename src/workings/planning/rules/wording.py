"""What a finding says in one sentence: the condition, the numbers, and what would mend it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from workings.planning.cost import plan
from workings.planning.letters import LETTERS
from workings.planning.rules.finding import Outcome, Remedy
from workings.planning.rules.rule import GO, GO_IF, Rule
from workings.planning.working import shown
from workings.units import ONE, Dimension

LIMITS = {GO: "share of the memory up to which it is GO", GO_IF: "share up to which it is GO IF"}


def meaning(letter: str) -> str:
    """What a letter means."""
    if letter in LIMITS:
        return LIMITS[letter]
    known = plan().by_letter()
    return known[letter].meaning if letter in known else LETTERS[letter].meaning


def number(letter: str, value: Fraction) -> str:
    """`n_node = 8`, `M = 37.28 GB`, with a letter's unit."""
    return f"{letter} = {shown(value, _dimension(letter))}"


def sentence(
    rule: Rule,
    outcome: Outcome,
    numbers: Mapping[str, Fraction],
    mended: Iterable[Remedy] = (),
    why: str = "",
) -> str:
    """What is said of a rule; `why` it is not judged where it is not."""
    if outcome == "not judged":
        return f"{rule.condition}: not judged, {why}"
    if outcome == "not applicable":
        said = " and ".join(rule.when)
        return f"{rule.condition}: applies where {said}; here {_listed(numbers, meanings=False)}"
    there = ", ".join(f"{n} = {v}" for n, v in rule.at.items())
    place = f"with {there}" if there else "here"
    head = f"{rule.condition} {'holds' if outcome == 'holds' else 'does not hold'}"
    if outcome == "holds":
        return f"{head}: {place} {_listed(numbers, meanings=False)}"
    body = f"{head}: {place} {_listed(numbers, meanings=True)}"
    options = " or ".join(remedy(r) for r in mended)
    return f"{body}; it would hold with {options}" if options else body


def remedy(found: Remedy) -> str:
    """`t = 8 (time × 0.93, 43.6 % of the memory)`; the time is that of a device and token."""
    moved = ", ".join(number(n, v) for n, v in found.changed.items())
    time = shown(found.time, ONE, 3)
    return f"{moved} (time × {time}, {percent(found.memory)} of the memory)"


def percent(share: Fraction) -> str:
    """A share as per cent; from ten on as a multiple."""
    if share >= 10:
        return f"{shown(share, ONE, 3)} times"
    return f"{shown(share * 100, ONE, 3)} %"


def _listed(numbers: Mapping[str, Fraction], *, meanings: bool) -> str:
    said = [f"{number(n, v)} ({meaning(n)})" if meanings else number(n, v) for n, v in numbers.items()]
    return ", ".join(said[:-1]) + " and " + said[-1] if len(said) > 1 else "".join(said)


def _dimension(letter: str) -> Dimension:
    if letter in LIMITS:
        return ONE
    known = plan().by_letter()
    return known[letter].unit if letter in known else LETTERS[letter].dimension
