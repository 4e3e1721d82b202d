"""Steps that give a name its meaning, beside what the name was said to be before."""

import pytest
from judged_pages import flagged, statements

from workings.check.verdicts import Statement, Verdict

COUNT = "The count is $P = 12 L D^2$ here. "
VALUES = "Let $L = 2$ and $D = 10$. "


def last_step(text: str) -> Statement:
    return [s for s in statements(text) if s.relation][-1]


def test_a_new_name_is_given_its_meaning() -> None:
    for text in ("$P = 12 L D^2$", "$P ≈ 12 L D^2$", "$P = 2400$"):
        assert (last_step(text).verdict, last_step(text).reason) == ("ok", "gives P its meaning")
        assert last_step(text).layer == "arithmetic"


def test_only_the_first_side_of_a_chain_is_a_name_being_defined() -> None:
    assert last_step("$2 Q = P$").verdict == "undecided"
    step = last_step("$Q = 2·3 = P$")
    assert step.reason != "gives P its meaning"
    assert last_step("$Q + 1 = P = 24$").reason != "gives P its meaning"
    assert last_step("$P > 12 L D^2$").verdict == "undecided"


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("P = 12 D^2 L", "ok"),
        ("P = 3 L (2D)^2", "ok"),
        ("P = 24 L D^2", "wrong"),
        ("P ≈ 24 L D^2", "wrong"),
        ("P = 12 L D", "wrong"),
        ("P = 12 D^2", "wrong"),
        ("P = 12", "ok"),
    ],
)
def test_a_second_formula_of_a_section_is_the_first_or_a_case_of_its_own(
    formula: str, expected: Verdict
) -> None:
    assert last_step(COUNT + f"As said, ${formula}$.").verdict == expected


def test_the_formula_contradicted_is_quoted_with_what_is_off() -> None:
    step = last_step("On top:\n\n" + COUNT + "As said, $P = 12 D^2$.")
    assert step.reason == "line 3 gives P = 12*L*D^2; the factor L is missing"
    assert (step.expected, step.layer) == ("12*L*D^2", "follows")
    twice = last_step(COUNT + "As said, $P = 24 L D^2$.")
    assert twice.reason.startswith("line 1 gives P = 12*L*D^2; at L = 7, D = 11 ")


@pytest.mark.parametrize(
    "text",
    [
        "# A\n\n" + COUNT + "\n\n# B\n\nAs said, $P = 24 L D^2$.",
        COUNT + "If $P = 24 L D^2$, we stop.",
        COUNT + "As said, $P = 24 L D E$.",
        COUNT + "As said, $P = 24$.",
        "The count is $P = Q$ here. As said, $P = 2 Q$.",
        "The count is $P = 12 L D^2 K$ here. As said, $P = 12 D^2$.",
        "The count is $P = 12 L D^2$ here. As said, $P = 5 L^3 D$.",
        "As said, $P = 24 L D^2$. # A\n\n" + COUNT,
        "The count is $P = 12 L$ here. With one layer, $P = 12$.",
        "The count is $P = 12 L D Q$ here. As said, $P = 36 L D^2$. For MoE, $Q = 5 D$.",
    ],
    ids=[
        "in another section", "in a condition", "with a new letter", "a value", "of a bare name",
        "without two letters", "nothing in common", "said later", "with a letter put in",
        "with a letter given later",
    ],
)  # fmt: skip
def test_a_formula_for_another_case_contradicts_nothing(text: str) -> None:
    assert [q for q in flagged(text) if q != "P = 12 L D^2"] == []


def test_a_meaning_said_twice_follows_from_the_first() -> None:
    step = last_step(COUNT + "As said, $P = 12 D^2 L$.")
    assert (step.layer, step.read_as) == ("follows", "12*L*D^2 = 12*D^2*L; P = 12*L*D^2 (line 1)")
    again = last_step("Let $P = 2400$. Then $P = 2.4·10^3$.")
    assert (again.layer, again.read_as) == ("follows", "2400 = 2.4e3; P = 2400 (line 1)")
    assert statements("Let $P = 2400$. " + COUNT + VALUES)[0].reason == "gives P its meaning"


def test_formulas_are_compared_down_to_their_letters() -> None:
    text = "Let $Q = 3 D$. The count is $P = 12 L D Q$ here. As said, $P = {}$."
    assert last_step(text.format("36 L D^2")).verdict == "ok"
    assert last_step(text.format("72 L D^2")).verdict == "wrong"


def test_the_last_formula_of_the_section_counts() -> None:
    text = COUNT + "With experts it is $P = 4 L D^2 + 8 L D E$. As said, $P = {}$."
    assert last_step(text.format("4 L D^2 + 16 L D E")).verdict == "wrong"
    assert last_step(text.format("8 L D E + 4 L D^2")).verdict == "ok"


def test_a_name_that_was_given_before_is_what_its_formula_gives() -> None:
    assert last_step(COUNT + VALUES + "Then $P = 2400$.").verdict == "ok"
    step = last_step(COUNT + VALUES + "Then $P = 2500$.")
    assert (step.verdict, step.expected) == ("wrong", "2,400")
    assert step.read_as == "12*2*10^2 = 2500; P = 12*L*D^2 (line 1); L = 2 (line 1); D = 10 (line 1)"


def test_a_formula_of_formulas_gives_the_value() -> None:
    text = "$P = 12 K D^2$ with $K = 2 L$. " + VALUES + "Then $P = {}$."
    assert last_step(text.format(4800)).verdict == "ok"
    assert last_step(text.format(4900)).verdict == "wrong"


@pytest.mark.parametrize(
    "text",
    [
        "# A\n\n" + COUNT + VALUES + "\n\n# B\n\nThen $P = 2500$.",
        "# A\n\n" + VALUES + "\n\n# B\n\n" + COUNT + "Then $P = 2500$.",
        COUNT + VALUES + "If $P = 2500$, we stop.",
        COUNT + VALUES + "About $P ≈ 3100$.",
        COUNT + VALUES + "Then $P < 2300$.",
        COUNT + "Let $L = 2$. Then $P = 2500$.",
        COUNT + "Then $P = 2500$. " + VALUES,
        COUNT + VALUES + "Let $L = 3$. Then $P = 2500$.",
        "Then $P = 2500$. " + COUNT + VALUES,
        COUNT + "In MoE, $P = 7 L E$ with $E = 8$. " + VALUES + "Then $P = 2500$.",
        COUNT + VALUES + "Then $P = 2500 X$.",
    ],
    ids=[
        "in another section", "with letters of another section", "in a condition", "approximate",
        "no equation", "with an unknown letter", "with letters given later",
        "with a letter of two values", "before its formula", "of two formulas", "a formula",
    ],
)  # fmt: skip
def test_a_value_for_another_case_is_not_accused(text: str) -> None:
    assert flagged(text) == []
