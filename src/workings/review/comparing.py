"""What changed between two reviews, the most important first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from workings.planning.letters import ASSUMED, LAYOUT
from workings.planning.working import shown
from workings.review.moved import alone
from workings.review.recorded import InputRecord, OptionRecord, Recorded, RuleRecord, ValueRecord
from workings.units import BYTE, CURRENCY, FLOP, ONE, SECOND

T = TypeVar("T")
# Kinds of change in the order of their importance: what the review comes to, what made it so, the rest.
KINDS = ("verdict", "result", "assumption", "input", "layout", "rule broken", "rule mended", "memory",
         "step", "alternatives", "origin", "document")  # fmt: skip
_TOGETHER = {"input": "assumption"}  # listed among each other
# What a review comes to, by letter.
RESULTS = ("M", "u_M", "T_step", "T_run", "c_run", "u", "R_s")
_PRINTED: Mapping[str, Callable[[float], str]] = {
    "u_M": lambda v: f"{v * 100:.1f} %", "u": lambda v: f"{v * 100:.1f} %",
    "R_s": lambda v: f"{v:,.0f}", "T_run": lambda v: f"{v / 86400:.4g} days",
}  # fmt: skip
_SEVERITIES = ("error", "warning", "note")
_CHOSEN = {*LAYOUT, "n_r"}
_DIMENSIONS = {
    str(d): d
    for d in (ONE, BYTE, SECOND, FLOP, CURRENCY, BYTE / SECOND, FLOP / SECOND, CURRENCY / SECOND)
}


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that is not as it was; `share` is by how much of the old value it grew, where it can be.

    `old` is empty for what is new, `new` for what is gone. `alone` says by how much an input moves
    results by itself, all others as they were; None where that is not known.
    """

    kind: str
    what: str
    old: str
    new: str
    share: float | None = None
    rank: int = 0  # within its kind, the lower the more important
    alone: Mapping[str, float] | None = None


def changes_between(old: Recorded, new: Recorded) -> tuple[Change, ...]:
    """Every change, in the order of kinds; inputs by how far they move the result, others by size."""
    found = [
        *_verdict(old, new), *_rules(old.rules, new.rules), *_results(old.values, new.values),
        *_inputs(old, new), *_accounts(old, new), *_alternatives(old, new),
        *_document(old, new),
    ]  # fmt: skip
    return tuple(sorted(found, key=_order))


def _order(change: Change) -> tuple[int, int, float, str]:
    size = 0.0 if change.share is None else -abs(change.share)
    if change.alone is not None:
        size = -max(map(abs, change.alone.values()), default=0.0)
    place = KINDS.index(_TOGETHER.get(change.kind, change.kind))
    return place, change.rank, size, change.what


def _verdict(old: Recorded, new: Recorded) -> Iterator[Change]:
    a, b = old.verdict, new.verdict
    if a.word != b.word:
        yield Change("verdict", "verdict", f"{a.word}: {a.reason}", f"{b.word}: {b.reason}")
    if a.conditions != b.conditions:
        yield Change("verdict", "conditions", "; ".join(a.conditions), "; ".join(b.conditions), rank=1)


def _rules(old: Sequence[RuleRecord], new: Sequence[RuleRecord]) -> Iterator[Change]:
    """Rules that are broken now and were not, and the other way round."""
    for there, a, b in _pairs(old, new, lambda rule: rule.id):
        was, now = a is not None and a.outcome == "broken", b is not None and b.outcome == "broken"
        if was == now:
            continue
        rule = a if a is not None and was else there
        rank = _SEVERITIES.index(rule.severity) if rule.severity in _SEVERITIES else len(_SEVERITIES)
        gone = was and b is not None and b.outcome != "holds"
        what = f"{rule.severity} {rule.id}{', no longer judged' if gone else ''}"
        before = a.message if a is not None and was else ""
        yield Change("rule broken" if now else "rule mended", what, before,
                     b.message if b is not None else "", rank=rank)  # fmt: skip


def _results(old: Sequence[ValueRecord], new: Sequence[ValueRecord]) -> Iterator[Change]:
    """Memory, time and cost in three cases."""
    for there, a, b in _pairs(old, new, lambda value: value.letter):
        letter = there.letter
        before, after = (None if v is None else (v.low, v.base, v.high) for v in (a, b))
        if letter not in RESULTS or before == after:
            continue
        share = _share(a.base, b.base) if a is not None and b is not None else None
        words = [_cases(letter, there.unit, case) for case in (before, after)]
        yield Change("result", there.meaning, words[0], words[1], share, RESULTS.index(letter))


def _cases(letter: str, unit: str, case: tuple[float, float, float] | None) -> str:
    """The base case, and what it is at best and at worst: `6.107 s (4.847 s to 15.35 s)`."""
    if case is None:
        return ""
    low, base, high = (_PRINTED[letter](v) if letter in _PRINTED else quantity(v, unit) for v in case)
    return base if low == base == high else f"{base} ({low} to {high})"


