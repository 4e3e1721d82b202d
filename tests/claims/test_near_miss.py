"""A figure that misses what stands before it is shown with amounts of its own sentence only."""

from workings.claims.page import page_of
from workings.claims.rules import judged
from workings.reading.reading import read_document

PAGE = """The gated block has three matrices of 2048 × 8192, and 16,777,216 entries each, in every one
of the layers of the model that we look at here.

Together 25,165,824 × 2.

합치면 레이어당 50,313,648.
"""


def accused(text: str) -> list[str]:
    found = judged(page_of(read_document("page.md", text)))
    return [one.block.text[slice(*one.figure)] for one in found if one.word == "wrong"]


def test_what_fits_is_rounded_down() -> None:
    text = "A shelf of 12 GiB takes pages of 28 KiB each, that is {} pages."
    assert accused(text.format("449,389")) == []
    assert accused(text.format("449,390")) == []
    assert len(accused(text.format("449,189"))) == 1


def test_where_the_page_says_an_amount_otherwise_it_is_not_the_figure_that_slipped() -> None:
    text = "We write N for the weights.\n\nAt 26.4 GB/s over 13.7 s, our store takes 3,617 GB, no less."
    assert accused(text) == ["3,617 GB"]
    assert accused("The store has 264 GB/s.\n\n" + text) == []


def test_a_finding_stands_within_its_block() -> None:
    for finding in judged(page_of(read_document("page.md", PAGE))):
        assert 0 <= finding.start < finding.end <= len(finding.block.text)
