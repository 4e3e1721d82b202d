"""The rules of layouts: what is broken, why it matters, what would mend it; and the decision tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workings.document.blocks import Block, Items, Link, Prose, Text
from workings.planning.decision.step import Decision
from workings.planning.decision.telling import claimed, told
from workings.planning.rules.finding import Finding, tally
from workings.planning.rules.wording import remedy
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
            (f.rule.severity, f.message, f"{f.rule.reason}{_remedies(f)}", _source(f)) for f in broken
        ]
        yield desk.table("broken", "Rules that are broken", "lwww",
                         ("severity", "what", "why, and what would mend it", "source"), rows)  # fmt: skip
    kept = [f.rule.title for f in findings if f.outcome == "holds"]
    if kept:
        yield Prose((Text(f"These hold: {'; '.join(kept)}."),))


def _remedies(found: Finding) -> str:
    return "".join(f" Mended by {remedy(one)}." for one in found.remedies[:2])


def _source(found: Finding) -> Cell:
    source = found.rule.source
    return (Link((Text(f"{source.authors} {source.year or ''}".strip()),), source.url),
            Text(f", {source.where}"))  # fmt: skip


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


