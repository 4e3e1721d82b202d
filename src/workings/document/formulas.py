"""The directives that print formulas: `chain` (a derivation) and `worked` (with numbers in it)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from workings import catalogue
from workings.derivation import Derivation
from workings.derivation.chain import Line as ChainLine
from workings.document.blocks import Block, Chain, DisplayLine, Inline, Line, Math, Text, Worked
from workings.document.directive import Directive, check_options, numbers_at
from workings.document.expand import expanded, worked_steps
from workings.document.front import PROVENANCE
from workings.document.made_of import InNumbers
from workings.document.page import Page, meanings_of, words_of
from workings.document.provenance import in_short, provenance
from workings.document.valued import note_values
from workings.document.where import where_below, where_chain
from workings.formula import (
    Expr,
    Formula,
    Name,
    Num,
    Relations,
    parse_expression,
    parse_formula,
    substitute,
)
from workings.formula.tree import children
from workings.units import Format, parse_unit
from workings.values.asked import read_settings
from workings.values.displayed import head_of
from workings.values.notation import put
from workings.values.worked import Worked as WorkedOut
from workings.values.worked import work
from workings.verification.verified import fresh

ADDED = "add the rows"  # what the first line of an account says of itself
MOST_TERMS = 80  # letters of the rows' names beside a line


def chain(directive: Directive, page: Page) -> Chain:
    """```{chain} fsdp-memory```: every line with its reason, and what it rests on."""
    check_options(directive, page, ("label", "title", "footer"))
    what = catalogue.get(directive.argument)
    if (footer := directive.options.get("footer", "full")) not in PROVENANCE:
        expected = ", ".join(PROVENANCE)
        raise page.source.fail(
            directive.line, f":footer: found {footer[:40]!r}, expected one of {expected}"
        )
    return chain_block(what, page, directive.line, directive.options)


def chain_block(
    what: Derivation, page: Page, line: int, options: Mapping[str, str] | None = None
) -> Chain:
    """A derivation as a block of this page."""
    options = options or {}
    names = page.use(what, line)
    label = options.get("label", what.id)
    number = page.label("equation", label, line)
    steps = steps_of(what, page, names)
    how = options.get("footer", page.provenance)
    footer = provenance(what, names, page.glyphs, how, page.words)
    title = words_of(options.get("title", what.title), names)
    return Chain(
        label, number, title, steps, _before(what, names, page.words), footer, what.id,
        in_short(what, page.words) if how != "none" else "", meanings_of(what, names),
        where_chain(page, what, names, steps, how),
    )  # fmt: skip


def steps_of(what: Derivation, page: Page, names: Mapping[str, Expr]) -> tuple[DisplayLine, ...]:
    """The lines of a derivation as a page displays them."""
    steps = tuple(_step(what, one, names, first=one is what.lines[0]) for one in what.lines)
    if what.ledger and what.id not in page.accounts:
        steps = (replace(steps[0], reason=_without_rows(what, steps[0].reason)), *steps[1:])
    if any(_hides_a_factor(one.formula) for one in what.lines):
        return tuple(replace(step, units=True) for step in steps)
    return steps


def _without_rows(what: Derivation, reason: Line) -> Line:
    """The reason of an account's first line where its table is not at hand: what each term is."""
    first, *rest = reason
    if not isinstance(first, Text):
        return reason
    terms = " + ".join(row.name for row in what.ledger)
    if len(terms) > MOST_TERMS:
        terms = f"a term for each of {len(what.ledger)} accounts"
    said = first.text.replace(ADDED, terms).replace("one row", "one account")
    return (Text(said), *rest)


def _hides_a_factor(formula: Formula) -> bool:
    """Whether a literal without its unit would be another number: 1 bit is an eighth of a byte."""
    if isinstance(formula, Num):
        return formula.unit is not None and parse_unit(formula.unit).scale != 1
    return any(_hides_a_factor(part) for part in children(formula))


def _step(what: Derivation, line: ChainLine, names: Mapping[str, Expr], *, first: bool) -> DisplayLine:
    reason = words_of(line.reason, names)
    formula = put(line.formula, names)
    if first:
        left = substitute(Name(what.head), names) if what.head else None
        return DisplayLine(left, "=" if what.head else "", formula, reason)
    if line.relation == "limit":
        over = tuple(str(getattr(names[n], "id", n)) for n in line.towards)
        return DisplayLine(None, "≈", formula, reason, over=over)
    if line.relation == "minimise" and line.at is not None:
        letter = str(getattr(names[line.letter], "id", line.letter))
        at = substitute(line.at, names)
        head = substitute(Name(what.head or "f"), names)
        return DisplayLine(head, "=", formula, reason, least=letter, at=at)
    return DisplayLine(None, line.relation, formula, reason)


def _before(what: Derivation, names: Mapping[str, Expr], words: Mapping[str, str]) -> tuple[Line, ...]:
    """`Holds where … and ….`, and for which models; or nothing."""
    whom: tuple[Line, ...] = ((Text(what.for_whom),),) if what.for_whom else ()
    if not what.given:
        return whom
    pieces: list[Inline] = [Text(words["holds"])]
    for position, text in enumerate(what.given_said):
        pieces += [Text(words["and"])] if position else []
        pieces += _condition(text, names, words)
    return ((*pieces, Text(words["end"])), *whom)


