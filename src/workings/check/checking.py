"""Checks a document: what rules decide, what comments compare with the catalogue, and what is left."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from workings.check.beside_catalogue import beside_catalogue
from workings.check.explanations import Explainer
from workings.check.scenario_letters import contradictions, values_at
from workings.check.statements import of_claim, of_finding, placed, read_as
from workings.check.verdicts import FLAGS, Checked, Statement
from workings.claims.claim import Claim, Finding
from workings.claims.page import Page, page_of
from workings.claims.rules import judged
from workings.claims.unread import unread
from workings.reading.blocks import Document

MOST_REMARKS = 5
SLIPS = "catalogue-slip"  # says nothing more where a comment names the formula


def check_document(document: Document, *, at: str | None = None, strict: bool = False) -> Checked:
    """All statements of a document and what is to be said of them. Raises ScenarioError."""
    scenario = at or scenario_of(document)
    given = values_at(scenario) if scenario else {}
    page = page_of(document, given)
    named, remarks = beside_catalogue(page)
    places = {(s.line, s.column) for s in named}
    others = (
        s
        for s in _statements(page, strict)
        if (s.line, s.column) not in places or not (s.defines or s.rule == SLIPS)
    )
    statements = sorted((*others, *named), key=lambda s: (s.line, s.column))
    against = contradictions(page, scenario) if scenario else ()
    notes = (*islice(against, MOST_REMARKS), *remarks[:MOST_REMARKS])
    return Checked(document.path, tuple(statements), notes)


def scenario_of(document: Document) -> str | None:
    """The scenario that the front matter names: `workings: xxl-220b` or `scenario: xxl-220b`."""
    return document.front.get("workings") or document.front.get("scenario")


def _statements(page: Page, strict: bool) -> Iterator[Statement]:
    """What rules decide, and the relations that none does."""
    decided = [finding for finding in judged(page) if finding.word != "undecided"]
    claims = {(id(claim.block), claim.figure): claim for claim in page.chains}
    explain = Explainer()
    taken = set()
    for finding in decided:
        place = (id(finding.block), finding.figure)
        taken.add(place)
        yield _decided(page, finding, claims.get(place), explain, strict)
    for place, claim in claims.items():
        if place not in taken:
            yield of_claim(page.document, claim)
    for one in unread(page):
        found = placed(page.document, one.block, one.start, one.end)
        yield replace(found, relation="=", verdict="not understood", reason="a side could not be read")


def _decided(
    page: Page, finding: Finding, claim: Claim | None, explain: Explainer, strict: bool
) -> Statement:
    found = of_finding(page.document, finding)
    if claim is not None and found.verdict in FLAGS:
        found = replace(found, read_as=read_as(claim), explanations=explain(claim, finding.rule))
    return strictly(found) if strict else found


def strictly(statement: Statement) -> Statement:
    """With `strict`, = between sides that agree only as printed is to be ≈."""
    if statement.relation != "=" or statement.verdict not in ("rounds", "truncates"):
        return statement
    reason = "= stands where the sides agree only as printed: write ≈"
    return replace(statement, verdict="depends", reason=reason)
