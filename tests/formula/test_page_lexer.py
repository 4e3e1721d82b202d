"""Every stretch of a page becomes tokens that know their place, whatever is in it."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from page_readings import tokens

from workings.formula.page.lexer import (
    MAX_NAME,
    MAX_TOKENS,
    Dialect,
    Symbols,
    cleaned,
    closing,
    page_tokens,
)


def kinds(text: str, dialect: Dialect = "math", letters: str = "", *names: str) -> list[str]:
    return [token.kind for token in tokens(text, dialect, letters, *names)]


def texts(text: str, dialect: Dialect = "math", letters: str = "", *names: str) -> list[str]:
    return [token.text for token in tokens(text, dialect, letters, *names)]


@pytest.mark.parametrize(
    ("written", "name"),
    [
        (r"N_{\text{FSDP}}", "N_FSDP"),
        (r"d_\text{model}", "d_model"),
        ("a_{ij}", "a_ij"),
        ("x_1", "x_1"),
        ("x₁₂", "x_12"),
        (r"W_{\mathrm{step 1}}", "W_step1"),
        (r"\alpha_i", "alpha_i"),
        ("α", "alpha"),
        ("𝐵", "B"),
        (r"x^{\prime}", "x_prime"),
        ("x^*", "x_*"),
        ("x'", "x_'"),
        (r"h_{kv}^{(i)}", "h_kvi"),
        (r"\varepsilon", "epsilon"),
        (r"\mathcal{L}", "L"),
        (r"\ell", "ell"),
    ],
)
def test_a_letter_keeps_its_index_and_mark(written: str, name: str) -> None:
    assert texts(written) == [name]
    assert kinds(written) == ["name"]


@pytest.mark.parametrize("written", ["57,344", "57{,}344", r"57\,344", "57\u202f344"])
def test_thousands_may_be_separated_in_many_ways(written: str) -> None:
    assert texts(written) == ["57,344"]


@pytest.mark.parametrize(
    ("written", "relation"),
    [
        (r"\approx", "≈"),
        (r"\le", "<="),
        (r"\geqslant", ">="),
        ("≤", "<="),
        (":=", "="),
        ("==", "="),
        ("＝", "="),
        (r"\Rightarrow", "=>"),
        ("→", "->"),
        (r"\iff", "<=>"),
        ("~=", "≈"),
        (r"\equiv", "="),
        ("≫", ">>"),
    ],
)
def test_relations_have_one_spelling(written: str, relation: str) -> None:
    assert [(t.kind, t.text) for t in tokens(f"a {written} b")][1] == ("relation", relation)


@pytest.mark.parametrize("written", ["×", "·", "∗", r"\cdot", r"\times", r"\ast", "*", "∙", "＊"])
def test_every_times_sign_is_one(written: str) -> None:
    assert [(t.kind, t.text) for t in tokens(f"2 {written} 3")][1] == ("operator", "*")


def test_spacing_alignment_and_labels_are_left_out() -> None:
    assert texts(r"a &= b \, + \; c \label{eq:1} \nonumber") == ["a", "=", "b", "+", "c"]
    assert texts(r"\left( x \right) \quad \begin{aligned} y \end{aligned}")[:3] == ["(", "x", ")"]


def test_lines_of_a_display_are_separated_and_lines_of_prose_too() -> None:
    assert kinds("a \\\\ b") == ["name", "break", "name"]
    assert kinds("a\nb", "math") == ["name", "name"]
    assert kinds("3\n4", "text") == ["number", "break", "number"]


def test_in_prose_letters_are_words_unless_the_document_uses_them() -> None:
    assert kinds("the BFD product", "text") == ["word"] * 3
    assert texts("the BFD product", "text", "BFD") == ["the", "B", "F", "D", "product"]
    assert kinds("d_model", "text") == ["name"]
    assert kinds("pre-training D-1", "text", "D") == ["word", "name", "operator", "number"]


def test_a_unit_made_of_known_letters_stays_a_unit() -> None:
    assert texts("80 GB", "text", "GB") == ["80", "GB"]


def test_a_range_is_no_difference() -> None:
    assert kinds("10-15GB", "text")[1] == "odd"
    assert kinds("5 - 3", "text")[1] == "operator"


def test_words_within_latex_stay_together_and_formulas_there_are_read() -> None:
    assert texts(r"\text{total memory}") == ["total memory"]
    assert texts(r"\text{2 × 3}")[:3] == ["2", "*", "3"]
    assert texts(r"\text{max}(a") == ["max", "(", "a"]


def test_a_sum_carries_its_limits() -> None:
    (token,) = tokens(r"\sum_{i=0}^{n-1}")
    assert (token.kind, token.limits) == ("sum", ("i", "0", "n-1"))
    assert kinds(r"\sum_i")[0] == "odd"


def test_digits_of_other_scripts_are_no_numbers() -> None:
    assert "number" not in kinds("٣２५", "text")


def test_a_name_too_long_is_none() -> None:
    assert kinds(rf"x_{{{'a' * (MAX_NAME - 2)}}}") == ["name"]
    assert kinds(rf"x_{{{'a' * MAX_NAME}}}") == ["odd"]


def test_a_page_of_tokens_has_an_end() -> None:
    assert len(page_tokens("1 " * (MAX_TOKENS + 9), lambda _: "text", Symbols())) == MAX_TOKENS + 1


def test_a_brace_that_is_never_closed_takes_the_rest() -> None:
    assert closing("{a{b}", 0) == 5
    assert closing(r"{a\}b}", 0) == 6
    assert cleaned(r"\text{step 1}") == "step1"


@given(st.text(max_size=60), st.sampled_from(("math", "text", "code")))
def test_tokens_of_any_text_stand_in_order_within_it(text: str, dialect: Dialect) -> None:
    found = page_tokens(text, lambda _: dialect, Symbols(frozenset("aB"), frozenset(["ab"])))
    assert found[-1].kind == "end"
    assert all(0 <= t.start <= t.end <= len(text) for t in found)
    assert all(a.start <= b.start for a, b in pairwise(found))


@pytest.mark.parametrize(
    ("written", "number"),
    [
        (r"13\text{e}9", "13e9"),
        (r"1.3\mathrm{e}10", "1.3e10"),
        (r"2\text{e-}3", "2e-3"),
        (r"6\text{E}{12}", "6e12"),
    ],
)
def test_an_upright_e_between_digits_is_a_power_of_ten(written: str, number: str) -> None:
    assert texts(written) == [number]


@pytest.mark.parametrize("written", [r"5\,\mu\mathrm{s}", r"5\mu\text{s}", r"5 \mu \text{ s }"])
def test_a_figure_before_mu_and_an_upright_s_is_in_microseconds(written: str) -> None:
    assert texts(written, "math", "s") == ["5", "µs"]


def test_mu_alone_is_a_letter() -> None:
    assert kinds(r"\mu + \mu\mathrm{x} + 5\mu") == ["name", "operator", "name", "name", "operator",
                                                   "number", "name"]  # fmt: skip
