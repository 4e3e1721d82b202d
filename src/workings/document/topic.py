"""The directive `topic`: every derivation of a topic, with an example where the scenario has one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from workings import catalogue
from workings.derivation import Derivation
from workings.document.blocks import Block, Prose, Worked
from workings.document.directive import Directive, check_options
from workings.document.formulas import chain_block, worked_block
from workings.document.inline import line_of
from workings.document.ledger import ledger_table
from workings.document.page import Page
from workings.document.quantity import Desk
from workings.document.symbols import letters_table
from workings.evaluation import DoesNotApplyError
from workings.formula import DoesNotEvaluateError
from workings.worked import work

MOST_WHOLE = 40  # rows of a table of letters that stay on one page


def topic(directive: Directive, page: Page) -> tuple[Block, ...]:
    """```{topic} pipeline```: its introduction and letters, then each derivation, in numbers too.

    `:at:` names the scenario of the examples, `:set:` gives letters a value that no scenario has.
    A derivation whose letters nobody gives, or which does not apply there, stands without numbers.
    """
    check_options(directive, page, ("at", "set"))
    name = directive.argument.replace("-", " ")
    found = catalogue.every(name)
    if not name or not found:
        known = ", ".join(one.replace("_", " ") for one in catalogue.topics())
        raise page.source.fail(directive.line, f"{{topic}}: found {name!r}, expected one of {known}")
    desk = page.desk_at(directive.options.get("at"))
    settings = desk.settings_of(directive.options.get("set", ""))
    blocks = [block for what in found for block in _entry(what, page, desk, settings, directive.line)]
    label = f"{name.replace(' ', '-')}-letters"
    scenario = desk.scenario({})
    where = f" ({scenario.name})" if scenario else ""
    caption = f"Letters of {name}, and their values in the examples{where}"
    letters = letters_table(page, scenario, settings, label, caption, directive.line)
    opening = Prose(line_of(catalogue.introduction(name), page, directive.line))
    return (opening, replace(letters, long=len(letters.rows) > MOST_WHOLE), *blocks)


def _entry(
    what: Derivation, page: Page, desk: Desk, settings: Mapping[str, str], line: int
) -> Iterator[Block]:
    yield chain_block(what, page, line)
    if what.ledger:
        yield ledger_table(what, page, None, page.style, f"{what.id}-ledger", "", line)
    example = _example(what, page, desk, settings, line)
    if example is not None:
        yield example


def _example(
    what: Derivation, page: Page, desk: Desk, settings: Mapping[str, str], line: int
) -> Worked | None:
    own = {n for letter, concept in what.letters.items() for n in (letter, concept.name)}
    chosen = {name: text for name, text in settings.items() if name in own}
    try:
        done = work(what, desk.scenario(chosen), None, page.style, shared=chosen)
    except (DoesNotApplyError, DoesNotEvaluateError):
        return None
    return worked_block(done, page, line, f"{what.id}-worked", "In numbers", symbolic=False)
