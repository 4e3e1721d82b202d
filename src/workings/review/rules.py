"""The rules of layouts: what is broken, why it matters, what would mend it; and the decision tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workings.document.blocks import Block, Items, Link, Prose, Strong, Text
from workings.planning.decision.step import Decision
from workings.planning.decision.telling import claimed, told
from workings.planning.rules.finding import Finding, tally
from workings.review.desk import Cell, Desk
from workings.review.front_page import heading

ORDER = {"error": 0, "warning": 1, "note": 2}


def rules(desk: Desk, findings: Sequence[Finding]) -> Iterator[Block]:
    """Broken rules first, then those that hold by name."""
    yield heading("Rules")
    yield Prose((Text(f"{tally(findings)}."),))
    broken = sorted((f for f in findings if f.broken), key=lambda f: (ORDER[f.rule.severity], f.rule.id))
    if broken:
        rows: list[tuple[Cell, ...]] = [
            (f.rule.severity, _words(f)) for f in broken
        ]  # fmt: skip
        yield from desk.tables("broken", "Rules that are broken", "lw", ("severity", "rule"), rows)
    kept = [f.rule.title for f in findings if f.outcome == "holds"]
    if kept:
        yield Prose((Text(f"These hold: {'; '.join(kept)}."),))


def _words(found: Finding) -> Cell:
    """The rule, the numbers, the reason and the source."""
    rule, source = found.rule, found.rule.source
    said = (Strong((Text(f"{rule.title}."),)), Text(f" {found.message}; because {rule.reason} ("))
    return (*said, Link((Text(f"{source.authors} {source.year or ''}".strip()),), source.url), Text(")."))


def decision(walked: Decision | None, compared: str) -> Iterator[Block]:
    """The tree of the second seed on this job, step by step."""
    if walked is None:
        return
    yield heading("A decision tree")
    yield Prose((Text(
        "The questions that are commonly asked in this order, answered with the numbers of this job; and "
        "where an exhaustive search ends instead."
    ),))  # fmt: skip
    yield Items(tuple((Prose((Text(line),)),) for line in told(walked)), numbered=True)
    yield Prose((Text(f"{claimed(walked)} {compared}".strip()),))
