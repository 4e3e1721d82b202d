"""Claims of a range: inside, outside, or inside under another reading."""

from pathlib import Path

import pytest
from audits import markdown_of, refusal

CLAIM = '[[claim]]\nwhat = "state"\nours = "model-state"\n'  # 3,517.6 GB
TEXT = "x\n\n```{claims} figures.toml\n```\n"


def row_of(folder: Path, claim: str) -> str:
    (folder / "figures.toml").write_text(CLAIM + claim, encoding="utf-8")
    return [line for line in markdown_of(folder, TEXT).splitlines() if line.startswith("| ")][-1]


@pytest.mark.parametrize(
    ("ends", "found"),
    [
        ('from = "1 GB"\nto = "4 TB"', "| 1 GB to 4 TB | 3,518 GB | agrees |"),
        ('from = "1 GB"', "| from 1 GB | 3,518 GB | agrees |"),
        ('below = "1 TB"', "| below 1 TB | 3,518 GB | **wrong** |"),
        ('from = "4 TB"', "| from 4 TB | 3,518 GB | **wrong** |"),
        ('says = "terabytes"\nfrom = "1 TB"\nbelow = "1000 TB"', "| terabytes | 3,518 GB | agrees |"),
        ('says = "seconds"\nfrom = "1 s"', "| seconds | 3,518 GB | **wrong** |"),  # another dimension
    ],
)
def test_a_range_agrees_where_our_value_lies_inside(tmp_path: Path, ends: str, found: str) -> None:
    assert found in row_of(tmp_path, ends)


@pytest.mark.parametrize(("end", "found"), [("to", "agrees"), ("below", "**wrong**")])
def test_the_upper_end_is_inside_or_not_as_it_says(tmp_path: Path, end: str, found: str) -> None:
    (tmp_path / "figures.toml").write_text(
        f'[[claim]]\nwhat = "TP"\nours = "tensor-inside-node n_node=8"\n{end} = "8"\n'
    )
    assert f"| {found} |" in markdown_of(tmp_path, TEXT)


def test_another_reading_that_lies_inside_makes_it_depend(tmp_path: Path) -> None:
    reading = '[[claim.reading]]\nname = "Economised"\nours = "bf16-gradient-saving"\n'
    found = row_of(tmp_path, f'to = "1 TB"\nwhy = "Two readings"\n{reading}')
    assert found == (
        "| state | to 1 TB | 3,518 GB | depends on a convention | Economised. Two readings |"
    )


@pytest.mark.parametrize(
    ("ends", "problem"),
    [
        ('says = "a lot"', "claim 1: found no range, expected from, or to or below"),
        ('claimed = "1 GB"\nto = "2 GB"', "claim 1: found more than one"),
        ('to = "1 GB"\nbelow = "2 GB"', "claim 1: found more than one"),
        ('from = "1 GB"\nto = "2 s"', "claim 1: found 1 GB and 2 s, expected one unit"),
        ('from = "much"', "claim 1: found 'much', expected a number"),
    ],
)
def test_what_is_no_range_is_refused_in_one_sentence(tmp_path: Path, ends: str, problem: str) -> None:
    (tmp_path / "figures.toml").write_text(CLAIM + ends, encoding="utf-8")
    assert problem in refusal(tmp_path, TEXT)
