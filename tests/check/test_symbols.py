"""Letters and names are those that the document itself uses."""

import pytest
from judged_pages import fence, page

from workings.check.symbols import symbols_of
from workings.formula.page.lexer import Symbols


def symbols(text: str) -> Symbols:
    return symbols_of(page(text).blocks)


@pytest.mark.parametrize(
    "text",
    [
        "Let $N$ be the ranks.",
        "$$N + 1$$",
        "`N`",
        "N = 8 ranks",
        "ranks (N)",
        "| layers (N) | 80 |\n|---|---|",
        "N: the ranks",
    ],
)
def test_a_letter_is_known_once_it_stands_in_a_formula_or_is_introduced(text: str) -> None:
    assert "N" in symbols(text).letters


def test_an_article_is_no_letter() -> None:
    assert not {"a", "A", "I"} & symbols("I took a GPU. A GPU = one.").letters


def test_a_word_with_a_value_is_a_name_and_a_unit_is_none() -> None:
    assert "batch" in symbols("batch = 64").names
    assert "batch" in symbols(fence("python", "batch = 64")).names
    assert "GB" not in symbols("80 GB = 80").names


def test_what_follows_a_number_or_a_slash_is_counted_and_not_named() -> None:
    assert "GPUs" not in symbols("64 GPUs = 8").names
    assert "node" not in symbols("512 GPUs ÷ 8 GPUs/node = 64").names


def test_a_run_of_letters_is_a_name_where_the_prose_speaks_of_it() -> None:
    assert "TP" in symbols("With TP we have $TP = 8$.").names
    assert "BD" not in symbols("$B$ and $D$ give $BD$, and BD is read aloud.").names


def test_the_seconds_of_a_rate_are_no_letter() -> None:
    assert "s" not in symbols(r"A link of $50 GB/s$, or $989\ TFLOP/s$.").letters
    assert "s" in symbols("In all $2 G B/s$.").letters


@pytest.mark.parametrize("text", ["13B params = 26 GB", "7 nodes = 56 GPUs", "2.5 s = 2500 ms"])
def test_what_a_figure_counts_is_given_no_value(text: str) -> None:
    assert not symbols(text).names
