"""The directive `symbols`: every letter used, what it means, its unit and its value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from workings.derivation import Derivation
from workings.document.blocks import Line, Math, Number, Table, Text
from workings.document.directive import Directive, check_options
from workings.document.inline import line_of
from workings.document.made_of import Entered
from workings.document.page import Page
from workings.formula import Name
from workings.scenario import Scenario
from workings.units import ONE, parse_quantity
from workings.values.counted import figure_of
from workings.values.desk import Measured
from workings.vocabulary.concept import Concept


def symbols(directive: Directive, page: Page) -> Table:
    """```{symbols}```: every letter used so far in its scope, its meaning, unit and value.

    With `:new: yes` only those that no such table of this scope has.
    """
    check_options(directive, page, ("label", "caption", "new"))
    label = directive.options.get("label", "symbols")
    caption = directive.options.get("caption", page.words["letters_and_values"])
    table = letters_table(page, page.desk.scenario({}), {}, label, caption, directive.line)
    if directive.options.get("new") == "yes":
        table = replace(table, rows=tuple(row for row in table.rows if _glyph(row) not in page.listed))
    page.listed |= {_glyph(row) for row in table.rows}
    page.said |= page.listed
    return table


def _glyph(row: tuple[Line, ...]) -> str:
    """The letter that a row explains."""
    return str(getattr(getattr(row[0][0], "formula", None), "id", ""))


def letters_table(
    page: Page, scenario: Scenario | None, given: Mapping[str, str], label: str, caption: str, line: int
) -> Table:
    """The letters used so far in their scope, with the values of a scenario or those given."""
    rows: dict[str, tuple[Line, ...]] = {}
    for what, letter, concept in _plain_meanings_first(page.here.values()):
        names = page.use(what, line)
        glyph = getattr(names.get(letter), "id", None)
        if glyph is not None and glyph not in rows:
            rows[glyph] = _row(glyph, concept, _value(page, scenario, given, letter, concept))
    for glyph, stated in page.stated.items():
        if glyph not in rows:
            value = () if isinstance(stated, Derivation) else _value(page, scenario, given, glyph, stated)
            rows[glyph] = _row(glyph, stated, value)
    columns = 4 if any(row[-1] for row in rows.values()) else 3  # no values, no column for them
    head = tuple((Text(page.words[h]),) for h in ("letter", "meaning", "unit", "value")[:columns])
    ordered = sorted(rows.items(), key=lambda row: row[0].lower())
    return Table(label, page.table_label(label, caption, line), line_of(caption, page, line),
                 "lllr"[:columns], head, tuple(row[:columns] for _, row in ordered))  # fmt: skip


def _row(glyph: str, what: Concept | Derivation, value: Line) -> tuple[Line, ...]:
    if isinstance(what, Derivation):
        meaning, dimension = what.title, what.unit
    else:
        meaning, dimension = what.meaning, what.dimension
    unit = "" if dimension == ONE else str(dimension)
    return ((Math(Name(glyph)),), (Text(meaning),), (Text(unit),), value)


def _value(
    page: Page, scenario: Scenario | None, given: Mapping[str, str], letter: str, concept: Concept
) -> Line:
    exact, made = None, None
    if text := given.get(concept.name, given.get(letter)):
        exact = parse_quantity(text)
        if page.desk.letters.get(concept.name) == text:
            made = page.made(Entered(concept, page.style))
    else:
        exact = figure_of(scenario, concept)
        made = page.made(Entered(concept, page.style)) if scenario is page.desk.scenario({}) else None
    if exact is None:
        return ()
    shown = Measured(exact.value, exact.dimension, concept.shown_in).shown(page.style)
    return (Number(shown.number, shown.unit, made),)


def _plain_meanings_first(
    used: Iterable[Derivation],
) -> Iterator[tuple[Derivation, str, Concept]]:
    """Letters with their concepts; those that read another concept anew come after it."""
    found = [(what, letter, concept) for what in used for letter, concept in what.letters.items()]
    yield from ((w, n, c) for w, n, c in found if c.kin is None)
    yield from ((w, n, c) for w, n, c in found if c.kin)
