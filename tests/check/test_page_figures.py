"""Figures in prose are quantities that could be right or wrong, and nothing else is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judged_pages import page

from workings.check.figures import Figure, figures_in, is_taken, merged
from workings.check.symbols import symbols_of
from workings.formula.plain import plain


def figures(text: str) -> list[Figure]:
    document = page(text)
    symbols = symbols_of(document.blocks)
    return [figure for block in document.blocks for figure in figures_in(block, symbols, [])]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("each takes 12 bytes here", "12[B]"),
        ("about ~31 days", "31[day]"),
        ("uses $2BD$ bytes", "2*B*D*1[B]"),
        ("70B parameters", "70B"),
        ("only 40% of it", "40%"),
        ("8 heads", "8"),
        ("共 80 层", "80"),
        ("is 3x faster", "3"),
        ("the 12345 things", "12345"),
        ("costs $2.50 now", "2.50[USD]"),
        ("is $\\frac{1}{2}$ of it", "1/2"),
    ],
)
def test_a_quantity_is_a_figure(text: str, read: str) -> None:
    assert [plain(figure.expression) for figure in figures(text)] == [read]


@pytest.mark.parametrize(
    "text", ["in 2024", "Section 3", "version 2.5.3", "step 4.", "letter $x$", "H100 and A100", "a 3.5"]
)
def test_years_sections_and_bare_numbers_are_none(text: str) -> None:
    assert figures(text) == []


def test_a_figure_knows_its_place_its_noun_and_what_stands_before_it() -> None:
    (figure,) = figures("We train on ~512 GPUs here.")
    assert (figure.offset, figure.noun, figure.about, figure.is_number) == (13, "GPUs", True, True)
    assert figure.before.endswith("train on ~")


stretches = st.lists(
    st.tuples(st.integers(0, 50), st.integers(0, 50)).map(lambda p: (min(p), max(p) + 1))
)


@given(stretches, st.integers(0, 60))
def test_a_place_is_taken_if_any_stretch_covers_it(taken: list[tuple[int, int]], place: int) -> None:
    assert is_taken(place, merged(taken)) == any(start <= place < end for start, end in taken)
