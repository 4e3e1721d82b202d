"""What is kept of published formulas is so."""

import coverage
import pytest
from covering.calling import is_current
from covering.lists import FOLDER, sources

from workings.catalogue.search import called_by_sources

MATCHED = sorted(path.stem for path in (FOLDER / "matches").glob("*.toml"))


def test_the_lists_can_be_read_and_every_file_of_matches_has_one() -> None:
    lists = {source.name: source for source in sources()}
    assert sum(len(source.formulas) for source in lists.values()) > 1000
    assert set(MATCHED) <= set(lists)


def test_the_search_has_the_words_that_the_lists_have_now() -> None:
    assert is_current(), "run python benchmarks/coverage.py words"
    several = {"speculative-operations", "speculative-tokens"}  # that a formula takes together
    assert not any("Operations of a step" in called_by_sources()[id_] for id_ in several)


@pytest.mark.slow
def test_every_verdict_that_is_kept_is_what_is_computed(capsys: pytest.CaptureFixture[str]) -> None:
    if MATCHED:
        coverage.check(MATCHED)
    assert capsys.readouterr().out == ""
