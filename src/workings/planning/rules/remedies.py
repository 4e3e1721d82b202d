"""What would mend a broken rule and break nothing else.

That is the nearest other value of one letter or, of a rule on memory, a change of one setting with which
a rank holds less.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice

from workings.formula import DoesNotEvaluateError
from workings.planning.letters import LETTERS
from workings.planning.lighter import Change, smallest
from workings.planning.rules.evaluating import Numbers, applies, followed, kept
from workings.planning.rules.finding import AS_FAST, Remedy
from workings.planning.rules.rule import GO_IF, Rule
from workings.vocabulary.concept import Domain

MOST = 3
TRIED = 64  # values of a letter in each direction
LARGEST_DIVISOR = 1024
COST = ("n", "T_step", "b", "s")
SHARES = ("t", "c", "p", "e", "t_e")  # degrees, which divide the devices


def remedies(
    rule: Rule,
    numbers: Numbers,
    refusing: Sequence[Rule],
    warning: Sequence[Rule] = (),
    lighter: Sequence[Change] = (),
) -> tuple[Remedy, ...]:
    """Of `lighter` what keeps the rule; for each letter that may move, the nearest values that do.

    `refusing` are the rules that the layout keeps and that refuse layouts; none may break. `warning`
    are those it keeps that warn: a change that breaks one says so. First come those that make no step
    slower, of these those that break nothing, then the quickest.
    """
    found = smallest(_lighter(rule, numbers, refusing, lighter))
    for letter in rule.change:
        start = numbers.given[letter]
        for values in _values(letter, numbers):
            wanted = (value for value in values if value != start)
            mending = _mending(rule, numbers, refusing, letter, wanted)
            more = islice((one for one in mending if _mends(rule, one, numbers, warning)), 1)
            found += [one for one in more if all(one.changed != other.changed for other in found)]
    found = [replace(one, breaks=_broken(one, numbers, warning)) for one in found]
    return tuple(sorted(found, key=lambda one: (one.time > AS_FAST, bool(one.breaks), one.time))[:MOST])


def _lighter(
    rule: Rule, numbers: Numbers, refusing: Sequence[Rule], lighter: Sequence[Change]
) -> Iterator[Remedy]:
    """The changes that keep a rule and break none that refuses a layout."""
    for change in lighter:
        there = numbers.changed(change.changed)
        if kept(rule, there) and all(kept(other, there) for other in refusing):
            letter, value = next(iter(change.changed.items()))
            found = _effect(letter, value, dict(change.changed), numbers, there)
            if found is not None:
                yield replace(found, words=change.words, said=change.said)


def _mends(rule: Rule, found: Remedy, numbers: Numbers, warning: Sequence[Rule]) -> bool:
    """Whether the condition holds there, or what the rule speaks of is no longer used.

    A degree that is too large for a rule to apply breaks the rule that says so: that mends nothing.
    """
    there = numbers.changed(found.changed)
    return found.value <= 1 or applies(rule, there) or not _broken(found, numbers, warning)


def _broken(found: Remedy, numbers: Numbers, warning: Sequence[Rule]) -> tuple[str, ...]:
    """The titles of the rules that a change breaks."""
    there = numbers.changed(found.changed)
    return tuple(rule.title for rule in warning if not kept(rule, there))


def _mending(
    rule: Rule, numbers: Numbers, refusing: Sequence[Rule], letter: str, values: Iterator[Fraction]
) -> Iterator[Remedy]:
    for value in islice(values, TRIED):
        changed = followed(numbers.given, {letter: value})
        there = numbers.changed({letter: value})
        if kept(rule, there) and all(kept(other, there) for other in refusing):
            remedy = _effect(letter, value, changed, numbers, there)
            if remedy is not None:
                yield remedy


def _effect(
    letter: str, value: Fraction, changed: dict[str, Fraction], here: Numbers, there: Numbers
) -> Remedy | None:
    """What the change does to time and memory; None where it takes more memory than there is."""
    try:
        before, after = here.of([*COST, "u_M", GO_IF]), there.of([*COST, "u_M"])
    except DoesNotEvaluateError:
        return None
    if after["u_M"] > max(before[GO_IF], before["u_M"]):
        return None
    return Remedy(letter, value, changed, _device_time(after) / _device_time(before), after["u_M"])


def _device_time(values: Mapping[str, Fraction]) -> Fraction:
    """Device seconds a token, so that steps of other batches compare."""
    return values["n"] * values["T_step"] / (values["b"] * values["s"])


def _values(letter: str, numbers: Numbers) -> tuple[Iterator[Fraction], Iterator[Fraction]]:
    """The values to try, nearest first: those below, those above."""
    start, domain = numbers.given[letter], LETTERS[letter].domain
    if domain is Domain.FLAG or not domain.integer:
        return iter((1 - start,) if start in (0, 1) else ()), iter(())
    if letter in SHARES:
        degrees = _divisors(numbers.given["n"])
        return (
            iter([x for x in reversed(degrees) if x < start]), iter([x for x in degrees if x > start]),
        )  # fmt: skip
    step = _step(letter, numbers)
    below = (start // step * step - i * step for i in range(TRIED))
    above = (start // step * step + i * step for i in range(1, TRIED + 1))
    if letter == "V":
        return iter(()), above  # a vocabulary is padded, not cut
    return (x for x in below if 0 < x < start), above


def _step(letter: str, numbers: Numbers) -> Fraction:
    """How far whole numbers move at once: the batch by whole micro-batches of all replicas, say."""
    g = numbers.given
    steps = {"V": g["t"], "n": g["t"] * g["c"] * g["p"], "s": 2 * g["c"] * g["t"]}
    if letter == "b":
        return max(Fraction(1), numbers.of(["d"])["d"] * g["b_m"])
    return max(Fraction(1), steps.get(letter, Fraction(1)))


def _divisors(devices: Fraction) -> list[Fraction]:
    most = min(int(devices), LARGEST_DIVISOR)
    return [Fraction(x) for x in range(1, most + 1) if devices % x == 0]
