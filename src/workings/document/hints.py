"""The reasons of a derivation as hints, one after the other."""

from __future__ import annotations

from workings import catalogue
from workings.document.blocks import Hints
from workings.document.directive import Directive, check_options
from workings.document.formulas import steps_of
from workings.document.page import Page


def hints(directive: Directive, page: Page) -> Hints:
    """```{hint} fsdp-memory```: what each line of the chain is reached by, without the line."""
    check_options(directive, page, ())
    if directive.body.strip():
        raise page.source.fail(directive.body_line, "{hint}: found text in it, expected an id alone")
    what = catalogue.get(directive.argument)
    names = page.use(what, directive.line)
    lines = tuple(step.reason for step in steps_of(what, page, names) if step.reason)
    if not lines:
        raise page.source.fail(directive.line, f"{{hint}}: {what.id} gives no reasons, expected words")
    return Hints(lines)
