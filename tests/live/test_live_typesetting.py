"""Formulas are set as MathML byte for byte as Python sets them."""

from itertools import cycle
from random import Random
from typing import Any

import pytest
from live_vectors import COMPOUND, LETTERS, VALUES, Told, differing, formulas, relations, tree

from workings import catalogue
from workings.formula import Expr, Formula, Num, Relations, latex, names_in, plain, substitute
from workings.formula.readings.javascript import expression
from workings.formula.readings.mathml import box_mathml, line_mathml, mathml
from workings.formula.readings.typeset import GREEK, letter, number, typeset
from workings.units import UNITS, Format, parse_unit, show

MANY = [pytest.param(100, id="few"), pytest.param(1_999, id="all", marks=pytest.mark.slow)]
OPTIONS = [{"units": units, "inline": inline} for units in (False, True) for inline in (False, True)]
OPTIONS.append({})


def numbered(node: Formula, random: Random) -> Formula:
    """The formula with printed numbers in place of its letters, as a worked line has them."""
    if isinstance(node, Relations):
        return Relations(
            node.first, tuple((sign, numbered_side(part, random)) for sign, part in node.rest)
        )
    return numbered_side(node, random)


def numbered_side(node: Expr, random: Random) -> Expr:
    units = [parse_unit(text) for text in ("1", "1", "1", "GB", "byte", "ms", "TFLOP/s")]
    printed = {
        name: show(random.choice(VALUES), random.choice(units), Format()) for name in names_in(node)
    }
    literals = {n: Num(s.value, None if s.unit == "1" else s.unit, s.number) for n, s in printed.items()}
    return substitute(node, literals)


def every(count: int) -> list[Formula]:
    """Lines of the catalogue's chains and random formulas, with letters and with numbers."""
    random = Random(21)  # noqa: S311 - a fixed sequence of cases, not a secret
    lines = [line.formula for id_ in catalogue.ids() for line in catalogue.get(id_).lines]
    found: list[Formula] = lines if count > len(lines) else random.sample(lines, count)
    found = [
        *found,
        *(node for node, _ in formulas(count, tree)),
        *(node for node, _ in formulas(count // 4, relations)),
    ]
    return [*found, *(numbered(node, random) for node in found)]


@pytest.mark.parametrize("count", MANY)
def test_formulas_are_set_alike(told: Told, count: int) -> None:
    made = [(node, options) for node, options in zip(every(count), cycle(OPTIONS), strict=False)]
    cases: list[Any] = [[expression(node), options] for node, options in made]
    assert (
        differing(cases, [mathml(node, **options) for node, options in made], told("mathml", cases)) == []
    )
    lines = [line_mathml(typeset(node, **options)) for node, options in made]
    assert differing(cases, lines, told("line", cases)) == []
    assert (
        differing(cases, [latex(node, **options) for node, options in made], told("latex", cases)) == []
    )
    texts = [plain(node, units=options.get("units", True)) for node, options in made]
    assert differing(cases, texts, told("plain", cases)) == []


def test_letters_and_printed_numbers_are_set_alike(told: Told) -> None:
    names = [
        *LETTERS,
        *GREEK,
        *(f"{name}_x" for name in GREEK),
        "a_b_c",
        "A_1",
        "A_12",
        "A_b2",
        "w_max",
        "constructor",
    ]
    assert differing(names, [box_mathml(letter(name)) for name in names], told("letter", names)) == []
    units = [parse_unit(text) for text in ("1", *UNITS, *COMPOUND)]
    printed = [show(value * unit.scale, unit, Format()) for value in VALUES for unit in units]
    cases = [[shown.number, shown.unit] for shown in printed]
    wanted = [box_mathml(number(shown.number, shown.unit)) for shown in printed]
    assert differing(cases, wanted, told("number", cases)) == []
