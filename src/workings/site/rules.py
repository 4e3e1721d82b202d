"""The rules of `lint` and of `check`, each with what it asks or finds, from their own words."""

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
from workings.site.saying import marked, plainly

LINT, CHECK = "rules/lint.html", "rules/check.html"
BESIDE = (Way("Rules of layouts", LINT), Way("Rules of documents", CHECK))
LINTED = (
    "`workings lint` reads the file of a training job (its model, its layout over devices, its hardware) "
    "and reports which of these rules it breaks. Each rule is a condition in the letters of these "
    "formulas, with its reason and its source."
)
CHECKED = (
    "`workings check` reads a document that somebody wrote (a report, lecture notes, an answer), works "
    "its numbers and formulas out again, and reports what cannot be right. Each rule below stands with "
    "short documents in which it finds an error, and with others that look alike and are right."
)
ASKED_FOR = "The rule is new: it is used only when asked for, with `--preview` or `--select`."
# Above one example, and above several.
BAD = ("It finds an error in this document:", "It finds an error in each of these documents:")
GOOD = ("In this one it finds none:", "In these it finds none:")
MEANING = {
    "error": "A job that breaks it is an error: it does not run, or its numbers mean nothing.",
    "warning": "A job that breaks it gets a warning: it runs, but loses time or memory.",
    "note": "A job that breaks it gets a note: there may be a good reason for it.",
}


def rule_places() -> tuple[Place, Place]:
    """What `workings lint` asks of a layout, and what `workings check` finds in a document."""
    return _lint(), _check()


def _lint() -> Place:
    said = "What `workings lint` asks of the layout of a training job, and why."
    other = lead("the rules by which documents are checked", CHECK, LINT)
    blocks: list[Block] = [Prose((*marked(LINTED), Text(" On another page stand "), other, Text(".")))]
    for rule in RULES:
        blocks += [Heading(2, (Text(rule.id),)), *_asked(rule)]
    finds = tuple((one.id, f"Rule {one.id}: {one.title}", f"{one.id} {one.reason}") for one in RULES)
    return _place(LINT, "Rules of layouts", said, blocks, finds)


def _asked(rule: Rule) -> Iterator[Block]:
    yield Prose((Text(f"{rule.title}: {plainly(rule.reason)}. {MEANING[rule.severity]}"),))
    asked: list[Line] = [(Text("The condition that the job has to meet: "), Code(rule.condition))]
    if rule.when:
        asked.append((Text("The rule is applied where "), *_codes(rule.when)))
    if rule.at:
        given = tuple(f"{n} = {v}" for n, v in rule.at.items())
        asked.append((Text("The condition is worked out with "), *_codes(given)))
    if rule.change:
        asked.append((Text("What may be changed to meet it: "), *_codes(rule.change)))
    if rule.entry:
        title = plainly(catalogue.get(rule.entry).title)
        asked.append((Text("It follows from the formula "), lead(title, entry_path(rule.entry), LINT)))
    asked.append((Text("Source: "), Link((Text(str(rule.source)),), rule.source.url)))
    yield Items(tuple((Prose(line),) for line in asked))


def _codes(texts: tuple[str, ...]) -> Iterator[Text | Code]:
    for place, text in enumerate(texts):
        if place:
            yield Text(", ")
        yield Code(text)


def _check() -> Place:
    said = "What `workings check` reports as an error in a document, with examples."
    other = lead("the rules by which the layouts of jobs are checked", LINT, CHECK)
    blocks: list[Block] = [Prose((*marked(CHECKED), Text(" On another page stand "), other, Text(".")))]
    for rule in every_rule().values():
        blocks += [Heading(2, (Text(rule.id),)), *_finds(rule)]
    rules = every_rule().values()
    finds = tuple((one.id, f"Rule {one.id}: {one.says}", f"{one.id} check") for one in rules)
    return _place(CHECK, "Rules of documents", said, blocks, finds)


def _finds(rule: AnyRule) -> Iterator[Block]:
    yield Prose((Text(f"{rule.says} "), *marked(ASKED_FOR if rule.preview else "")))
    for words, pages in ((BAD, rule.bad), (GOOD, rule.good)):
        if pages:
            yield Prose((Text(words[len(pages) > 1]),))
        yield from (Verbatim(page.strip()) for page in pages)


def _place(
    path: str, title: str, said: str, blocks: list[Block], finds: tuple[tuple[str, str, str], ...]
) -> Place:
    document = Document((Text(title),), tuple(blocks), {})
    return Place(path, "Rule", title, plainly(said), document, (Way("Start", INDEX),), beside=BESIDE,
                 finds=finds)  # fmt: skip
