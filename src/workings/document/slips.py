"""The directive `slip`: a derivation of the catalogue with one line wrong, for others to find."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from workings import catalogue
from workings.comparing.mistakes import MISTAKES, RANK
from workings.comparing.rewrites import everywhere
from workings.derivation import Derivation
from workings.derivation.chain import Line as ChainLine
from workings.document.answers import named
from workings.document.asking import Given
from workings.document.blocks import Block, Display, Line, Math, Prose, Text
from workings.document.directive import Directive
from workings.document.formulas import steps_of
from workings.document.page import Page, words_of
from workings.document.shuffled import Order, as_written, asks_to_shuffle
from workings.document.where import where_below
from workings.errors import UserError
from workings.formula import Expr, Formula, Relations, Value, dimension_of, evaluate, names_in
from workings.formula.exact import compare
from workings.formula.interval import rational
from workings.scenario import ScenarioError
from workings.units import Dimension
from workings.values.notation import put

OPTIONS = ("mistake", "line", "points", "id", "words", "near", "title", "shuffle")
_KEPT = ("id", "words", "near")  # options that are the answer's
_LIKELY = 3  # mistakes of a line from which a variant draws one
MOST_TRIED = 12  # mistakes of a line for which it is seen whether the lines below can follow
_POINTS = (2, 3, 5)  # letters get values that begin so, by which lines are told apart
_PROBES = 12  # points of an entry's domain at which a line with a mistake is looked at
_FAR = 10**6  # how much larger a letter is made that a limit sends to infinity


@dataclass(frozen=True, slots=True)
class Slip:
    """A line of a derivation, from 1, as it should be and with a mistake of the checker's table."""

    line: int
    right: Formula
    wrong: Expr
    mistake: str
    sentence: str


def slip(directive: Directive, page: Page) -> tuple[Block, ...]:
    """```{slip} fsdp-memory```: the lines of the chain, one of them wrong.

    `:line:` says which, the last if nothing does, and `:mistake:` what is wrong with it. With `:shuffle:`
    each variant of a handout has a slip of its own among those that these leave.
    """
    what = catalogue.get(directive.argument)
    planted = planted_in(what, directive.options, page.order)
    names = page.use(what, directive.line)
    words = page.words
    steps = [
        replace(step, reason=(Text(words["line"].format(number)),))
        for number, step in enumerate(steps_of(what, page, names), start=1)
    ]
    place = planted.line - 1
    steps[place] = replace(steps[place], formula=put(planted.wrong, names))
    below = _below(what, planted)
    for number, formula in below.items():
        steps[number] = replace(steps[number], formula=put(formula, names))
    given = page.asking.given[directive.line]
    given.note = _told(planted, words, names)
    title = words_of(directive.options.get("title", what.title), names)
    block = Display(tuple(steps), wrong=True)
    named_by = Prose((*title, Text(words["colon"])))  # no number, which lines have
    apart = len(below) < len(what.lines) - planted.line
    said = (Prose((Text(words["slip_apart"]),)),) if apart else ()
    return (named_by, block, *said, *where_below(page, what, names, block.steps))


def _told(planted: Slip, words: Mapping[str, str], names: Mapping[str, Expr]) -> Line:
    """What the line should be, and what is wrong with it."""
    before, _, after = words["slip"].partition("{}")
    mistake = words.get(f"mistake_{planted.mistake}", MISTAKES[planted.mistake])
    return (Text(before), Math(put(planted.right, names)), Text(after.format(mistake)))


def _below(what: Derivation, planted: Slip) -> dict[int, Expr]:
    """The lines below the mistake, from 0, as they follow from it: with the same value, one change each.

    The first that no one change makes so ends them; what the catalogue has stands from there on.
    """
    found: dict[int, Expr] = {}
    for number in range(planted.line, len(what.lines)):
        line = what.lines[number]
        if line.relation != "=" or isinstance(line.formula, Relations):
            break
        alike = (one for *_, one in everywhere(line.formula) if _same(planted.wrong, one))
        if (follows := next(alike, None)) is None:
            break
        found[number] = follows
    return found


def slip_of(directive: Directive, taken: list[str], order: Order = as_written) -> Given:
    """The answer that a slip asks for: the line that is wrong."""
    what = catalogue.get(directive.argument)
    planted = planted_in(what, directive.options, order)
    options = {name: text for name, text in directive.options.items() if name in _KEPT}
    near = [one.strip() for one in options.pop("near", "").split(",") if one.strip()]
    choices = [{"label": str(number), "right": number == planted.line}
               for number in range(1, len(what.lines) + 1)]  # fmt: skip
    fields = {"kind": "line", "words": "", "near": near, "choices": choices, "id": "line", **options}
    if "id" not in options and "line" in taken:
        del fields["id"]
    return Given(named(fields, taken), "", directive.line)


