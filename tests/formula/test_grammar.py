"""Plain text to tree and back: what was written is what is kept."""

from fractions import Fraction

import pytest
from formula_trees import relations, trees, typed
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.formula import (
    Add,
    Call,
    Formula,
    FormulaError,
    Name,
    Negative,
    Num,
    Power,
    Product,
    Relations,
    Series,
    parse_expression,
    parse_formula,
    plain,
)
from workings.formula.tree import children, walk

A, B, C = Name("a"), Name("b"), Name("c")
ONE, TWO = Num(Fraction(1)), Num(Fraction(2))


@settings(deadline=None, max_examples=400)
@given(trees | relations)
def test_what_is_printed_reads_back_as_the_same_tree(tree: Formula) -> None:
    assert parse_formula(plain(tree)) == tree


@settings(deadline=None, max_examples=250)
@given(typed())
def test_parentheses_spaces_and_signs_as_typed_do_not_change_the_tree(
    case: tuple[str, Formula],
) -> None:
    text, meant = case
    assert parse_formula(text) == meant


@settings(deadline=None, max_examples=250)
@given(typed())
def test_printing_once_is_enough(case: tuple[str, Formula]) -> None:
    once = plain(parse_formula(case[0]))
    assert plain(parse_formula(once)) == once


@settings(deadline=None, max_examples=250)
@given(typed())
def test_the_span_of_every_part_is_the_text_of_that_part(case: tuple[str, Formula]) -> None:
    text, _ = case
    for node in walk(parse_formula(text)):
        assert node.span is not None
        assert parse_formula(text[node.span.start : node.span.end]) == node


SOUP = (
    "N", "S", "i", "2", "3,520", "1.8e11", "[GB]", "(", ")", "+", "-", "*", "/", "^", ",", "×",
    "sum", "max", "log2", "=", "<=", "≈", " ", "\n",
)  # fmt: skip


@settings(deadline=None, max_examples=400)
@given(st.lists(st.sampled_from(SOUP), max_size=12).map("".join))
def test_a_soup_of_tokens_is_refused_with_its_place_or_read_for_good(text: str) -> None:
    place = _place_of_error(text)
    if place is None:
        tree = parse_formula(text)
        assert parse_formula(plain(tree)) == tree
    else:
        line, column = place
        assert 1 <= line <= text.count("\n") + 1
        assert 1 <= column <= len(text.split("\n")[line - 1]) + 1


@settings(deadline=None, max_examples=300)
@given(st.text(max_size=40))
def test_any_text_is_read_or_refused_and_nothing_else(text: str) -> None:
    line, _ = _place_of_error(text) or (1, 1)
    assert 1 <= line <= text.count("\n") + 1


def _place_of_error(text: str) -> tuple[int, int] | None:
    try:
        parse_formula(text)
    except FormulaError as error:
        return error.line, error.column
    return None


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("-a*b", Negative(Product(A, (("*", B),)))),
        ("-a^2", Negative(Power(A, TWO))),
        ("(-a)^2", Power(Negative(A), TWO)),
        ("a^b^c", Power(A, Power(B, C))),
        ("a^-b", Power(A, Negative(B))),
        ("a/b*c", Product(A, (("/", B), ("*", C)))),
        ("a/(b*c)", Product(A, (("/", Product(B, (("*", C),))),))),
        ("a - b - c", Add(A, (("-", B), ("-", C)))),
        ("a - (b - c)", Add(A, (("-", Add(B, (("-", C),))),))),
        ("a*-b", Product(A, (("*", Negative(B)),))),
        ("a - -b", Add(A, (("-", Negative(B)),))),
        ("max(a, b, 1)", Call("max", (A, B, ONE))),
        ("sum(a, (i, 1, b))", Series(A, "i", ONE, B)),
        ("a < b <= c", Relations(A, (("<", B), ("<=", C)))),
    ],
)
def test_operations_bind_as_on_paper(text: str, tree: Formula) -> None:
    assert parse_formula(text) == tree


def test_the_order_and_repetition_of_factors_are_kept() -> None:
    product = parse_expression("2*2*2*D*F/W")
    assert [plain(part) for part in children(product)] == ["2", "2", "2", "D", "F", "W"]
    assert plain(product) == "2*2*2*D*F/W"


@pytest.mark.parametrize(
    "text",
    [
        "a - (b - c)",
        "a - b - c",
        "(a + b) + c",
        "a*(b*c)",
        "a/(b/c)",
        "a/b/c",
        "(a/b)*c",
        "2*(N - 1)/N*S",
        "2*(N - 1)*(S/N)",
        "-(a + b)",
        "-(-a)",
        "a^(b^c)",
        "(a^b)^c",
        "(1 + 1)*x",
        "sum(S/N, (i, 1, N - 1)) + sum(S/N, (i, 1, N - 1))",
        "4[FLOP]*B*D*F/(X*Y*C)",
        "w/2[FLOP]*X*C/(W*M_X)",
        "1.8e11*x + 3,520",
        "max(a, min(b, c))",
    ],
)
def test_a_formula_written_our_way_is_printed_unchanged(text: str) -> None:
    assert plain(parse_formula(text)) == text


@pytest.mark.parametrize(
    ("typed_text", "printed"),
    [
        ("a−b", "a - b"),
        ("a×b·c⋅d", "a*b*c*d"),
        ("a≤b≥c", "a <= b >= c"),
        ("a⟺b⇔c", "a <=> b <=> c"),
        ("((a))", "a"),
        ("a\n+\tb", "a + b"),
        ("2 [GB]", "2[GB]"),
        ("2^-1", "2^(-1)"),
    ],
)
def test_there_is_one_way_to_print_what_can_be_typed_in_many(typed_text: str, printed: str) -> None:
    assert plain(parse_formula(typed_text)) == printed


def test_numbers_keep_their_value_unit_and_text() -> None:
    number = parse_expression("1.80e2[GB/s]")
    assert isinstance(number, Num)
    assert (number.value, number.unit, number.text) == (Fraction(180), "GB/s", "1.80e2")


def test_a_comma_groups_thousands_outside_arguments_and_separates_within() -> None:
    assert parse_expression("3,520") == Num(Fraction(3520))
    assert parse_expression("max(3, 520)") == Call("max", (Num(Fraction(3)), Num(Fraction(520))))
    assert parse_expression("max((3,520), 1)") == Call("max", (Num(Fraction(3520)), ONE))
    assert plain(parse_expression("max((3,520), 7)")) == "max(3520, 7)"


@pytest.mark.parametrize("text", ["max(3,520)", "max(3,520, 7)", "sum(3,520, (i, 1, 2))", "log2(3,520)"])
def test_a_comma_that_could_be_either_is_refused(text: str) -> None:
    with pytest.raises(FormulaError, match=r"3,520.* is ambiguous among arguments"):
        parse_formula(text)


def test_units_of_literals_can_be_left_out() -> None:
    tree = parse_expression("4[FLOP]*B*max(2[FLOP], 1[FLOP])")
    assert plain(tree, units=False) == "4*B*max(2, 1)"


def test_an_error_names_line_and_column() -> None:
    with pytest.raises(FormulaError) as caught:
        parse_formula("a +\n  b $ c")
    assert (caught.value.line, caught.value.column) == (2, 5)
    assert str(caught.value) == "line 2, column 5: found '$', expected a number, letter or operator"


def test_a_relation_is_no_expression() -> None:
    with pytest.raises(FormulaError, match="expected an expression"):
        parse_expression("a < b")