def _condition(text: str, names: Mapping[str, Expr], words: Mapping[str, str]) -> Line:
    divisor, divides, multiple = text.partition(" divides ")
    if divides:
        return tuple(
            Math(put(parse_formula(part), names)) if part != divides else Text(words["divides"])
            for part in (divisor, divides, multiple)
        )
    return (Math(put(parse_formula(text), names)),)


def worked(directive: Directive, page: Page) -> tuple[Block, ...]:
    """```{worked} fsdp-memory N=156```: symbolic = substituted = value."""
    check_options(directive, page, ("label", "digits", "unit", "expand"))
    name, _, settings_text = directive.argument.partition(" ")
    what = catalogue.get(name)
    settings = page.desk.settings_of(settings_text)
    style = numbers_at(directive.options, page, directive.line, page.style, ":")
    if unit := directive.options.get("unit"):
        if parse_unit(unit).dimension != what.unit:
            raise page.source.fail(
                directive.line, f":unit: found {unit!r}, expected a unit of {what.unit}"
            )
        style = Format((unit, *style.units), style.digits)
    label = directive.options.get("label", directive.argument.replace(" ", "-") + "-worked")
    done = work(what, *page.desk.placed(settings), style)
    line = directive.line
    made = InNumbers(name, read_settings(settings_text), style)
    below = tuple(expanded(done, made, page, directive, label))
    block = worked_block(done, page, line, label, source=page.made(made))
    names = page.use(what, line)
    note_values(done, " ".join(sorted(settings_text.split())), names, page, line)
    return (*below, block, *where_below(page, what, names, block.steps))


def worked_block(
    done: WorkedOut, page: Page, line: int, label: str, title: str = "", source: InNumbers | None = None
) -> Worked:
    """A formula with its numbers; what the derivation right above says just so is not said again."""
    what = done.derivation
    names = page.use(what, line)
    left, relation = head_of(what, names)
    steps = worked_steps(left, relation, put(done.symbolic, names), done)
    if isinstance(done.symbolic, Relations):  # a condition that no line of the chain solves
        number = page.label("equation", label, line)
        title = title or page.words["in_numbers"].format(what.title, "")
        return Worked(label, number, words_of(title, names), tuple(steps), meanings_of(what, names),
                      source)  # fmt: skip
    if said_above := _stands_above(page.above, what, steps[0].formula):
        first, second, *others = steps
        sign = second.relation if relation == "=" else relation
        steps = [replace(second, left=first.left, relation=sign), *others]
    number = page.label("equation", label, line)
    between = f" ({what.fractional})" if what.fractional and done.value.denominator > 1 else ""
    begins = page.words["now_in_numbers"].format(between) if said_above else ""
    begins = begins or page.words["in_numbers"].format(what.title, between)
    words = words_of(title or begins, names)
    source = replace(source, symbolic=not said_above) if source else None
    return Worked(label, number, words, tuple(steps), meanings_of(what, names), source)


def _stands_above(above: Block | None, what: Derivation, formula: Formula) -> bool:
    """Whether the block right above is this derivation, and holds the formula."""
    if not isinstance(above, Chain) or above.entry != what.id:
        return False
    sides = (part for step in above.steps if isinstance(step.formula, Relations)
             for _, part in step.formula.rest)  # fmt: skip
    return formula in (*(step.formula for step in above.steps), *sides)


def sympy(directive: Directive, page: Page) -> tuple[Block, ...]:
    """```{sympy} fsdp-memory for=N```: SymPy's own closed form of the first line, or for a letter.

    Taken from verified.json while that is fresh; otherwise SymPy is asked again.
    """
    check_options(directive, page, ("label",))
    name, _, rest = directive.argument.partition(" ")
    what = catalogue.get(name)
    names = page.use(what, directive.line)
    letter = rest.removeprefix("for=").strip()
    if letter and letter not in what.letters:
        known = ", ".join(what.letters)
        raise page.source.fail(directive.line, f"found for={letter}, expected one of {known}")
    form = _by_sympy(what, letter)
    left = names.get(letter or what.head or "", Name(letter or what.head or name))
    words: Line = (Text(page.words["simplified"]),)
    if letter:
        words = (Text(page.words["solved"]), Math(left))
    label = directive.options.get("label", f"{name}-sympy-{letter}".rstrip("-"))
    number = page.label("equation", label, directive.line)
    step = DisplayLine(left, "=", substitute(form, names), ())
    block = Worked(label, number, words, (step,), meanings_of(what, names))
    return (block, *where_below(page, what, names, (step,)))


def _by_sympy(what: Derivation, letter: str) -> Expr:
    entry = fresh(what)
    kept = None if entry is None else (
        entry["solutions"].get(letter) if letter else entry["simplified"]
    )  # fmt: skip
    if kept:
        return parse_expression(kept)
    from workings.verification.record import sympy_form  # noqa: PLC0415 - loads SymPy, only where stale

    return sympy_form(what, letter)