def planted_in(what: Derivation, options: Mapping[str, str], order: Order = as_written) -> Slip:
    """The mistake that is asked for, or the likeliest one; one of the likelier ones where it is shuffled.

    Raises ScenarioError where there is none.
    """
    mistake, text = options.get("mistake", ""), options.get("line", "")
    if mistake and mistake not in MISTAKES:
        raise ScenarioError(f":mistake: found {mistake[:40]!r}, expected one of {', '.join(MISTAKES)}")
    numbers = range(1, len(what.lines) + 1)
    if text and text not in map(str, numbers):
        raise ScenarioError(f":line: found {text[:40]!r}, expected 1 to {len(what.lines)}")
    if len(what.lines) < 2:
        raise ScenarioError(f"{what.id} has one line, expected a derivation of two or more")
    lines = [int(text)] if text else [*reversed(numbers)]
    likely = (one for number in lines for one in _likely(what, number, mistake)[:_LIKELY])
    if asks_to_shuffle(options) and (every := list(likely)):
        # What is wrong in line 1 follows from no line above: readers find it by units and words alone.
        some = [one for one in every if one.line > 1] or every
        return some[order(f"slip {what.id} {options.get('id', '')}", len(some))[0]]
    if (first := next(likely, None)) is not None:
        return first
    named_so = f"the mistake {mistake}" if mistake else "a mistake of the checker's table"
    place = f":line: {text}" if text else "its lines"
    raise ScenarioError(f"{place}: found none of {what.id} that {named_so} changes, expected another")


def _likely(what: Derivation, number: int, mistake: str) -> list[Slip]:
    """The mistakes that a line may have, each once: first those that the lines below can follow from.

    Among these, and among the others, first those whose units do not give them away. Nothing stands
    above line 1, so there those come first that units give away, or from which line 2 does not follow.
    """
    found: dict[str, Slip] = {}
    ranked = sorted(
        (one for one in _slips(what, number) if mistake in ("", one.mistake)),
        key=lambda one: (_keeps_units(what, one.wrong) == (number == 1), RANK[one.mistake]),
    )
    rest = len(what.lines) - number
    carried = {id(one) for one in ranked[:MOST_TRIED] if len(_below(what, one)) == rest}
    if number == 1:
        hidden = {id(one) for one in ranked if id(one) in carried and _keeps_units(what, one.wrong)}
        ranked.sort(key=lambda one: id(one) in hidden)
    else:
        ranked.sort(key=lambda one: id(one) not in carried)
    for one in ranked:
        found.setdefault(one.mistake, one)
    return list(found.values())


def _slips(what: Derivation, number: int) -> Iterator[Slip]:
    """Every mistake in a line that makes it false; a bound at most points, for readers to see it."""
    line, above = what.lines[number - 1], what.lines[number - 2].formula if number > 1 else None
    right = line.formula
    if isinstance(right, Relations) or isinstance(above, Relations):
        return
    points = list(what.setting.points(_PROBES))
    for mistake, sentence, wrong in everywhere(right):
        if line.relation != "=" and not _adds_alike(what, wrong):
            continue  # one byte more or less leaves a bound as good as true
        false = [_false(line, right, above or right, wrong, at) for at in points]
        if any(false) if line.relation == "=" else 2 * sum(false) > len(false):
            yield Slip(number, right, wrong, mistake, sentence)


def _false(line: ChainLine, right: Expr, above: Expr, wrong: Expr, at: Mapping[str, Value]) -> bool:
    """Whether a line no longer holds with this in place of what it says.

    A weaker bound still is one, and what is about the same must be off by more than the line is.
    """
    values = {**at, **{name: rational(at[name]) * _FAR for name in line.towards}}
    try:
        before, now, said = (rational(evaluate(one, values)) for one in (above, right, wrong))
    except UserError:
        return False
    match line.relation:
        case "<" | "<=" | ">" | ">=":
            return not compare(before, line.relation, said)
        case "≈" | "limit":
            return abs(said - before) > max(abs(before) / 10, 3 * abs(now - before))
    return said != now


def _same(one: Expr, other: Expr) -> bool:
    """Whether two formulas have the same value at every point that is tried."""
    letters = sorted({*names_in(one), *names_in(other)})
    points = [{name: Fraction(first * 7 + 4 * n + n * n) for n, name in enumerate(letters)}
              for first in _POINTS]  # fmt: skip
    try:
        return all(rational(evaluate(one, at)) == rational(evaluate(other, at)) for at in points)
    except UserError:
        return False


def _units(what: Derivation) -> dict[str, Dimension]:
    """The dimension of each letter of a derivation, and of each result that it uses."""
    units = {name: concept.dimension for name, concept in what.letters.items()}
    return units | {name: use.derivation.unit for name, use in what.uses.items()}


def _adds_alike(what: Derivation, wrong: Expr) -> bool:
    """Whether a formula adds only what has one dimension."""
    try:
        dimension_of(wrong, _units(what))
    except UserError:
        return False
    return True


def _keeps_units(what: Derivation, wrong: Expr) -> bool:
    """Whether the units of a line do not give the mistake away."""
    return _adds_alike(what, wrong) and dimension_of(wrong, _units(what)) == what.unit
