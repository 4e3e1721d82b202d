"""Trees as LaTeX: the author's order, nothing that could be misread, nothing exotic."""

import re
from collections.abc import Mapping
from fractions import Fraction

import pytest
from formula_trees import Undefined, points, rational_trees, relations, trees, value
from hypothesis import assume, given, settings
from latex_reader import read_latex

from workings.formula import Expr, Formula, Name, latex, parse_expression, parse_formula, substitute

GOLDEN = [
    ("2*2*2*D*F/W", r"\frac{2 \cdot 2 \cdot 2 D F}{W}"),
    ("a - (b - c)", r"a - (b - c)"),
    ("a - b - c", r"a - b - c"),
    ("2*(N - 1)/N*S", r"\frac{2(N - 1)}{N} S"),
    ("2*(N - 1)*(S/N)", r"2(N - 1)\, \frac{S}{N}"),
    ("(S + A/2)/N + A/2", r"\frac{S + A/2}{N} + \frac{A}{2}"),
    ("a/(b*c)", r"\frac{a}{b c}"),
    ("a/b*c", r"\frac{a}{b} c"),
    ("x/(a/b*c)", r"\frac{x}{\frac{a}{b} c}"),
    ("a*2", r"a \cdot 2"),
    ("2*(1/2)", r"2 \cdot \frac{1}{2}"),
    ("-a*b", r"-a b"),
    ("a*(-b)", r"a(-b)"),
    ("3,520*x", r"3{,}520 x"),
    ("3,520,000", r"3{,}520{,}000"),
    ("1.8e11*x", r"1.8 \cdot 10^{11} x"),
    ("1.8e11^2", r"(1.8 \cdot 10^{11})^{2}"),
    ("2e-3", r"2 \cdot 10^{-3}"),
    ("(a/b)^2", r"\left( \frac{a}{b} \right)^{2}"),
    ("(-a)^2", r"(-a)^{2}"),
    ("a^(b^c)", r"a^{b^{c}}"),
    ("N_fsdp^2", r"{N_{\text{fsdp}}}^{2}"),
    ("x^(1/2)", r"x^{1/2}"),
    ("sum(S/N, (i, 1, N - 1))", r"\sum_{i=1}^{N - 1} \frac{S}{N}"),
    ("sum(a + b, (i, 1, N))", r"\sum_{i=1}^{N} (a + b)"),
    ("sum(a, (i, 1, N))*b", r"\left( \sum_{i=1}^{N} a \right) b"),
    ("max(T_F, T_T)*L", r"\max(T_{F}, T_{T}) L"),
    ("max(a/b, c)", r"\max\left( \frac{a}{b}, c \right)"),
    ("floor(a/b) + 1", r"\left\lfloor \frac{a}{b} \right\rfloor + 1"),
    ("ceil(S)", r"\lceil S \rceil"),
    ("sqrt(L*e/c)", r"\sqrt{\frac{L e}{c}}"),
    ("log2(N)", r"\log_2(N)"),
    ("d_model*d_ff*L", r"d_{\text{model}}\, d_{\text{ff}}\, L"),
    ("alpha*beta_x", r"\alpha\, \beta_{x}"),
    ("a < b <= c = d", r"a < b \le c = d"),
    ("a >= b ≈ c", r"a \ge b \approx c"),
    ("k*c = L/k*e", r"k c = \frac{L}{k} e"),
]


@pytest.mark.parametrize(("text", "printed"), GOLDEN)
def test_formulas_are_set_as_in_a_textbook(text: str, printed: str) -> None:
    assert latex(parse_formula(text)) == printed


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("4[FLOP]*B*D", r"4\,\text{FLOP} \times B \times D"),
        ("2*100[GB]/8", r"\frac{2 \times 100\,\text{GB}}{8}"),
        ("ceil((3,517.58[GB])/80[GB])",
         r"\left\lceil \frac{3{,}517.58\,\text{GB}}{80\,\text{GB}} \right\rceil"),
        ("2[byte]^2", r"(2\,\text{bytes})^{2}"),
        ("34[byte]*s + 1[byte]", r"34\,\text{bytes} \times s + 1\,\text{byte}"),
    ],
)  # fmt: skip
def test_numbers_put_in_show_their_units_and_every_product_sign(text: str, printed: str) -> None:
    assert latex(parse_formula(text), units=True) == printed


def test_units_of_literals_are_hidden_among_letters() -> None:
    assert latex(parse_formula("4[FLOP]*B*D*F/(X*Y*C)")) == r"\frac{4 B D F}{X Y C}"


def test_a_notation_changes_letters_and_nothing_else() -> None:
    printed = latex(substitute(parse_expression("W^2*N/S"), {"W": Name("W_ici"), "N": Name("X")}))
    assert printed == r"\frac{{W_{\text{ici}}}^{2} X}{S}"


@settings(deadline=None, max_examples=300)
@given(trees | relations)
def test_latex_is_balanced_and_uses_no_command_that_github_lacks(tree: Formula) -> None:
    for units in (False, True):
        printed = latex(tree, units=units)
        assert _balanced(printed)
        commands = set(re.findall(r"\\[A-Za-z]+", printed))
        assert commands <= KNOWN


KNOWN = {
    r"\frac", r"\sum", r"\sqrt", r"\max", r"\min", r"\log", r"\lceil", r"\rceil", r"\lfloor",
    r"\rfloor", r"\left", r"\right", r"\cdot", r"\times", r"\text", r"\le", r"\ge", r"\approx",
    r"\iff", r"\alpha", r"\Lambda",
}  # fmt: skip


def _balanced(printed: str) -> bool:
    depth = 0
    for character in printed:
        depth += (character == "{") - (character == "}")
        if depth < 0:
            return False
    return depth == 0 and printed.count(r"\left") == printed.count(r"\right")


@settings(deadline=None, max_examples=500)
@given(rational_trees, points)
def test_a_reader_of_the_page_gets_the_value_of_the_formula(
    tree: Expr, at: Mapping[str, Fraction]
) -> None:
    try:
        expected = value(tree, at)
    except Undefined:
        assume(False)
    for units in (False, True):
        for loose in (False, True):
            assert read_latex(latex(tree, units=units), at, loose=loose) == expected


@pytest.mark.parametrize(
    "text",
    [
        "sum(x*i, (i, 1, 4))*N",
        "N*sum(x + i, (i, 0, 3))/x",
        "(N*sum(i, (i, 1, 3)))*x - 1",
        "-sum(-i, (i, 1, 3)) + x",
        "x/sum(i/N, (i, 1, 3))",
        "sum(sum(i*j, (j, 1, i)), (i, 1, 4))^2",
        "(x/N/S)/(N/x*S)",
        "2*(1/2)*x*(3/4)",
    ],
)
def test_a_reader_gets_the_value_of_sums_and_fractions_too(text: str) -> None:
    at = {"x": Fraction(7, 3), "N": Fraction(5), "S": Fraction(11, 2)}
    tree = parse_expression(text)
    for loose in (False, True):
        assert read_latex(latex(tree), at, loose=loose) == value(tree, at)
