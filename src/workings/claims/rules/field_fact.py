"""What a sentence says of the field, against what is known of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from workings.claims.bindings import numbers_of
from workings.claims.claim import Finding, Rule
from workings.claims.page import Page
from workings.claims.sayings import Saying
from workings.field.judging import contradicted
from workings.field.sentences import Sentence
from workings.field.terms import Terms, terms_of
from workings.field.topics import Fact, chapters, facts

BEFORE = 2  # sentences that say what the next one speaks of
MOST = 2_000  # sentences of a page; no page that people write has more


def judge(page: Page) -> Iterator[Finding]:
    """Every sentence of prose that says what a fact of the field contradicts."""
    sayings = [saying for saying in page.sayings if saying.block.kind == "prose" and saying.marks][:MOST]
    accused: set[int] = set()
    for name, chapter in chapters().items():
        terms = terms_of(page.said_in, name)
        sentences = _sentences(page, sayings, terms) if chapter.facts else []
        headings: dict[str, Sentence] = {}
        for number, saying in enumerate(sayings if sentences else ()):
            if number in accused or _asks(saying):
                continue
            near = [sentences[n] for n in range(max(0, number - BEFORE), number)
                    if sayings[n].block.section == saying.block.section]  # fmt: skip
            text = page.heading(saying.block)
            heading = headings.setdefault(text, Sentence(text, (), terms))
            said = contradicted(chapter.facts, sentences[number], (*near, heading))
            for fact, start, end in islice(said, 1):
                accused.add(number)
                yield _finding(saying, fact, start, end)


def _asks(saying: Saying) -> bool:
    """Whether it is a question, which says nothing."""
    return saying.block.text[saying.marks[-1].end :].lstrip(" \"'”»)）]*_")[:1] in ("?", "？")


def _sentences(page: Page, sayings: Sequence[Saying], terms: Terms) -> list[Sentence]:
    return [
        Sentence(s.block.text[s.marks[0].start : s.marks[-1].end], numbers_of(page, s), terms)
        for s in sayings
    ]


def _finding(saying: Saying, fact: Fact, start: int, end: int) -> Finding:
    first = saying.marks[0].start
    shown = f"{fact.says} ({fact.entry})" if fact.entry else fact.says
    return Finding(RULE.id, "wrong", saying.block, first, saying.marks[-1].end,
                   (first + start, first + end), "says", shown)  # fmt: skip


def _pages(of: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(page for pages in of for page in pages)


RULE = Rule(
    "field-fact",
    "A sentence says what is not so in this field: of what is stored, sent, split, counted or repeated.",
    judge,
    bad=_pages([fact.bad for fact in facts()]),
    good=_pages([fact.good for fact in facts()]),
)
