"""The rules of `lint` and of `check`, each with what it asks or accuses, from their own words."""

from __future__ import annotations

from collections.abc import Iterator

from workings import catalogue
from workings.check.rules import AnyRule, every_rule
from workings.document.blocks import (
    Block,
    Code,
    Document,
    Heading,
    Items,
    Line,
    Link,
    Prose,
    Text,
    Verbatim,
)
from workings.planning.rules.catalogue import RULES
from workings.planning.rules.rule import Rule
from workings.site.place import INDEX, Place, Way, entry_path, lead
from workings.site.saying import plainly

LINT, CHECK = "rules/lint.html", "rules/check.html"
BESIDE = (Way("Rules of layouts", LINT), Way("Rules of documents", CHECK))
MEANING = {
    "error": "an error: it stops the run or makes its numbers meaningless",
    "warning": "a warning: it costs time or memory",
    "note": "a note: a practice that may well be left for a reason",
}


def rule_places() -> tuple[Place, Place]:
    """What `workings lint` asks of a layout, and what workings check accuses in a document."""
    return _lint(), _check()


def _lint() -> Place:
    said = "What `workings lint` asks of the layout of a job, and why."
    other = lead("what workings check accuses in a document", CHECK, LINT)
    blocks: list[Block] = [_opening("lint", said, other)]
    for rule in RULES:
        blocks += [Heading(2, (Text(rule.id),)), *_asked(rule)]
    finds = tuple((one.id, f"Rule {one.id}: {one.title}", f"{one.id} {one.reason}") for one in RULES)
    return _place(LINT, "Rules of layouts", said, blocks, finds)


def _asked(rule: Rule) -> Iterator[Block]:
    yield Prose((Text(f"{rule.title}: {plainly(rule.reason)}. It is {MEANING[rule.severity]}."),))
    asked: list[Line] = [(Text("Asks for "), Code(rule.condition))]
    if rule.when:
        asked.append((Text("Where "), *_codes(rule.when)))
    if rule.at:
        asked.append(
            (Text("Of the layout with "), *_codes(tuple(f"{n} = {v}" for n, v in rule.at.items())))
        )
    if rule.change:
        asked.append((Text("Mended by moving "), *_codes(rule.change)))
    if rule.entry:
        title = plainly(catalogue.get(rule.entry).title)
        asked.append((Text("Rests on "), lead(title, entry_path(rule.entry), LINT)))
    asked.append((Text("Source: "), Link((Text(str(rule.source)),), rule.source.url)))
    yield Items(tuple((Prose(line),) for line in asked))


def _codes(texts: tuple[str, ...]) -> Iterator[Text | Code]:
    for place, text in enumerate(texts):
        if place:
            yield Text(", ")
        yield Code(text)


def _check() -> Place:
    said = "What `workings check` accuses in a document, with pages that it is right about."
    other = lead("what workings lint asks of the layout of a job", LINT, CHECK)
    blocks: list[Block] = [_opening("check", said, other)]
    for rule in every_rule().values():
        blocks += [Heading(2, (Text(rule.id),)), *_accuses(rule)]
    rules = every_rule().values()
    finds = tuple((one.id, f"Rule {one.id}: {one.says}", f"{one.id} check") for one in rules)
    return _place(CHECK, "Rules of documents", said, blocks, finds)


def _accuses(rule: AnyRule) -> Iterator[Block]:
    when = "It accuses when it is asked to, with --preview or --select." if rule.preview else ""
    yield Prose((Text(f"{rule.says} {when or 'It accuses by default.'}"),))
    for words, pages in (("Accused", rule.bad), ("Left in peace", rule.good)):
        yield Prose((Text(f"{words}:"),))
        yield from (Verbatim(page.strip()) for page in pages)


def _opening(command: str, said: str, other: Link) -> Prose:
    """What the rules of a page are for, and where the others are."""
    about = said.split("`")[2].rstrip(".")
    name = Code(f"workings {command}")
    return Prose((Text("What "), name, Text(f"{about}. Elsewhere: "), other, Text(".")))


def _place(
    path: str, title: str, said: str, blocks: list[Block], finds: tuple[tuple[str, str, str], ...]
) -> Place:
    document = Document((Text(title),), tuple(blocks), {})
    return Place(path, "Rule", title, plainly(said), document, (Way("Start", INDEX),), beside=BESIDE,
                 finds=finds)  # fmt: skip
