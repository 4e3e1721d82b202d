"""The handouts that ship: their solutions have full marks by their own keys."""

from pathlib import Path

import pytest
from documents import run

HANDOUTS = Path(__file__).parents[2] / "reports" / "handouts"
NAMES = ("configurations", "find-the-mistake", "linear-nets", "xxl")


def test_the_handouts_that_ship_are_those_that_are_tested() -> None:
    assert sorted(source.parent.name for source in HANDOUTS.glob("*/source.md")) == list(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_solutions_have_full_marks_by_their_own_key(name: str) -> None:
    folder = HANDOUTS / name
    said = run("grade", str(folder / "source.md"), str(folder / "report.md")).output
    assert "unsure  " not in said
    assert "wrong  " not in said
    assert "no answer found" not in said
