"""The directive `topic`: every derivation of a topic, with an example where the scenario has one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from workings import catalogue
from workings.derivation import Derivation
from workings.derivation.evaluation import DoesNotApplyError
from workings.document.blocks import Block, Heading, Prose, Worked
from workings.document.directive import Directive, check_options
from workings.document.formulas import chain_block, worked_block
from workings.document.inline import line_of
from workings.document.ledger import ledger_table
from workings.document.made_of import InNumbers
from workings.document.page import Page
from workings.document.symbols import letters_table
from workings.document.where import say
from workings.formula import DoesNotEvaluateError
from workings.scenario import PRESET_SECTIONS
from workings.values.asked import Settings, read_settings
from workings.values.desk import PLACE, Desk
from workings.values.worked import work

MOST_WHOLE = 40  # rows of a table of letters that stay on one page


def topic(directive: Directive, page: Page) -> tuple[Block, ...]:
    """```{topic} pipeline```: its introduction and letters, then section by section each derivation.

    `:at:` names the scenario of the examples, `:or:` others for what is for another kind of model,
    `:set:` gives letters a value that no scenario has. A derivation whose letters nobody gives, or
    which applies at none of them, stands without numbers.
    """
    check_options(directive, page, ("at", "or", "set"))
    name = directive.argument.replace("-", " ")
    found = catalogue.every(name)
    if not name or not found:
        known = ", ".join(one.replace("_", " ") for one in catalogue.topics())
        raise page.source.fail(directive.line, f"{{topic}}: found {name!r}, expected one of {known}")
    say(page, found)  # in the table of letters that comes first
    desk = page.desk_at(directive.options.get("at"))
    written = read_settings(directive.options.get("set", ""))
    desks = [desk, *map(page.desk_at, directive.options.get("or", "").split())]
    blocks = [
        block
        for section in catalogue.sections(name)
        for block in _section(section, page, desks, written, directive.line)
    ]
    label = f"{name.replace(' ', '-')}-letters"
    given = desk.resolve(written)
    scenario = desk.scenario({name: text for name, text in given.items() if name in PRESET_SECTIONS})
    where = f" ({scenario.name})" if scenario else ""
    caption = f"Letters of {name}, and their values in the examples{where}"
    letters = letters_table(page, scenario, given, label, caption, directive.line)
    opening = Prose(line_of(catalogue.introduction(name), page, directive.line))
    return (opening, replace(letters, long=len(letters.rows) > MOST_WHOLE), *blocks)


def _section(
    section: catalogue.Section, page: Page, desks: list[Desk], written: Settings, line: int
) -> Iterator[Block]:
    """Its title, why and when, and its derivations, in numbers too; nothing of one without any."""
    if not section.entries:
        return
    yield Heading(3, line_of(section.title, page, line))
    if section.opening:
        yield Prose(line_of(section.opening, page, line))
    for what in section.entries:
        yield from _entry(what, page, desks, written, line)


def _entry(
    what: Derivation, page: Page, desks: list[Desk], written: Settings, line: int
) -> Iterator[Block]:
    page.accounts |= {what.id}
    page.above = chain_block(what, page, line)
    yield page.above
    if what.ledger:
        page.above = ledger_table(what, page, None, page.style, f"{what.id}-ledger", "", line)
        yield page.above
    yield from _example(what, page, desks, written, line)


def _example(
    what: Derivation, page: Page, desks: list[Desk], written: Settings, line: int
) -> Iterator[Worked]:
    """In numbers at the first scenario whose model the entry is for, named where it is not the page's."""
    own = {n for letter, concept in what.letters.items() for n in (letter, concept.name)}
    own |= PRESET_SECTIONS.keys()
    chosen = {name: text for name, text in desks[0].resolve(written).items() if name in own}
    for number, desk in enumerate(desks):
        scenario = desk.scenario(chosen)
        try:
            done = work(what, scenario, None, page.style, shared=chosen)
        except DoesNotEvaluateError:
            return
        except DoesNotApplyError:
            continue
        words = f"In numbers, {scenario.name}" if number and scenario else "In numbers"
        here = desk is page.desk
        shared = {n: written[n] for n in chosen} if here else {PLACE: str(desk.name), **chosen}
        made = page.made(InNumbers(what.id, {}, page.style, shared=shared))
        yield worked_block(done, page, line, f"{what.id}-worked", words, made)
        return
