"""What a finding says in one sentence: the condition, the numbers, and what would mend it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from workings.planning.cost import plan
from workings.planning.letters import LETTERS
from workings.planning.rules.finding import AS_FAST, Finding, Outcome, Remedy
from workings.planning.rules.rule import GO, GO_IF, Rule
from workings.planning.working import shown
from workings.units import ONE, Dimension
from workings.vocabulary.concept import Domain

SHARES = (GO, GO_IF, "u_M", "u", "x_idle", "x_frag")  # printed in per cent where no formula is
LIMITS = {GO: "share of the memory that a search fills", GO_IF: "share that a review allows"}
# Where a sentence needs other words than a table that has the formula beside it.
SAID = {
    **LIMITS, "x_idle": "the bubble's share of work and bubble, without sends, gradients and optimizer",
}  # fmt: skip

TIMES = Fraction(3, 2)  # from which a longer time is said as a multiple


def meaning(letter: str) -> str:
    """What a letter means."""
    if letter in SAID:
        return SAID[letter]
    known = plan().by_letter
    return known[letter].meaning if letter in known else LETTERS[letter].meaning


def number(letter: str, value: Fraction) -> str:
    """`n_node = 8`, `M = 37.28 GB`, with a letter's unit."""
    return f"{letter} = {shown(value, _dimension(letter))}"


def quantity(letter: str, value: Fraction) -> str:
    """A value with its unit; a share in per cent."""
    return percent(value) if letter in SHARES else str(shown(value, _dimension(letter)))


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
    """`t = 8 (takes 7 % less time and brings the fullest rank to 43.6 % of the device's memory)`."""
    moved = found.said or ", ".join(number(n, v) for n, v in told(found).items())
    return f"{moved} ({effect(found)})"


def told(found: Remedy) -> dict[str, Fraction]:
    """The letters of a change that need be said: the experts' degree follows that of the rest."""
    follows = found.letter == "t" and found.changed.get("t_e") == found.value
    return {n: v for n, v in found.changed.items() if not (follows and n == "t_e")}


def effect(found: Remedy) -> str:
    """What a change does to a token's device time and to memory, and which rules it breaks."""
    share = percent(found.memory)
    said = f"{pace(found.time)} and brings the fullest rank to {share} of the device's memory"
    broken = ", ".join(f"“{title}”" for title in found.breaks)
    return f"{said}; breaks {broken}" if broken else said


def pace(time: Fraction) -> str:
    """A time over another in words: `takes 7 % less time`, `is as fast`, `takes 2.1 times as long`."""
    if abs(time - 1) < AS_FAST - 1:
        return "is as fast"
    if time >= TIMES:
        return f"takes {shown(time, ONE, 2)} times as long"
    return f"takes {shown(abs(time - 1) * 100, ONE, 2)} % {'more' if time > 1 else 'less'} time a token"


def in_words(found: Finding) -> str:
    """A broken rule without letters: its title, and what would mend it without breaking another."""
    clean = [r for r in found.remedies if not r.breaks] or found.remedies[:1]
    options = " or ".join(_in_words(r) for r in clean)
    said = f"the rule “{found.rule.title}” is broken (see Rules)"
    return f"{said}; it would hold with {options}" if options else said


def _in_words(found: Remedy) -> str:
    moved = found.words or ", ".join(_without_letters(n, v) for n, v in told(found).items())
    return f"{moved} ({effect(found)})"


def _without_letters(letter: str, value: Fraction) -> str:
    """`pipeline stages 8`; of a switch what it stands for."""
    said = meaning(letter)
    if letter in LETTERS and LETTERS[letter].domain is Domain.FLAG:
        said = said.removeprefix("1 where ").removeprefix("1 with ")
        return f"“{said}”" if value else f"“{said}” no longer"
    return f"{said} {quantity(letter, value)}"


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
    known = plan().by_letter
    return known[letter].unit if letter in known else LETTERS[letter].dimension
