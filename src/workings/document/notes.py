"""Remarks set apart, hints that some pages fold away, and the reasons of a derivation as hints."""

from __future__ import annotations

from collections.abc import Callable

from workings import catalogue
from workings.document.blocks import Block, Hints, Note
from workings.document.directive import Directive, check_options
from workings.document.formulas import steps_of
from workings.document.inline import line_of
from workings.document.page import Page

NOTES = ("note", "warning", "takeaway", "hint")


def note(
    directive: Directive, page: Page, inside: Callable[[Directive], tuple[Block, ...]]
) -> tuple[Block, ...]:
    """```{warning} Title``` with Markdown in it, or ```{hint} fsdp-memory```."""
    check_options(directive, page, ())
    if directive.name == "hint" and directive.argument in catalogue.ids():
        return (_hints(directive, page),)
    words = directive.argument or (page.words["hint_title"] if directive.name == "hint" else "")
    title = line_of(words, page, directive.line) if words else ()
    return (Note(directive.name, title, inside(directive)),)


def _hints(directive: Directive, page: Page) -> Hints:
    """What each line of the chain is reached by, without the line."""
    if directive.body.strip():
        raise page.source.fail(directive.body_line, "{hint}: found text in it, expected an id alone")
    what = catalogue.get(directive.argument)
    names = page.use(what, directive.line)
    lines = tuple(step.reason for step in steps_of(what, page, names) if step.reason)
    if not lines:
        raise page.source.fail(directive.line, f"{{hint}}: {what.id} gives no reasons, expected words")
    return Hints(lines)
