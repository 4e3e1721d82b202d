"""Formulas as Typst's own parser reads them: sign by sign what LaTeX prints."""

import pytest
from formula_trees import relations, trees
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("typst", reason="the extra `pdf` is not installed")

from test_latex import GOLDEN
from typst_reader import bare, read_back

from workings.formula import Formula, latex, parse_formula
from workings.formula.readings.latex import box_latex
from workings.formula.readings.linear import box_linear
from workings.formula.readings.typeset import (
    Box,
    Fraction,
    Function,
    Gap,
    Letter,
    Number,
    Over,
    Row,
    Sign,
    Sum,
    Words,
    typeset,
)
from workings.formula.readings.typst import box_typst, string, typst


def test_typst_reads_formulas_as_latex_prints_them() -> None:
    formulas = [parse_formula(text) for text, _ in GOLDEN]
    for inline in (False, True):
        read = read_back(typst(one, inline=inline) for one in formulas)
        assert read == [bare(latex(one, inline=inline)) for one in formulas]


@settings(deadline=None, max_examples=6)
@given(st.lists(trees | relations, min_size=25, max_size=25))
def test_typst_reads_every_tree_as_latex_prints_it(many: list[Formula]) -> None:
    for units in (False, True):
        read = read_back(typst(one, units=units) for one in many)
        assert read == [bare(latex(one, units=units)) for one in many]


A, N = Letter("a"), Letter("N", "fsdp")
BOXES: tuple[Box, ...] = (
    Row((Letter("alpha"), Letter("Lambda", "X,Y"), Letter("foo"), A, N)),
    Number("1,234.5", -3, "GB/s"),
    Row((Sign("−", "before"), A, Sign("·"), Number("2"), Sign(",", "after"), A, Sign("/", "tight"), N)),
    Row((A, Gap("wide"), Words("at "), N, Sign("="), Number("1"))),
    Row((Sum(Row((A, Sign("=", "tight"), Number("1"))), N), Fraction(Row((A, Sign("+"), N)), A))),
    Row((Function("min", below=A), A, Function("log", "2"), A)),
    Row((A, Over(Sign("≈"), Row((A, Sign("→"), Sign("∞", "alone")))), N)),
    Row((A, Sign("<"), A, Sign(">"), A, Sign("⟺"), A, Sign("≤"), A, Sign("≥"), A)),
)


def test_typst_reads_every_kind_of_box() -> None:
    assert read_back(map(box_typst, BOXES)) == [bare(box_latex(box)) for box in BOXES]


@pytest.mark.parametrize("text", ['"', "\\", '\\"', '") #read("x', "$", "#x", "a\nb"])
def test_a_word_is_a_string_whatever_stands_in_it(text: str) -> None:
    body = string(text)[1:-1]
    assert not body.replace("\\\\", "").replace('\\"', "").count('"')
    assert body.replace("\\\\", "\0").replace('\\"', '"').replace("\0", "\\") == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(S + A/2)/N + A/2", "(S + A/2)/N + A/2"),
        ("2*(N - 1)/N*S", "(2(N − 1))/N S"),
        ("sum(S/N, (i, 1, N - 1))", "sum from i=1 to N − 1 of S/N"),
        ("ceil(a/b)^2 <= max(a, N_fsdp)", "⌈a/b⌉^2 ≤ max(a, N_fsdp)"),
        ("1.8e11*sqrt(alpha)", "1.8 · 10^11 √(α)"),
    ],
)
def test_what_is_read_aloud_is_the_formula_on_a_line(text: str, said: str) -> None:
    assert box_linear(typeset(parse_formula(text))) == said
