"""What binds is one limit, one loss and one way to grow, each measured by what it takes."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest
from jobs import experts_64, gpt3_175b, llama3_8b, llama3_405b
from reviewed import review

from workings.planning.job import Job
from workings.review.constraints import binding, constraints

EVERY = pytest.mark.parametrize("make", [gpt3_175b, llama3_405b, experts_64])


@pytest.mark.parametrize("make", [gpt3_175b, llama3_405b])
def test_the_first_three_are_of_three_kinds_each_the_tightest_of_its_own(make: Callable[[], Job]) -> None:
    found = review(make()).answer.constraints
    assert [c.kind for c in found[:3]] == ["limit", "speed", "growth"]
    for first in found[:3]:
        assert first.used == max(c.used for c in found if c.kind == first.kind)


def test_growth_that_has_room_for_twice_as_much_gives_way_to_what_slows_a_step() -> None:
    found = review(experts_64()).answer.constraints
    assert [c.kind for c in found[:3]] == ["limit", "speed", "speed"]
    growth = [c for c in found if c.kind == "growth"]
    assert growth
    for one in growth:
        assert one.used <= Fraction(1, 2)
        assert one.words.startswith("not near: ")


@EVERY
def test_what_slows_a_step_is_named_with_what_the_step_would_save(make: Callable[[], Job]) -> None:
    slowing = [c for c in review(make()).answer.constraints if c.kind == "speed"]
    assert len(slowing) > 2
    for one in slowing:
        assert 0 < one.used < 1
        assert one.share
        assert one.words


def test_a_part_that_hides_gradients_is_not_what_slows_a_step_however_much_it_takes() -> None:
    found = review(llama3_405b(z_2=1, z_3=1, W_2=10**11)).answer.constraints
    slowing = {c.name: c for c in found if c.kind == "speed"}
    shares = {name: c.share or Fraction(0) for name, c in slowing.items()}
    longest = max(shares, key=lambda name: shares[name])
    assert longest == "tensor parallelism"
    assert slowing[longest].used < shares[longest] / 4
    assert "gradients hide behind it" in slowing[longest].words
    assert found[1].name != longest
    assert f"{longest} takes" in found[1].words


@pytest.mark.parametrize("faster", [1, 10])
def test_what_is_named_first_saves_more_than_a_faster_link_for_what_takes_longest(faster: int) -> None:
    job = llama3_405b(z_2=1)
    step = review(job).desk.base["T_step"]
    links = review(job.with_values({"W_1": job.values()["W_1"] * faster})).desk.base["T_step"]
    assert 1 - links / step < review(job).answer.constraints[1].used


def test_work_in_a_pipeline_saves_more_than_it_takes_where_its_bubble_shrinks_with_it() -> None:
    found = review(experts_64()).answer.constraints[1]
    assert found.share
    assert found.used > found.share
    assert "of a step, and its bubble" in found.words


def test_the_experts_traffic_is_what_slows_the_mixture() -> None:
    found = review(experts_64()).answer.constraints
    assert found[1].name == "expert parallelism"
    assert found[1].words.startswith("traffic between nodes (")


def test_a_batch_is_used_up_where_each_stage_has_one_micro_batch_of_a_turn() -> None:
    desk = review(llama3_405b()).desk
    assert desk.base["m"] == desk.base["p"] == 16
    batch = next(c for c in constraints(desk.job, desk.base) if c.name == "sequences of the batch")
    assert batch.used == 1


@pytest.mark.parametrize(("t", "named"), [(8, True), (16, False)])
def test_a_node_limits_tensor_ranks_only_up_to_its_size(t: int, named: bool) -> None:
    desk = review(llama3_405b(t=t, t_e=t)).desk
    rows = [c for c in constraints(desk.job, desk.base) if c.name == "tensor ranks of a node"]
    assert [c.used for c in rows] == ([1] if named else [])


def test_a_step_without_traffic_still_names_three() -> None:
    assert len(binding(review(llama3_8b(n=1, t=1, t_e=1, z_s=0, b=4)).answer.constraints)) == 3


def test_every_limit_that_is_passed_is_named() -> None:
    job = replace(llama3_405b(), max_time=Fraction(1), max_cost=Fraction(1))
    named = [c.name for c in binding(review(job).answer.constraints)]
    assert {"days of the run", "cost of the run", "memory of a rank"} <= set(named)
    assert len(named) == 5
