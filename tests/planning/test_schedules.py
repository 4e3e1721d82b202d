"""Schedules beside 1F1B, each against its schedule run task by task, and what its ranks hold."""

from fractions import Fraction

import pytest
from awkward import awkward

from workings.planning.schedules import in_words, schedule
from workings.planning.waterfall import waterfall
from workings.simulate.dualpipe import dualpipe
from workings.simulate.zero_bubble import zb_h1

# Twelve blocks without experts on four stages alike; a vocabulary so small that the head is nearly none.
ALIKE = {"v": 1, "L": 12, "L_E": 0, "V": 4, "p": 4, "b": 96, "z_s": 0, "z_c": 0}
STAGES = ("first", "mid", "last")


def alike(**changed: int | Fraction) -> dict[str, Fraction]:
    return awkward(**{**ALIKE, **changed})


def test_the_bubble_of_zb_h1_is_that_of_its_schedule() -> None:
    v = alike(z_zb=1)
    times = (v["T_F"], v["T_B"], v["T_W"])
    run = zb_h1(int(v["p"]), int(v["m"]), *times)
    assert v["T_idle"] == run.idle(0) > 0
    assert sum(times) * v["p"] == v["T_all"]
    assert v["T_idle"] < alike()["T_idle"]


def test_the_bubble_of_dualpipe_is_that_of_its_schedule() -> None:
    v = alike(z_bi=1)
    longer = sorted([v["T_F"], v["T_B"]])[-1]
    run = dualpipe(int(v["p"]), int(v["m"]), longer, v["T_B"], v["T_W"], v["T_max"])
    assert v["T_idle"] == run.idle(int(v["p"]) // 2) > 0


def test_ranks_of_dualpipe_hold_two_stages_and_a_micro_batch_more_than_there_are_stages() -> None:
    """The first and the last stage are on one rank, as are two between; all are alike but for tables."""
    one, both = alike(), alike(z_bi=1)
    assert both["P_first"] == both["P_last"] == one["P_first"] + one["P_last"]
    assert both["P_mid"] == 2 * one["P_mid"]
    for stage in STAGES:
        assert both[f"A_{stage}"] == (both["p"] + 1) * 3 * both["A_kept"]
    shared = alike(z_bi=1, z_1=1)
    assert shared["n_o"] == shared["N"] == 2 * alike(z_1=1)["n_o"]
    assert shared["S_omid"] == alike(z_1=1)["S_omid"]


def test_ranks_of_dualpipe_at_both_ends_share_the_head_in_turns() -> None:
    """With a head that outweighs blocks the ends are the slowest, and half of it falls to each."""
    v = alike(z_bi=1, V=10**6)
    assert v["T_max"] == (6 * v["T_blk"] + v["T_head"]) / 2
    assert sum(span.seconds for span in waterfall(v)) == v["T_step"]


def test_every_stage_of_zb_h1_holds_what_the_first_of_1f1b_does() -> None:
    one, split = alike(), alike(z_zb=1)
    for stage in STAGES:
        assert split[f"A_{stage}"] == one["A_first"]


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("z_bi", {"p": 3, "n": 144}), ("z_bi", {"b": 36}), ("z_bi", {"v": 2}), ("z_zb", {"v": 2}),
        ("z_zb", {"p": 1, "n": 48}), ("z_bi", {"p": 1, "n": 48}), ("z_zb", {"b": 12}),
    ],
)  # fmt: skip
def test_a_layout_that_cannot_run_a_schedule_runs_1f1b(name: str, changed: dict[str, int]) -> None:
    asked, plain = (alike(**changed, **{name: z}) for z in (1, 0))
    assert schedule(asked) == "1f1b"
    assert not in_words(asked)
    for letter in ("T_step", "M"):
        assert asked[letter] == plain[letter]


def test_a_layout_that_can_says_so() -> None:
    assert schedule(alike(z_zb=1)) == "zero-bubble"
    assert "DualPipe" in in_words(alike(z_bi=1))
    assert not in_words(alike())
