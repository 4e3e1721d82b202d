"""Chains that go on in the next paragraph or display."""

import pytest
from judged_pages import flagged, statements, verdict, verdicts

from workings.check.verdicts import Verdict


@pytest.mark.parametrize("relation", ["=", "≈", "\\approx", "\\simeq"])
def test_a_paragraph_that_begins_with_a_relation_goes_on_with_the_one_before(relation: str) -> None:
    text = f"The sum is 2·70\n\n{relation} {{}}"
    assert [v for _, v in verdicts(text.format(140))] == ["ok"]
    assert flagged(text.format(150)) == [f"2·70\n\n{relation} 150"]


@pytest.mark.parametrize(
    ("bound", "expected"),
    [
        ("≤ 130", "wrong"),
        ("≤ 150", "ok"),
        ("<= 130", "wrong"),
        ("\\le 130", "wrong"),
        ("\\leq 130", "wrong"),
        ("≥ 150", "wrong"),
        ("\\ge 150", "wrong"),
        ("\\geq 130", "ok"),
        ("$>= 130$", "ok"),
    ],
)
def test_an_order_goes_on_too(bound: str, expected: Verdict) -> None:
    assert [v for _, v in verdicts(f"The sum is 2·70\n\n{bound}")] == [expected]


@pytest.mark.parametrize(
    "display",
    [
        "= {}",
        "\\begin{{aligned}} = {} \\end{{aligned}}",
        "\\begin{{align*}} & = {} \\end{{align*}}",
        "&= {}",
    ],
)
def test_a_display_goes_on_with_the_one_before(display: str) -> None:
    ((quote, found),) = verdicts(f"$$2·70$$\n\n$${display.format(140)}$$")
    assert (quote[:4], found) == ("2·70", "ok")


def test_formulas_of_letters_go_on_whatever_stands_before() -> None:
    for before in ("", "Words. ", "Words. " * 300, "Now $x$ and $y$. " * 150):
        ((quote, found),) = verdicts(before + "$a b + 2 a b$\n\n$= 3 a b$")
        assert (quote, found) == ("a b + 2 a b$\n\n$= 3 a b", "ok")
    assert [v for _, v in verdicts("$$a b + 2 a b$$\n\n$$= 3 a b$$")] == ["ok"]


def test_every_step_of_the_next_block_is_judged() -> None:
    assert flagged("The sum is 7 + 1\n\n= 8, and then 3·3 = 10") == ["3·3 = 10"]
    text = "The sum is 7 + 1\n\n= 8 = 9 = 9"
    assert verdicts(text) == [("7 + 1\n\n= 8", "ok"), ("8 = 9", "wrong"), ("9 = 9", "ok")]


def test_the_steps_of_the_block_before_are_judged_once() -> None:
    text = "We have 7 + 1 = 8\n\n= 9"
    assert verdicts(text) == [("7 + 1 = 8", "ok"), ("8\n\n= 9", "wrong")]
    assert [v for _, v in verdicts("With 3·3 = 9, and the sum is 2·70\n\n= 140")] == ["ok", "ok"]


def test_a_chain_over_three_paragraphs_goes_on() -> None:
    assert flagged("The sum is 7 + 1\n\n= 8\n\n= 2·4") == []
    assert flagged("The sum is 7 + 1\n\n= 8\n\n= 3·4") == ["8\n\n= 3·4"]


@pytest.mark.parametrize(
    "text",
    [
        "# The sum is 2·70\n\n= 150 GB",
        "The sum is 2·70\n\n=> 150 GB",
        "The sum is 2·70\n\nor 150 = 150",
        "| a | b |\n|---|---|\n| 2·70 | 3 |\n\n= 150 GB",
        "The sum is 2·70\n\n| = 150 | b |\n|---|---|\n| 1 | 3 |",
        "```\n2*70\n```\n\n= 150",
        "The sum is 2·70\n\nso it is = 150 GB",
    ],
    ids=["heading", "an arrow", "a formula of its own", "table", "in a table", "code", "words before"],
)
def test_a_block_that_goes_on_with_nothing_is_not_joined(text: str) -> None:
    assert not any(quote.startswith("2") for quote, _ in verdicts(text))
    assert flagged(text) == []


def test_a_joined_step_stands_where_its_halves_stand() -> None:
    for before in ("", "Many words. " * 200):
        (step,) = [s for s in statements(f"{before}The sum is 2·70\n\n= 150 GB") if s.relation]
        assert step.quote == "2·70\n\n= 150 GB"
        assert (step.line, step.column) == (1, len(before) + 12)
        assert (step.end_line, step.end_column) == (3, 9)


def test_formulas_keep_their_signs_when_joined() -> None:
    assert verdict("$3·3 = 9$ and $\\frac{280}{2}$\n\n$= 140$", "\\frac") == "ok"
    assert verdict("Words. " * 300 + "$\\frac{280}{2}$\n\n$= 140$", "\\frac") == "ok"
    assert verdict("$$\\frac{280}{2}$$\n\n$$= \\frac{420}{3}$$", "\\frac") == "ok"
