"""Claims in the order of a text's lines: words, assertion, numbers, verdict, and the checker's own."""

from pathlib import Path

import pytest
from auditing.facts import facts_of, written
from audits import markdown_of, refusal

TEXT = b"Weights take 880 GB.\n\nThe bubble is `(p - 1)/(2*m)`, so `2 * 3 = 7`.\n\nIt needs 1,956 s.\n"
FIGURES = """
scenario = "xxl-220b"

[[claim]]
what = "time"
place = "5:10"
quote = "1,956 s"
claimed = "1,956 s"
ours = "forward-compute-time batch=16"

[[claim]]
what = "weights"
place = "1:14"
quote = "880 GB"
claimed = "880 GB"
ours = "4[byte]*{ffn-parameters}"
"""
FORMULAS = """
[[claim]]
what = "bubble"
place = "3:15"
quote = "(p - 1)/(2*m)"
says = "(p - 1)/(2*m)"
ours = "pipeline-bubble"

[[claim]]
what = "a product"
place = "3:35"
quote = "2 * 3 = 7"
claimed = "7"
ours = "world-size t=2 c=1 p=3 d=1"
"""
TABLE = "```{quoted} other\n:text: page\n:facts: facts.json\n```\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A report's folder, with the report whose claims it quotes beside it."""
    other, here = tmp_path / "other", tmp_path / "here"
    other.mkdir()
    here.mkdir()
    (other / "page-figures.toml").write_text(FIGURES)
    (other / "page-formulas.toml").write_text(FORMULAS)
    (here / "facts.json").write_text(written([facts_of("page", TEXT)]))
    return here


def row(page: str, quote: str) -> list[str]:
    """The cells of the row with this quote."""
    lines = [line for line in page.split("\n") if f"`{quote}`" in line]
    assert len(lines) == 1, page
    return [cell.strip() for cell in lines[0].strip("|").split(" | ")]


def test_claims_stand_in_the_order_of_the_text(folder: Path) -> None:
    rows = [line for line in markdown_of(folder, TABLE).split("\n") if "by itself" in line]
    assert [line.split()[1] for line in rows] == ["1", "3", "3", "5"]


def test_a_figure_stands_beside_the_numbers_that_it_comes_from(folder: Path) -> None:
    _, _, asserts, evidence, verdict = row(markdown_of(folder, TABLE), "880 GB")
    assert asserts == "weights: 880 GB"
    assert r"4\,\text{bytes} \times 219{,}848{,}638{,}464 \approx 879.4\,\text{GB}" in evidence
    assert verdict.startswith("agrees after rounding; by itself: ")


def test_a_wrong_formula_is_shown_to_be_wrong_at_a_point(folder: Path) -> None:
    _, _, _, evidence, verdict = row(markdown_of(folder, TABLE), "(p - 1)/(2*m)")
    assert evidence.startswith("pipeline-bubble: It is 1/2 of ours. At $`p = 2`$, $`m = ")
    assert verdict.startswith("**wrong**")


def test_the_scenario_of_a_file_is_used(folder: Path) -> None:
    assert "0.4894" in row(markdown_of(folder, TABLE), "1,956 s")[3]


def test_what_the_checker_said_of_the_same_words_is_beside_it(folder: Path) -> None:
    assert row(markdown_of(folder, TABLE), "2 * 3 = 7")[4] == "**wrong**; by itself: wrong"


def test_wrong_claims_are_counted_by_what_the_checker_made_of_them(folder: Path) -> None:
    page = markdown_of(folder, f"{TABLE}\n```{{quoted}}\n```\n")
    counts = next(line for line in page.split("\n") if line.startswith("| page | 4 | 3 | 1 |"))
    read, unread = (int(cell) for cell in counts.strip("| ").split(" | ")[4:])
    assert read + unread == 2


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("```{quoted}\n```\n", "{quoted}: found no such table above it"),
        (TABLE.replace("other", "../other"), "found '../other', expected a report beside this one"),
        (TABLE.replace("other", "third"), "found 'third', expected a report beside this one"),
        (TABLE.replace(":text: page", ":text: leaf"), "found no facts on 'leaf'"),
        (TABLE.replace("facts.json", "nothing.json"), "found 'nothing.json', expected a JSON file"),
    ],
)
def test_what_is_not_there_is_said_in_a_sentence(folder: Path, text: str, sentence: str) -> None:
    assert sentence in refusal(folder, text)


def test_a_claim_without_its_place_is_refused_by_its_number(folder: Path) -> None:
    path = folder.parent / "other" / "page-figures.toml"
    path.write_text(path.read_text().replace('place = "1:14"\n', ""))
    assert "page-figures.toml, claim 2: found place ''" in refusal(folder, TABLE)
