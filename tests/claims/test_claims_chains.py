"""Chains of relations: what stands on their sides."""

from workings.claims.page import page_of
from workings.claims.rules import judged
from workings.marks.tree import Letter, Operation
from workings.reading import read_document


def test_the_letter_of_a_part_in_brackets_multiplies_nothing() -> None:
    for mark in ("(b)", "(iii)", "(2)"):
        (claim,) = page_of(read_document("page.md", f"{mark} N = 155")).chains
        assert isinstance(claim.left, Letter), mark
        assert claim.left.name == "N"


def test_a_bracket_that_is_a_factor_stays() -> None:
    (claim,) = page_of(read_document("page.md", "(3) × 4 = 12")).chains
    assert isinstance(claim.left, Operation)


def accused(text: str) -> list[str]:
    found = judged(page_of(read_document("page.md", text)))
    return [one.block.text[slice(*one.figure)] for one in found if one.word == "wrong"]


def test_a_sign_may_only_part_two_equations() -> None:
    for text in (
        "Two sizes: 18 × 7 = 126 GB / 18 × 13 = 234 GB.",
        "Hops: 8 - 1 = 7 hops / 4·8 - 1 = 31 hops.",
        "We add: 12 × 3 = 36 + 5 = 41.",
    ):
        assert accused(text) == [], text
    assert accused("Two sizes: 18 × 7 = 126 GB / 18 × 13 = 243 GB.") == ["243 GB"]
    assert accused("We add: 12 × 3 = 36 + 5 = 43.") == ["43"]
