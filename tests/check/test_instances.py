"""A value that is what the name's own formula comes to is no second meaning of the name."""

import pytest
from judged_pages import flagged, page, statements

from workings.check.checking import check_document

STATES = """Let $P = 7 \\times 10^9$.

The states take $S = 16 P$ bytes. In numbers $S = {value}$ GB.

Four of them take $4 S = {right}$.
"""


def notes(text: str) -> tuple[str, ...]:
    return check_document(page(text)).notes


def test_a_step_after_the_value_is_still_held_against_the_formula() -> None:
    assert flagged(STATES.format(value=112, right="32 P")) == ["4 S = 32 P"]
    assert flagged(STATES.format(value=112, right="64 P")) == []


def test_the_value_of_a_formula_is_not_remarked_as_a_second_meaning() -> None:
    assert notes(STATES.format(value=112, right="64 P")) == ()


def test_a_value_that_the_formula_does_not_have_is() -> None:
    (note,) = notes(STATES.format(value=28, right="64 P"))
    assert note.startswith("S stands for two things: 16*P B (line 3) and 28 GB")


NOW = "With $t = 8$ the share is $1/t = 0.125$.\n\n{words} $t = 4$; then $1/t = {share}$.\n"


@pytest.mark.parametrize("words", ["Now take", "Let", "Suppose instead", "With"])
def test_an_older_value_no_longer_makes_a_step_right(words: str) -> None:
    last = statements(NOW.format(words=words, share="0.125"))[-1]
    assert last.verdict == "depends"
    assert last.reason == "holds with t = 8, not the 4 of line 3"


def test_the_newer_value_does() -> None:
    assert statements(NOW.format(words="Now take", share="0.25"))[-1].verdict == "ok"


def test_a_value_given_on_purpose_is_no_clash() -> None:
    assert notes(NOW.format(words="Now take", share="0.25")) == ()
    assert notes(NOW.format(words="The table has", share="0.25")) != ()
