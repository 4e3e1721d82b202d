"""What a review says of the model's errors is what the validation found, run by run."""

import statistics
import tomllib
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from validation import EVIDENCE, evidence

from workings.planning import accuracy
from workings.planning.generations import generation

MEASURED = Path(__file__).parents[2] / "reports" / "validation" / "measured.toml"


def rows(table: str) -> list[list[str]]:
    found = tomllib.loads(MEASURED.read_text(encoding="utf-8"))[table]["rows"]
    assert isinstance(found, list)
    return found


@pytest.mark.slow
def test_the_runs_that_reviews_cite_are_those_of_the_validation() -> None:
    assert evidence() == EVIDENCE.read_text(encoding="utf-8"), (
        "run `python benchmarks/validation.py --write`"
    )


def test_the_median_error_is_that_of_the_report() -> None:
    (_, error, runs), (_, _, peaks) = rows("cited")
    assert f"{float(accuracy.model_error()) * 100:.1f}" == error
    assert len(accuracy.step_times()) == int(runs)
    assert len(accuracy.peaks()) == int(peaks)


def test_eight_of_ten_published_figures_lie_where_the_report_says() -> None:
    time = accuracy.step_times()
    kinds = [
        [r for r in time if not r.values["z_2"] and not r.values["E"]],
        [r for r in time if not r.values["z_2"] and r.values["E"]],
        [r for r in time if r.values["z_2"]], accuracy.peaks(),
    ]  # fmt: skip
    for row, runs in zip(rows("spread"), kinds, strict=True):
        found = accuracy.spread(runs)
        assert found is not None
        assert [f"{float(end):.3f}" for end in found] == row[1:4]


def test_what_runs_had_and_the_errors_there_are_those_of_the_report() -> None:
    for row, one in zip(rows("axes"), accuracy.evidence(accuracy.step_times()), strict=True):
        name, count, median, signed = row
        assert (name, int(count)) == (one.feature.name, one.rows)
        if one.rows:
            assert f"{float(one.median) * 100:.1f}" == median
            assert f"{float(one.signed) * 100:+.1f}" == signed


def test_every_device_and_precision_of_the_report_has_its_own_runs_and_no_others() -> None:
    seen = 0
    for what, where, precision, count, _, signed, _ in rows("devices"):
        every = accuracy.step_times() if what == "step time" else accuracy.peaks()
        found = accuracy.alike(every, where, precision)
        assert len(found) == int(count)
        middle = statistics.median(float(run.error) for run in found)
        assert f"{middle * 100:+.1f}" == signed
        seen += len(found)
    assert seen == len(accuracy.step_times()) + len(accuracy.peaks())
    assert not accuracy.alike(accuracy.step_times(), "", "16-bit")


def test_of_too_few_runs_no_range_is_told() -> None:
    of = {run.source: run for run in accuracy.step_times()}
    *few, another = list(of.values())[: accuracy.SOURCES]
    many = [run for run in accuracy.step_times() if run.source in {one.source for one in few}]
    assert accuracy.spread(few) is None
    assert accuracy.spread(many) is None  # however many runs they have
    assert accuracy.spread((*few, another)) is not None


def test_of_nine_sources_the_first_is_p10_the_fifth_the_median_and_the_last_p90() -> None:
    model = accuracy.step_times()[0]
    nine = [replace(model, ratio=Fraction(place), source=f"paper {place}") for place in range(1, 10)]
    again = [one for one in nine for _ in range(3 if one.source == "paper 9" else 1)]
    ends = accuracy.Spread(*map(Fraction, (1, 5, 9)))
    assert accuracy.spread(nine) == accuracy.spread(again) == ends


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("NVIDIA H100 SXM, 80 GB", "NVIDIA Hopper"), ("h800", "NVIDIA Hopper"),
        ("DGX-H200", "NVIDIA Hopper"), ("NVIDIA H20 SXM, 96 GB", "NVIDIA Hopper, throttled"),
        ("NVIDIA GH200, 96 GB", "NVIDIA Grace Hopper"),
        ("AMD Instinct MI300X", "AMD CDNA 3"), ("Tesla V100-SXM3-32GB", "NVIDIA Volta"),
        ("NVIDIA A100-SXM4-80GB", "NVIDIA Ampere"), ("GB200 NVL72", "NVIDIA Blackwell"),
        ("TPU v5p", "TPU v5p"), ("tpu-v5e", "TPU v5e"), ("TPU_v4", "TPU v4"),
        ("H1000", ""), ("", ""), ("an accelerator", ""), ("RH100", ""),
    ],
)  # fmt: skip
def test_a_device_s_generation_is_told_by_its_name_or_not_at_all(name: str, found: str) -> None:
    assert generation(name) == found
