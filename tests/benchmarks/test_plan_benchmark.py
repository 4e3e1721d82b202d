"""The planner's benchmark counts what the search counts, of letters that the cost model has."""

import plan as benchmark
import pytest
from searching import rates

from workings.planning.inputs import read_job
from workings.planning.search import search
from workings.planning.stored import stored_plan


@pytest.fixture(autouse=True)
def one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "PASSES", 1)
    monkeypatch.setattr(rates, "SAMPLE", 1)


def test_every_letter_is_one_of_the_model() -> None:
    assert set(rates.FULL) <= set(stored_plan().by_letter)


def test_layouts_are_counted_as_the_search_counts_them() -> None:
    job = read_job("llama3-8b-8")
    tally = search(job, stored_plan()).tally
    rate, pruned = rates.searching(job)
    assert rates.evaluating(job, rates.STEP).layouts == tally.valid
    assert (rate.layouts, pruned) == (tally.evaluated, tally.pruned)
    assert rates.one_by_one(job, rates.STEP) > 0


def test_the_peer_is_left_out_with_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    benchmark._peer(rates.Rate(1, 1.0, 1.0), None)
    assert "llm-analysis: left out; --peer names a Python that has it" in capsys.readouterr().out


def test_the_whole_search_is_a_program_that_runs() -> None:
    exec(compile(benchmark.WHOLE, "whole", "exec"), {})  # noqa: S102 - our own lines
