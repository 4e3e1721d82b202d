"""One rule a module: what it reads, how it judges, and pages that it is right about."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path

from workings.claims.claim import Finding, Rule, settled
from workings.claims.page import Page


def rules() -> tuple[Rule, ...]:
    """Every rule, by the names of their modules."""
    names = sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py"))
    return tuple(import_module(f"{__name__}.{name}").RULE for name in names)


def judged(page: Page) -> list[Finding]:
    """What all rules find of a page, one finding a figure, in the order of the page."""
    said = (finding for rule in rules() for finding in rule.judge(page))
    found = settled([_on_its_line(finding) for finding in said if not _of_a_slip(finding, page)])
    found = [finding for finding in found if not _said_in_words(finding, found)]
    return sorted(found, key=lambda f: (f.block.offsets[f.start], f.block.offsets[f.figure[0]]))


def _said_in_words(finding: Finding, found: list[Finding]) -> bool:
    """Whether a formula is known for a slip in a sentence whose words are accused of it."""
    return finding.rule == "catalogue-slip" and any(
        other.rule == "field-fact" and other.block is finding.block
        and other.start <= finding.start and finding.end <= other.end
        for other in found
    )  # fmt: skip


def _on_its_line(finding: Finding) -> Finding:
    """A finding that begins on the line of its figure, where what it follows from stands on another."""
    cut = finding.block.text.rfind("\n", finding.start, finding.figure[0]) + 1
    stands = finding.block.text[cut : finding.figure[0]].strip() if cut else ""
    return replace(finding, start=cut) if stands else finding


def _of_a_slip(finding: Finding, page: Page) -> bool:
    """Whether a figure is refuted by one that the calculation beside it refutes: it may be the right one.

    A figure that has a calculation of its own stands by itself.
    """
    if finding.word != "wrong" or (id(finding.block), finding.figure[0]) in page.calculated:
        return False
    return any(
        word == "wrong" and block == id(finding.block) and finding.start <= at < finding.figure[0]
        for (block, at), word in page.calculated.items()
    )
