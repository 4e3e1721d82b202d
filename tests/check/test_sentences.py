"""Claims of sentences that can be taken one way only."""

import pytest
from judged_pages import flagged, statements

from workings.check.sentences import dimension_in_words, without_unit
from workings.formula import parse_expression
from workings.formula.plain import plain
from workings.units import BYTE, FLOP, SECOND

RIGHT = (
    "It moves 3.35 TB/s, i.e. 3.35e12 bytes/s.",
    "It takes 86,400 seconds. That's about 1 day.",
    "共需 160 GB，约合 0.16 TB。",
    "We have 3 GB, that is 1.5 GB more.",
    "It needs $2BD$ bytes from X and $2BF$ bytes to Z. In total, $2BD + 2BF$ bytes are moved.",
    "A batch of 4M tokens (1024 sequences of length 4096).",
    "A batch of 4M tokens (1024 sequences of length 3907).",
    "Total parameters: 7,000,000,000\nmemory: 28 GB",
)
WRONG = {
    "It moves 3.35 TB/s, i.e. 3.35e11 bytes/s.": "3.35e11 bytes/s",
    "It takes 86,400 seconds. That's 2 days.": "2 days",
    "共需 160 GB，约合 1.6 TB。": "1.6 TB",
    "A batch of 4M tokens (1024 sequences of length 8192).": "8192",
}


@pytest.mark.parametrize("text", RIGHT)
def test_a_sentence_that_says_the_same_is_right(text: str) -> None:
    assert flagged(text) == []


@pytest.mark.parametrize("text", WRONG)
def test_a_sentence_that_says_something_else_is_wrong(text: str) -> None:
    assert flagged(text) == [WRONG[text]]


def test_a_wrong_total_of_parts_is_found() -> None:
    text = "It needs $2BD$ bytes from X and $2BF$ bytes to Z. In total, $2BD + BF$ bytes are moved."
    assert [s.verdict for s in statements(text)][-1] == "wrong"


@pytest.mark.parametrize(("written", "bare"), [("B*D*1", "B*D*1"), ("B*D", "B*D"), ("B + D", "B + D")])
def test_a_formula_without_a_unit_stays_itself(written: str, bare: str) -> None:
    assert plain(without_unit(parse_expression(written))) == bare


def test_a_name_may_say_its_dimension() -> None:
    assert dimension_in_words("Communication Bytes") == BYTE
    assert dimension_in_words("Accelerator FLOPs/s") in (FLOP / SECOND, FLOP)
    assert dimension_in_words("Number of layers") is None
    assert dimension_in_words("") is None
