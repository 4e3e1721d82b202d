"""The rules of layouts: what is broken, why it matters, what would mend it; and the decision tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from workings.document.blocks import Block, Code, Inline, Line, Link, Math, Prose, Strong, Text
from workings.formula import parse_formula
from workings.planning.decision import TEXT, Comparison, Decision, claimed, told
from workings.planning.rules.condition import Division, parsed
from workings.planning.rules.finding import Finding, Remedy, tally
from workings.planning.rules.wording import effect, meaning, quantity
from workings.planning.rules.wording import told as told_of
from workings.planning.utilization import mfu_named
from workings.review.desk import Cell, Desk, letter
from workings.review.front_page import heading
from workings.review.naming import settings
from workings.review.numbers import alike, percent, words
from workings.units import BYTE, SECOND

ORDER = {"error": 0, "warning": 1, "note": 2}


def rules(desk: Desk, findings: Sequence[Finding]) -> Iterator[Block]:
    """Those that are broken."""
    yield heading("Rules")
    yield Prose((Text(f"{tally(findings)}."),))
    broken = sorted((f for f in findings if f.broken), key=lambda f: (ORDER[f.rule.severity], f.rule.id))
    if broken:
        rows: list[tuple[Cell, ...]] = [(f.rule.severity, _broken(f)) for f in broken]
        yield from desk.long_table("broken", "Rules that are broken", "lw", ("severity", "rule"), rows)


def rules_kept(findings: Sequence[Finding]) -> Iterator[Block]:
    """Those that hold, by name."""
    if kept := [f.rule.title for f in findings if f.outcome == "holds"]:
        yield heading("Rules that hold")
        yield Prose(words(f"{'; '.join(kept)}."))


def _broken(found: Finding) -> Line:
    """The rule in words and as a condition, the numbers, what would mend it, the reason, the source."""
    rule, source = found.rule, found.rule.source
    there = ", ".join(f"{n} = {v}" for n, v in rule.at.items())
    said: list[Inline] = [
        Strong((Text(f"{rule.title}."),)), Text(" Asked for is "), *condition(rule.condition),
        Text(f", with {there}; there " if there else "; here "), *_listed(found.numbers), Text("."),
    ]  # fmt: skip
    if found.remedies:
        said.append(Text(" It would hold with "))
        for place, remedy in enumerate(found.remedies):
            said += [Text("; or with ")] if place else []
            said += _changed(remedy)
        said.append(Text("."))
    reason = f" {rule.reason[0].upper()}{rule.reason[1:]} ("
    named = f"{source.authors} {source.year or ''}".strip()
    return (*said, *words(reason), Link((Text(named),), source.url), Text(")."))


def condition(text: str) -> Line:
    """A rule's condition as mathematics."""
    found = parsed(text)
    if isinstance(found, Division):
        return (Math(found.divisor), Text(" divides "), Math(found.multiple))
    return (Math(found),)


def _listed(numbers: Mapping[str, Fraction]) -> Iterator[Inline]:
    """`m is 16 (micro-batches of a replica and step), …`."""
    for place, (name, value) in enumerate(numbers.items()):
        if place:
            yield Text(" and " if place == len(numbers) - 1 else ", ")
        yield letter(name)
        yield from words(f" is {quantity(name, value)} ({meaning(name)})")


def _changed(found: Remedy) -> Iterator[Inline]:
    """A change as a job file says it, or its letters as equations, and what it does."""
    if found.said:
        yield from (Code(found.said), *words(f" ({found.words}), which {effect(found)}"))
        return
    for place, (name, value) in enumerate(told_of(found).items()):
        if place:
            yield Text(", ")
        yield Math(parse_formula(f"{name} = {quantity(name, value)}"))
        yield Text(f" ({meaning(name)})")
    yield from words(f", which {effect(found)}")


def decision(desk: Desk, walked: Decision | None, compared: Comparison | None) -> Iterator[Block]:
    """The tree of text 001 on this job, step by step, and where the search ends."""
    if walked is None:
        return
    yield heading("A decision tree")
    yield Prose((Text(
        f"Questions and practices of {TEXT}, each with the number of this job that answered it, what it "
        "was held against and what followed; the layout under review plays no part."
    ),))  # fmt: skip
    rows: list[tuple[Cell, ...]] = [tuple(row) for row in told(walked)]
    yield desk.table("tree", "The tree on this job", "wwlw", ("question", "number", "answer", "so"), rows)
    yield Prose(words(claimed(walked)))
    if compared is not None:
        yield Prose(words(compared.text))
        yield _compared(desk, compared)


def _compared(desk: Desk, found: Comparison) -> Block:
    """Three layouts side by side, where they differ."""
    cases = (found.tree, found.search, desk.base)
    columns = [settings(v) for v in cases]
    rows: list[tuple[Cell, ...]] = [
        (name, *(column[name] for column in columns))
        for name in columns[0] if len({column[name] for column in columns}) > 1
    ]  # fmt: skip
    rows.append(("memory of the fullest rank", *alike([v["M"] for v in cases], BYTE)))
    rows.append(("step time", *alike([v["T_step"] for v in cases], SECOND)))
    rows.append((mfu_named(desk.base), *(percent(v["u"]) for v in cases)))
    return desk.table("tree-and-search", "Where the tree, the search and this layout differ", "lrrr",
                      ("", "tree", "search", "under review"), rows)  # fmt: skip
