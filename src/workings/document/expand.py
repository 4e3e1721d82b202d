"""`:expand:` of a worked formula: the results that it uses worked out above it, in its own letters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from workings.document.blocks import Block, DisplayLine, Line, Meaning, Reference, Text, Worked
from workings.document.directive import Directive
from workings.document.page import Page, meaning, words_of
from workings.document.where import where_below
from workings.formula import Expr, Formula, Relations, names_in, substitute
from workings.units import Format
from workings.values.binding import bind
from workings.values.displayed import lines_of
from workings.values.unfolded import Unfolded, unfold
from workings.values.worked import Worked as WorkedOut


def worked_steps(left: Expr, relation: str, symbolic: Formula, done: WorkedOut) -> list[DisplayLine]:
    """In letters, in numbers, and the value; the numbers are left out where they are the value."""
    lines = lines_of(done, left, relation, symbolic)
    return [DisplayLine(one.left, one.relation, one.formula, units=one.units) for one in lines]


def expanded(
    done: WorkedOut,
    settings: Mapping[str, str],
    style: Format,
    page: Page,
    directive: Directive,
    label: str,
) -> Iterator[Block]:
    """The used results before the formula that uses them, each for the formula of this label."""
    if "expand" not in directive.options:
        return
    if (found := directive.options["expand"]) not in ("", "yes"):
        problem = f":expand: found {found[:40]!r}, expected nothing after it, or yes"
        raise page.source.fail(directive.line, problem)
    unfolded = list(unfold(done, bind(done.derivation, *page.desk.placed(settings)), style))
    if not unfolded:
        problem = f":expand: {done.derivation.id} stands in no letter that another formula works out"
        raise page.source.fail(directive.line, problem)
    for number, one in enumerate(unfolded, start=1):
        block, names = _block(one, done, page, directive.line, f"{label}-{number}", label)
        page.above = block
        yield block
        yield from where_below(page, done.derivation, names, block.steps)


def _block(
    one: Unfolded, top: WorkedOut, page: Page, line: int, label: str, user: str
) -> tuple[Worked, Mapping[str, Expr]]:
    """A used result as a block of this page, and the letters of the page."""
    used, what = one.done.derivation, top.derivation
    symbolic = one.done.symbolic
    assert not isinstance(symbolic, Relations)  # noqa: S101 - conditions are not unfolded
    names: dict[str, Expr] = dict(page.use_letters(what, symbolic, line))
    for key, (inner, letter) in one.inner.items():
        if key in names_in(symbolic):
            names[key] = page.written(inner, letter, line)
    left = page.written(used, one.name, line)
    steps = worked_steps(left, "=", substitute(symbolic, names), one.done)
    page.said.add(left.id)
    number = page.label("equation", label, line)
    title: Line = (*words_of(used.title, {}), Text(page.words["for"]), Reference(user))
    return Worked(label, number, title, tuple(steps), tuple(_letters(one, top, names))), names


def _letters(one: Unfolded, top: WorkedOut, names: Mapping[str, Expr]) -> Iterator[Meaning]:
    """What the letters of the formula stand for, as the page writes them."""
    for name, glyph in names.items():
        if name in one.inner or name in top.derivation.uses:
            used = one.inner[name][0] if name in one.inner else top.derivation.uses[name].derivation
            yield meaning(str(getattr(glyph, "id", name)), used.title, used.unit)
        else:
            concept = top.derivation.letters[name]
            yield meaning(str(getattr(glyph, "id", name)), concept.meaning, concept.dimension)
