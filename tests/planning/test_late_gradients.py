"""Gradients that are reduced after the last micro-batch alone, though ranks share them."""

import pytest
from awkward import awkward, flags_of_zero

from workings.planning.flows import flows


@pytest.mark.parametrize("stage", [2, 3])
def test_until_then_each_rank_holds_all_of_them_as_they_will_be_reduced(stage: int) -> None:
    each, late = (awkward(**flags_of_zero(stage), z_each=z, v=1) for z in (1, 0))
    for name in ("first", "mid", "last"):
        assert each[f"S_g{name}"] < late[f"S_g{name}"]
        assert late[f"S_g{name}"] == late["g"] * (late[f"P_{name}"] + late[f"E_{name}"])
        assert late[f"S_w{name}"] == each[f"S_w{name}"]


@pytest.mark.parametrize("stage", [2, 3])
def test_they_are_sent_once_a_step(stage: int) -> None:
    for z, times in ((1, awkward()["m"]), (0, 1)):
        v = awkward(**flags_of_zero(stage), z_each=z, v=1)
        rows = [f for f in flows(v) if f.axis == "data" and "reduce-scattered" in f.what]
        assert [row.count for row in rows] == [times]
        sent = sum(f.count * f.bytes for f in flows(v) if f.axis == "data")
        assert sent == v["V_d"]


@pytest.mark.parametrize(("stage", "changed"), [(1, {}), (0, {}), (3, {"b": 12})])
def test_without_shared_gradients_or_with_one_micro_batch_nothing_changes(
    stage: int, changed: dict[str, int]
) -> None:
    each, late = (awkward(**flags_of_zero(stage), z_each=z, v=1, **changed) for z in (1, 0))
    assert each["M"] == late["M"]
    assert each["T_step"] == late["T_step"]


@pytest.mark.parametrize(("stage", "fewer"), [(2, True), (3, False)])
def test_only_gradients_of_whole_weights_are_added_turn_by_turn(stage: int, fewer: bool) -> None:
    """With several chunks a rank; where weights are sharded too each micro-batch is reduced."""
    v = awkward(**flags_of_zero(stage), x_turn=1)
    [row] = [f for f in flows(v) if f.axis == "data" and "reduce-scattered" in f.what]
    assert (row.count < v["m"]) == fewer
    sent = sum(f.count * f.bytes for f in flows(v) if f.axis == "data")
    assert sent == v["V_d"]
