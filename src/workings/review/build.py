"""A review put together: the document, its figures, and every number of it as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass, replace
from fractions import Fraction

from workings.document.blocks import Block, Document, Prose, Text
from workings.formula import DoesNotEvaluateError
from workings.planning.best import with_best_layout
from workings.planning.cost import plan
from workings.planning.decision import Comparison, Decision, beside_best, decide
from workings.planning.idle import with_idle
from workings.planning.inputs.results import searched
from workings.planning.job import Job, JobError
from workings.planning.rules import Finding, lint
from workings.planning.rules.wording import in_words
from workings.review.alternatives import Alternatives, alternatives
from workings.review.as_json import as_json
from workings.review.desk import Desk
from workings.review.edge import edge
from workings.review.front_page import front_page, heading
from workings.review.inputs import inputs
from workings.review.layout import layout
from workings.review.left_out import left_out
from workings.review.measure import measure
from workings.review.memory import memory
from workings.review.numbers import words
from workings.review.proposed import proposed
from workings.review.ranking import ranking
from workings.review.recommended import recommended
from workings.review.register import Entry, entries, register, register_sure
from workings.review.rival import beside_rival, rival
from workings.review.routing import routing
from workings.review.rules import decision, rules, rules_kept
from workings.review.sources_of_odds import how_sure, where_odds_fail
from workings.review.time import roofline, time
from workings.review.verdict import Verdict, verdict
from workings.review.workings import workings

REVIEW, WORKINGS = "review", "workings"  # the files' names, without an ending


@dataclass(frozen=True)
class Review:
    """A job reviewed: its values, answer, register, rules, alternatives and decision tree."""

    desk: Desk
    answer: Verdict
    register: tuple[Entry, ...]
    findings: tuple[Finding, ...]
    found: Alternatives | None
    walked: Decision | None
    compared: Comparison | None


def review(job: Job) -> Review:
    """Review a job; where it has no layout, the best that a search finds is taken.

    Raises JobError or DoesNotEvaluateError in one sentence.
    """
    job = job if job.chosen else searched(with_best_layout(job, plan()))
    job = with_idle(job, plan())
    desk = Desk(job, plan())
    findings = lint(job)
    found = _alternatives(desk)
    walked, compared = _walked(job, found)
    broken = tuple(in_words(f) for f in findings if _forbids(f))
    answer = beside_rival(verdict(desk, broken), rival(desk, found))
    return Review(desk, answer, entries(desk), findings, found, walked, compared)


def _forbids(finding: Finding) -> bool:
    """Whether no run can break it: of whether it fits the odds say more than the plan alone."""
    return finding.broken and finding.rule.severity == "error" and finding.rule.id != "fits"


def _alternatives(desk: Desk) -> Alternatives | None:
    try:
        return alternatives(desk)
    except JobError:
        return None


def _walked(job: Job, found: Alternatives | None) -> tuple[Decision | None, Comparison | None]:
    try:
        walked = decide(job)
        if found is None or not found.result.best:
            return walked, None
        best = {n: Fraction(v) for n, v in found.result.best[0].layout.items()}
        return walked, beside_best(walked, best)
    except DoesNotEvaluateError:
        return None, None


UNCHECKED = "a generated review: its tables round independently"


def documents(found: Review) -> tuple[Document, Document]:
    """What one reads and signs, and its workings; each is numbered from 1 and leads to the other."""
    desk, name = found.desk, found.desk.job.name
    desk.numbers.clear()
    desk.counts.clear()
    blocks = tuple(_blocks(found))
    here = tuple(desk.numbers)
    desk.counts.clear()
    below = tuple(_below(found))
    there = dict.fromkeys((label for label in desk.numbers if label not in here), WORKINGS)
    return (
        Document((Text(f"Design review: {name}"),), blocks, desk.numbers, UNCHECKED, elsewhere=there),
        Document((Text(f"Workings of the design review: {name}"),), below, desk.numbers, UNCHECKED,
                 elsewhere=dict.fromkeys(here, REVIEW)),
    )  # fmt: skip


def page(found: Review) -> Document:
    """Both as one page: what one signs, then all else folded, a click from a number to its working."""
    desk = copy(found.desk)
    desk.numbers, desk.counts = {}, {}
    found = replace(found, desk=desk)
    blocks = (*_blocks(found, edge(desk, found.found)), *_below(found))
    title = (Text(f"Design review: {desk.job.name}"),)
    return Document(title, blocks, desk.numbers, UNCHECKED, folded=True)


def document(found: Review) -> Document:
    """The review as one reads and signs it."""
    return documents(found)[0]


def numbers(found: Review) -> str:
    """Every number of the review as JSON."""
    return as_json(found)


def _blocks(found: Review, front: Iterable[Block] = ()) -> Iterator[Block]:
    desk = found.desk
    advice = recommended(desk, found.answer, found.found)
    yield from front_page(desk, found.answer, advice)
    yield from measure(desk, rival(desk, found.found))
    yield from odds(desk, found.found)
    yield from memory(desk)
    yield from time(desk)
    yield from ranking(desk, found.found)
    yield from front
    yield from proposed(desk, found.found, found.findings)
    yield from rules(desk, found.findings)
    yield from register(desk, found.register)
    yield from left_out(desk, found.found)


def odds(desk: Desk, found: Alternatives | None) -> Iterator[Block]:
    """What the odds of the first page are drawn from, and when they do not apply."""
    sure, fails = how_sure(desk), " ".join(where_odds_fail(desk))
    if sure or fails:
        yield heading("Odds")
        yield from (Prose(words(said)) for said in (sure,) if said)
        yield from routing(desk, found)  # between them, so that words fill what a table leaves of a page
        yield from (Prose(words(said)) for said in (fails,) if said)


def _below(found: Review) -> Iterator[Block]:
    """What no answer is read from: everything that was read, and every figure worked."""
    desk = found.desk
    yield from layout(desk)
    yield from register_sure(desk, found.register)
    yield from rules_kept(found.findings)
    yield from inputs(desk)
    yield from decision(desk, found.walked, found.compared)
    yield from roofline(desk)
    yield from workings(desk)
