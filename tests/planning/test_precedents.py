"""A job without a layout gets that of a published run of its model, if none is known to be faster."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sweep_files import JOB, reading

from workings.cli import main
from workings.planning.accuracy import LETTERS, Run
from workings.planning.choice import first_choice, likely_step, wishes
from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.generations import generation
from workings.planning.job import Job
from workings.planning.pairs import pair_error
from workings.planning.precedents import precedents
from workings.planning.precision import precision
from workings.planning.search import Option, search
from workings.planning.utilization import COUNTED, HALF

OPEN = JOB.replace("tp = 2\n", "").replace('"4M"', "512").replace("devices = 64", "devices = 8")
PUBLISHED = {"t": 4, "p": 2, "v": 2}  # which no search names first


@pytest.fixture
def job(tmp_path: Path) -> Job:
    return reading(tmp_path, OPEN)({})


def publish(monkeypatch: pytest.MonkeyPatch, job: Job, step: Fraction, **other: Any) -> None:
    """One published run of the job's model and batch in a layout, which took so many seconds."""
    v = job.values()
    layout = {"c": 1, "e": 1, "z_3": 0, "z_f": 0, **PUBLISHED, **other}
    values = {n: Fraction(layout.get(n, v[n])) for n in LETTERS}
    found = exactly(plan(), {**v, COUNTED: HALF}, ["T_step", "u"])
    run = Run(generation(job.device), precision(job), Fraction(1), values, "somebody", name="a run",
              mfu=found["T_step"] * found["u"] / step, figure=step * v["n"] / values["n"])  # fmt: skip
    monkeypatch.setattr("workings.planning.precedents.step_times", lambda: (run,))


def fastest(job: Job) -> Option:
    """The best of a search that knows no published run."""
    return search(job, plan(), wishes(job)._replace(precedents=())).best[0]


def half_way(job: Job, times: Fraction) -> Fraction:
    """A published step that lies, half-way to the P50 of that layout, so many times the least P50."""
    only = {letter: [value] for letter, value in PUBLISHED.items()}
    there = search(job, plan(), wishes(job)._replace(precedents=(), only={**only, "microbatch": [1]}))
    return (likely_step(job, fastest(job)) * times) ** 2 / likely_step(job, there.best[0])


def first(job: Job, **asked: Any) -> Mapping[str, int]:
    """The layout that is named first."""
    found = first_choice(job, search(job, plan(), wishes(job)._replace(**asked)), plan())
    assert found is not None
    return {n: found.layout[n] for n in PUBLISHED}


def test_a_published_layout_whose_step_is_hardly_longer_than_the_least_comes_first(
    monkeypatch: pytest.MonkeyPatch, job: Job
) -> None:
    step = half_way(job, 1 + pair_error() / 2)
    publish(monkeypatch, job, step)
    assert [precedent.step for precedent in precedents(job, plan())] == [step]
    assert first(job) == PUBLISHED
    publish(monkeypatch, job, half_way(job, 1 + pair_error() * 2))
    assert first(job) != PUBLISHED


@pytest.mark.parametrize(
    "other", [{"n": 16}, {"s": 2048}, {"D": 8192}, {"V": 1000}, {"z_f": Fraction(1, 3)}]
)
def test_runs_of_another_model_length_or_number_of_devices_are_none(
    monkeypatch: pytest.MonkeyPatch, job: Job, other: dict[str, int]
) -> None:
    publish(monkeypatch, job, half_way(job, Fraction(1)), **other)
    assert not list(precedents(job, plan()))
    assert first(job) != PUBLISHED


def test_of_one_layout_the_fastest_run_counts_and_a_batch_of_another_size_does_not(
    monkeypatch: pytest.MonkeyPatch, job: Job
) -> None:
    step = likely_step(job, fastest(job))
    runs = []
    for times, size in ((2, 1), (1, 1), (Fraction(1, 2), 4)):
        publish(monkeypatch, job, step * times)
        run = next(precedents(job, plan())).run
        runs.append(replace(run, figure=run.figure * size))
    monkeypatch.setattr("workings.planning.precedents.step_times", lambda: tuple(runs))
    assert [found.step for found in precedents(job, plan())] == [step]


def test_what_is_asked_of_a_search_holds_for_published_layouts_too(
    monkeypatch: pytest.MonkeyPatch, job: Job
) -> None:
    publish(monkeypatch, job, half_way(job, Fraction(1)))
    assert first(job) == PUBLISHED
    assert first(job, only={"tp": [1, 4], "zero": [0, 1]}) == PUBLISHED
    assert first(job, only={"tp": [1, 2]})["t"] in (1, 2)


def test_a_published_layout_whose_memory_is_not_go_does_not_come_first(
    monkeypatch: pytest.MonkeyPatch, job: Job
) -> None:
    publish(monkeypatch, job, half_way(job, Fraction(1)))
    monkeypatch.setattr("workings.planning.choice.holds_surely", lambda *_: False)
    assert first(job) != PUBLISHED


def test_plan_says_which_layout_was_published(
    monkeypatch: pytest.MonkeyPatch, job: Job, tmp_path: Path
) -> None:
    publish(monkeypatch, job, half_way(job, Fraction(1)))
    file = tmp_path / "open.toml"
    file.write_text(OPEN, encoding="utf-8")
    done = CliRunner().invoke(main, ["plan", str(file)])
    assert done.output.splitlines()[1].endswith("published")
    assert "the first is a layout of a published run (somebody), at whose MFU a step takes" in done.output
