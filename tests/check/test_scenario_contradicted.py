"""A page that gives a letter another value than its scenario: both places are named."""

import pytest
from judged_pages import page

from workings.check.checking import check_document

FRONT = "---\nworkings: xxl-220b\n---\n\n"


def remarks(text: str, at: str | None = None) -> tuple[str, ...]:
    return check_document(page(text), at=at).notes


def test_both_values_and_their_places_are_named() -> None:
    said = "L is 100 (line {}) but 126 in the scenario (xxl-220b: blocks (layers))"
    assert remarks(FRONT + "Let L = 100.") == (said.format(5),)
    assert remarks("Let L = 100.", at="xxl-220b") == (said.format(1),)


def test_the_scenarios_value_is_told_in_the_pages_unit() -> None:
    assert remarks(FRONT + "Here $M_{max} = 80$ GB.") == (
        "M_max is 80 GB (line 5) but 95 GB in the scenario (xxl-220b: memory of one device)",
    )


@pytest.mark.parametrize(
    "text",
    ["Let L = 126 layers.", "Here $M_{max} = 95$ GB.", "With $D ≈ 16000$.", "With D = 16K.",
     "So L + 1 = 127.", "$L = L_1 + L_2$", "A letter z = 3 of its own."],
)  # fmt: skip
def test_what_agrees_or_gives_no_value_is_left_alone(text: str) -> None:
    assert remarks(FRONT + text) == ()


def test_a_page_without_a_scenario_contradicts_none() -> None:
    assert remarks("Let L = 100.") == ()


@pytest.mark.parametrize(
    "text",
    ["The width is d = 4096.", "Take $d = 4096$, the model's width, and b = 64 sequences.",
     "The hidden size is $d = 4096$.",
     "| letter | value | what |\n|---|---|---|\n| d | 4096 | width |\n"],
    ids=["before", "behind", "another word", "table"],
)  # fmt: skip
def test_a_letter_that_the_page_makes_another_concepts_contradicts_nothing(text: str) -> None:
    assert remarks(text, at="llama3-8b-8") == ()


@pytest.mark.parametrize(
    ("text", "letter"),
    [("There are d = 16 replicas.", "d"), ("With $d = 4096$ (model width), $L = 80$.", "L"),
     ("The hidden dimension is D = 5120.", "D")],
    ids=["its own word", "the word of another letter", "another word for its own"],
)  # fmt: skip
def test_words_of_the_concept_itself_excuse_no_other_value(text: str, letter: str) -> None:
    (said,) = remarks(text, at="llama3-8b-8")
    assert said.startswith(f"{letter} is ")
