"""The layout that is proposed beside the one under review: what it gains, and where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from workings.document.blocks import Block, Prose
from workings.planning.accuracy import alike, evidence, step_times
from workings.planning.choice import at
from workings.planning.rules import Finding, lint
from workings.planning.rules.finding import Outcome
from workings.planning.waterfall import waterfall
from workings.planning.working import unit_for
from workings.review.alternatives import Alternatives
from workings.review.desk import Cell, Desk
from workings.review.naming import named
from workings.review.numbers import percent, words
from workings.review.outlook import on
from workings.review.rival import rival
from workings.units import SECOND, Format, Unit, show

Values = Mapping[str, Fraction]


def proposed(desk: Desk, found: Alternatives | None, findings: tuple[Finding, ...]) -> Iterator[Block]:
    """Both steps part by part, by rules, and by what was checked; nothing of a tie."""
    if found is None or found.option is None or found.proposed is None:
        return
    best = found.proposed
    if rival(desk, found) is None:
        return
    yield Prose(words(f"Why the layout that is proposed is faster: {named(best)}. {_chosen(found)}"))
    yield _parts(desk, best)
    if unlike := tuple(_rules(findings, lint(at(desk.job, found.option)))):
        yield Prose(words(" ".join(unlike)))
    yield _evidence(desk, best)


def _chosen(found: Alternatives) -> str:
    """By what it is that layout and no other."""
    if found.first:
        return (
            "Of those marked = whose memory is GO (of all marked =, if none is) it adds the fewest kinds "
            "of parallelism, sharding and recomputation to what the layout under review has."
        )
    return (
        "It is the one of the smallest P50 that is surely faster: in nine of ten cases, GO on memory, "
        "with nothing that few published runs had; if none is, the one that is likely to be faster."
    )


def _parts(desk: Desk, best: Values) -> Block:
    """Every part of both steps, and the difference."""
    ours, theirs = _seconds(desk.base), _seconds(best)
    unit = unit_for(desk.base["T_step"], SECOND)
    rows: list[tuple[Cell, ...]] = [
        (name, *_row(ours.get(name, Fraction(0)), theirs.get(name, Fraction(0)), unit))
        for name in dict.fromkeys((*ours, *theirs))
    ]
    rows.append(("step", *_row(desk.base["T_step"], best["T_step"], unit)))
    head = ("part", "under review", "proposed", "difference")
    return desk.table("proposed", f"Where the proposed layout gains, in {unit.text}", "lrrr", head, rows,
                      bold=(len(rows) - 1,))  # fmt: skip


def _seconds(v: Values) -> dict[str, Fraction]:
    return {span.name: span.seconds for span in waterfall(v)}


def _row(ours: Fraction, theirs: Fraction, unit: Unit) -> tuple[str, str, str]:
    """Two times and their difference, all with three decimals of one unit."""
    shown_ = [_fixed(abs(x), unit) for x in (ours, theirs, theirs - ours)]
    some = shown_[2].strip("0.") != ""  # of what rounds to nothing no sign is said
    sign = "" if not some else "+" if theirs > ours else "−"
    return shown_[0], shown_[1], f"{sign}{shown_[2]}"


def _fixed(seconds: Fraction, unit: Unit) -> str:
    return show(seconds, unit, Format(decimals=3)).number if seconds else "0"


def _rules(ours: tuple[Finding, ...], theirs: tuple[Finding, ...]) -> Iterator[str]:
    """The warnings that one of the two has and the other, to which the rule applies too, has not."""
    for verb, which, broken, kept in (
        ("breaks", "this layout keeps", theirs, ours), ("keeps", "this layout breaks", ours, theirs),
    ):  # fmt: skip
        names = sorted(_titles(broken, "broken") & _titles(kept, "holds"))
        if names:
            listed = "; ".join(f"“{name}”" for name in names)
            yield f"It {verb} {_counted(len(names))} that {which}: {listed}."


def _counted(number: int) -> str:
    return "a rule" if number == 1 else f"{number} rules"


def _titles(findings: tuple[Finding, ...], outcome: Outcome) -> set[str]:
    return {f.rule.title for f in findings if f.outcome == outcome and f.rule.severity != "note"}


def _evidence(desk: Desk, best: Values) -> Block:
    """How many published runs had what either layout has, and how far off the model was there."""
    rows: list[tuple[Cell, ...]] = []
    for one in evidence(alike(step_times(), *desk.device)):
        here, there = one.feature.holds(desk.base), one.feature.holds(best)
        if here or there:
            median = percent(one.size, 2) if one.rows else "–"
            signed = f"{'+' if one.alike > 0 else '−'}{percent(abs(one.alike), 2)}" if one.rows else "–"
            rows.append((one.feature.name, "yes" if here else "no", "yes" if there else "no",
                         f"{one.rows}", median, signed))  # fmt: skip
    caption = (
        f"What the model was checked on: published step times on {on(desk)} of runs with each of these, "
        "its median error there, and to which side, each source counting alike (−: predicted too short)"
    )
    head = ("runs with", "under review", "proposed", "published", "error", "signed")
    return desk.table("evidence", caption, "lllrrr", head, rows)