def _inputs(old: Recorded, new: Recorded) -> Iterator[Change]:
    """Values of letters; where only their origin or range moved, that."""
    moved = alone(old, new)
    for there, a, b in _pairs(old.inputs, new.inputs, lambda one: one.letter):
        letter = there.letter
        kind = "layout" if letter in _CHOSEN else "assumption" if letter in ASSUMED else "input"
        what = f"{there.name}: {there.meaning}"
        before, after = ("" if one is None else quantity(one.value, one.unit) for one in (a, b))
        if a is None or b is None or (a.value, a.unit) != (b.value, b.unit):
            share = _share(a.value, b.value) if a is not None and b is not None else None
            yield Change(kind, what, before, after, share, alone=moved.get(letter))
        elif (a.low, a.high) != (b.low, b.high):
            yield Change(kind, f"{what}, its range", _range(a), _range(b), rank=1)
        elif (a.kind, a.source) != (b.kind, b.source):
            yield Change("origin", what, f"{a.kind}, {a.source}", f"{b.kind}, {b.source}")


def _range(one: InputRecord) -> str:
    if one.low is None or one.high is None:
        return quantity(one.value, one.unit)
    return f"{quantity(one.low, one.unit)} to {quantity(one.high, one.unit)}"


def _accounts(old: Recorded, new: Recorded) -> Iterator[Change]:
    """Rows of the memory and parts of the step."""
    stages = (old.memory.stage, new.memory.stage)
    if stages[0] != stages[1]:
        yield Change("memory", "fullest stage", stages[0], stages[1])
    rows = [{a.name: a.bytes for a in r.memory.accounts} for r in (old, new)]
    parts = [{p.part: p.seconds for p in r.step} for r in (old, new)]
    yield from _amounts("memory", rows[0], rows[1], "byte")
    yield from _amounts("step", parts[0], parts[1], "s")


def _amounts(
    kind: str, old: Mapping[str, float], new: Mapping[str, float], unit: str
) -> Iterator[Change]:
    """Amounts that differ, the largest difference first."""
    moved = {n: new.get(n, 0.0) - old.get(n, 0.0) for n in dict.fromkeys((*old, *new))}
    ordered = sorted((n for n, by in moved.items() if by), key=lambda n: (-abs(moved[n]), n))
    for rank, name in enumerate(ordered, 1):
        a, b = old.get(name, 0.0), new.get(name, 0.0)
        yield Change(kind, name, quantity(a, unit), quantity(b, unit), _share(a, b), rank)


def _alternatives(old: Recorded, new: Recorded) -> Iterator[Change]:
    """The best layout of the search, and how many of those listed are others."""
    a, b = old.alternatives, new.alternatives
    first = [_layout(found[0]) if found else "" for found in (a, b)]
    if first[0] != first[1]:
        yield Change("alternatives", "best layout of the search", first[0], first[1])
    times = [found[0].values.get("T_step") if found else None for found in (a, b)]
    if times[0] != times[1] and None not in times:
        before, after = (value or 0.0 for value in times)
        yield Change("alternatives", "its step time", quantity(before, "s"), quantity(after, "s"),
                     _share(before, after), 1)  # fmt: skip
    known = {_layout(one) for one in a}
    others = sum(_layout(one) not in known for one in b)
    if others or len(a) != len(b):
        yield Change(
            "alternatives", "layouts listed", f"{len(a)}", f"{len(b)}, {others} of them new", rank=2
        )


def _layout(option: OptionRecord) -> str:
    return " ".join(f"{name}={value}" for name, value in option.layout.items())


def _document(old: Recorded, new: Recorded) -> Iterator[Change]:
    """Name, cover and the hashes of the files that were read."""
    if old.name != new.name:
        yield Change("document", "name", old.name, new.name)
    for rank, (what, a, b) in enumerate(
        (("", old.cover, new.cover), ("SHA-256 of ", old.hashes, new.hashes)), 1
    ):
        for name in dict.fromkeys((*a, *b)):
            before, after = a.get(name, ""), b.get(name, "")
            if before != after:
                yield Change("document", f"{what}{name}", before[:64], after[:64], rank=rank)


def _pairs(
    old: Sequence[T], new: Sequence[T], key: Callable[[T], str]
) -> Iterator[tuple[T, T | None, T | None]]:
    """What has the same name in both, each of them once.

    The first of three is the new one, or the old one where that is gone.
    """
    before, after = {key(one): one for one in old}, {key(one): one for one in new}
    for name, there in {**before, **after}.items():
        yield there, before.get(name), after.get(name)


def _share(old: float, new: float) -> float | None:
    return new / old - 1 if old else None


def quantity(value: float, unit: str) -> str:
    """A value as a review prints it; a unit that is none of ours as it stands."""
    number = Fraction(repr(value))
    dimension = _DIMENSIONS.get(unit)
    return f"{value:.6g} {unit}" if dimension is None else str(shown(number, dimension))
