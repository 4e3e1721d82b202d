"""Fractions that are a part of something else are not accused for what they come to by themselves."""

import pytest

from workings.claims.page import page_of
from workings.claims.rules import judged
from workings.reading.reading import read_document


def accused(text: str) -> list[str]:
    found = judged(page_of(read_document("page.md", text)))
    return [one.block.text[slice(*one.figure)] for one in found if one.word == "wrong"]


@pytest.mark.parametrize(
    "text",
    [
        "The dump has 213 GB in all, of which a host keeps 1/16 = 13.3 GB.",
        "Der Rest sind 15/16 = 199,7 GB.",
        "其中 3/8 = 80 GB 留在本机。",
        "A shift is 1/3 day = 8 h.",
        "The lane has 1/8 TB = 125 GB.",
    ],
)
def test_a_share_may_be_of_what_was_said_before_or_of_a_unit(text: str) -> None:
    assert accused(text) == []


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("We lose 1/16 = 0.625 s.", "0.625 s"),  # a power of ten apart
        ("It waits for 30/48 = 1.6 s.", "1.6 s"),  # no fraction that anybody calls a share
        ("A part is 3/8 = 0.357.", "0.357"),
        ("A shift is 1/3 day = 9 h.", "9 h"),
        ("The lane has 1/8 TB = 12.5 GB.", "12.5 GB"),
    ],
)
def test_other_quotients_are(text: str, figure: str) -> None:
    assert accused(text) == [figure]
