"""Right ways with a wrong figure put in: what follows from it, and what is said of the method."""

import pytest

from workings.grade.following import places, results
from workings.grade.graded import GradedAnswer
from workings.grade.grading import grade_document
from workings.grade.keys import load_key
from workings.reading import read_document

KEY = load_key("xxl-220b")


def answer(part: str, id_: str, text: str) -> GradedAnswer:
    """What is said of one answer of a part that consists of this text."""
    found = grade_document(read_document("solution.md", f"({part})\n\n{text}"), KEY)
    return next(a for p in found.parts if p.id == part for a in p.answers if a.id == id_)


def test_a_state_follows_from_the_rounded_number_of_parameters_stated_before() -> None:
    found = answer("a", "state", "The model has 109.92B parameters.\n\n16 · 109.92B = 1758.8 GB")
    assert (found.verdict, found.method, found.marks) == ("follows through", "right", 1.0)
    assert found.said.startswith("follows from 109.92B parameters in line 3 in place of P")


def test_a_figure_farther_off_than_rounding_explains_does_not_follow() -> None:
    found = answer("a", "state", "The model has 109.92B parameters.\n\n16 · 109.92B = 1759.9 GB")
    assert found.verdict == "wrong"


def test_a_wrong_figure_that_stands_in_the_calculation_only_is_named_by_the_method() -> None:
    found = answer("a", "state", "16 × 109.92B = 1758.8 GB of state.")
    assert (found.verdict, found.method, found.marks) == ("wrong", "right", 1.0)
    assert "the key's with 109.92B in place of P" in found.method_said


def test_another_coefficient_is_no_right_method() -> None:
    found = answer("a", "state", "20 × 109.92B = 2198.4 GB of state.")
    assert (found.method, found.marks) == ("wrong", 0)


@pytest.mark.parametrize("cue", ["so", "i.e.", "that is"])
def test_devices_follow_from_a_wrong_state_and_the_method_is_right(cue: str) -> None:
    text = f"The state is 12 · 219.85B = 2638.2 GB.\n\n2638.2/80 = 32.98, {cue} 33 devices."
    found = answer("a", "devices", text)
    assert (found.verdict, found.quote, found.method) == ("follows through", "33 devices", "right")
    assert found.method_quote == "2638.2/80"


def test_a_total_follows_from_a_wrong_share_given_before_it() -> None:
    text = "The batch per device is 640 tokens, and overall 64 * 640 = 40,960 tokens."
    found = answer("c", "overall", text)
    assert (found.verdict, found.method, found.marks) == ("follows through", "right", 1.5)
    assert found.said == "follows from 640 tokens in line 3, the answer for “batch a device”"
    assert answer("c", "per-device", text).verdict == "wrong"


def test_a_total_that_is_not_64_times_the_share_does_not_follow() -> None:
    text = "The batch per device is 319.4 tokens, and overall 16 * 319.4 = 5,110 tokens."
    found = answer("c", "overall", text)
    assert (found.verdict, found.method) == ("wrong", "wrong")


@pytest.mark.parametrize(
    ("count", "said"), [("43", "one less than the right value"), ("45", "one more than the right value")]
)
def test_a_count_that_is_off_by_one_is_said_to_be(count: str, said: str) -> None:
    found = answer("a", "devices", f"So we need {count} devices.")
    assert (found.verdict, found.said) == ("wrong", said)


def test_another_value_is_tried_only_where_the_key_says_what_follows() -> None:
    per_chip = KEY.parts[2].asked[1].targets[0]
    tried = {place.letter: list(results(per_chip, place, 2 * place.value)) for place in places(per_chip)}
    assert 2 * per_chip.value in tried["B_max"]
    assert tried["T_math"] == []  # it cancels, and where it stands nothing says what D is


def test_a_few_digits_that_agree_with_some_figure_before_them_follow_from_nothing() -> None:
    text = "A chip holds 95 GB.\n\nWe have P = 188B parameters.\n\nSo the state is {}."
    assert answer("a", "state", text.format("3,008 GB")).verdict == "follows through"
    assert answer("a", "state", text.format("3 TB")).verdict == "wrong"
