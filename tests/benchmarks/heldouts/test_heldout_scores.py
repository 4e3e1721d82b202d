"""Sources count alike, few rows say nothing, and what is printed is what was computed."""

import heldout
import pytest
from heldout_row import ROW
from heldouts import scoring
from heldouts.groups import group, groups
from heldouts.printing import data, memory_of, reasons, step_of, text
from heldouts.rows import RefusedError
from heldouts.scoring import Ranged, Score, Scored, score, scored

from workings.formula import DoesNotEvaluateError
from workings.planning.cost import plan
from workings.planning.inputs import job_from_options
from workings.review.desk import Desk


def said(
    source: str, ours: float, theirs: float = 10, likely: tuple[float, float] | None = None
) -> Score:
    step = Ranged(ours, ours / 2, ours * 2, theirs, likely)
    return Score("a run", source, "NVIDIA Hopper, 16-bit", "NeMo", "dense, 3B to 20B", "step_time_s",
                 step, None, "", "GO", 0.5, ())  # fmt: skip


def test_errors_are_of_ours_over_the_published() -> None:
    one = Ranged(12, 9, 18, 10)
    assert one.error == pytest.approx(0.2)
    assert (one.inside, one.width) == (True, 2)
    assert Ranged(5, 4, 9, 10).far == pytest.approx(Ranged(20, 4, 9, 10).far)


def test_a_source_of_many_rows_counts_as_one_of_few() -> None:
    many = [said("one", 30) for _ in range(9)]
    found = group("all", [*many, said("two", 10), said("three", 11)], step_of)
    assert (found.rows, found.sources) == (11, 3)
    assert found.off == pytest.approx(2.0)
    assert found.signed == pytest.approx(0.1)
    assert found.inside == pytest.approx(2 / 3)
    assert (found.width, found.told, found.likely) == (4, 0, None)


def test_published_ranges_are_counted_where_there_are_any() -> None:
    found = group(
        "all", [said("one", 10, likely=(8, 12)), said("one", 10, 13, (8, 12)), said("two", 9)], step_of
    )
    assert (found.told, found.likely, found.likely_width) == (2, 0.5, 1.5)


def test_few_rows_or_sources_validate_nothing() -> None:
    few = [said(f"source {n}", 10) for n in range(11)]
    assert not group("all", few, step_of).validated
    assert not group("all", [said("one", 10) for _ in range(12)], step_of).validated
    assert group("all", [*few, said("one", 10)], step_of).validated


def test_groups_leave_out_rows_without_the_figure() -> None:
    some = [said("one", 10), said("two", 12)]
    assert [one.name for one in groups(some, lambda one: one.source, step_of)] == ["one", "two"]
    assert groups(some, lambda one: one.source, memory_of) == []


def test_a_row_is_scored_as_a_review_has_it() -> None:
    row = {**ROW, "step_time_s": 1.5, "peak_mem": "40 GB"}
    found = score(row)
    read = job_from_options(model="llama2-7b", gpu="h100-sxm", gpus=16, per_node=8, seq=4096,
                            global_batch=64, tp=2, dp=8, microbatch=2,
                            framework="megatron")  # fmt: skip
    desk = Desk(read, plan())
    ends = (desk.base["T_step"], desk.low["T_step"], desk.high["T_step"])
    assert (found.step.ours, found.step.low, found.step.high) == tuple(map(float, ends))
    assert found.memory is not None
    assert found.memory.ours == float(desk.base["M"])
    assert (found.device, found.program) == ("NVIDIA Hopper, 16-bit", "Megatron-LM")
    assert (found.size, found.word) == ("dense, 3B to 20B", "GO")


def test_what_the_plan_cannot_work_out_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: object) -> None:
        raise DoesNotEvaluateError("no")

    monkeypatch.setattr(scoring, "verdict", fails)
    with pytest.raises(RefusedError, match=r"^plan: no"):
        score({**ROW, "step_time_s": 1.5})


def test_refusals_are_results_too() -> None:
    found = scored([{**ROW, "step_time_s": 1.5}, {**ROW, "dp": 3, "step_time_s": 1}])
    assert len(found.scores) == 1
    (kind,) = found.refused
    assert kind.startswith("reader: launch.dp")
    assert "| 1 | 7B on 16 |" in reasons(found.refused)


def test_reading_says_no_figure_of_ours() -> None:
    told = heldout.reading([{**ROW, "step_time_s": 1.5}, {**ROW, "device": "an unknown device"}])
    assert told.startswith("1 of 2 rows read.")
    assert "| no preset: the device is not named | 1 | 7B on 16 |" in told


def test_the_tables_hold_every_group_and_the_worst_rows() -> None:
    found = Scored([said("one", 15), said("two", 40)], {"no preset: x": ["a", "b"]})
    told = text(found)
    assert told.startswith("2 of 4 rows scored.")
    assert (
        "| NVIDIA Hopper, 16-bit | 2 | 2 | 175.0 % | +175.0 % | 50 % | 4.00 | – | 0 | – | not validated |"
        in told
    )
    assert told.index("+300 %") < told.index("+50 %")
    assert "Peak memory" not in told
    assert data(found)["step"]["all"][0]["rows"] == 2
