"""A step without one of its parts is the step of a plan in which that part takes nothing."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from jobs import deepseek_v3, experts_64, gpt3_175b, llama3_8b, llama3_405b

from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.job import Job
from workings.planning.savings import WITHOUT, without
from workings.planning.waterfall import waterfall

EVERY = pytest.mark.parametrize("make", [gpt3_175b, llama3_405b, experts_64, llama3_8b, deepseek_v3])
PLAN = plan()


def step(job: Job, **changed: float | Fraction) -> Fraction:
    values = job.values() | {name: Fraction(value) for name, value in changed.items()}
    return exactly(PLAN, values, ["T_step"])["T_step"]


def step_without(job: Job, part: str) -> Fraction:
    return without(PLAN, exactly(PLAN, job.values()), part)["T_step"]


@EVERY
@pytest.mark.parametrize(
    ("part", "changed"),
    [
        ("tensor parallelism", {"h_t": 1}),
        ("pipeline sends", {"h_p": 1}),
        ("data parallelism", {"g": 0, "w": 0}),
        ("computed again", {"z_c": 0, "z_f": 0}),
    ],
)
def test_a_part_is_gone_where_inputs_make_it_free(
    make: Callable[..., Job], part: str, changed: dict[str, int]
) -> None:
    instant = {"alpha_1": 0, "alpha_2": 0}  # no bytes, and no time to start
    others = {"computed again": {"z_f": 1, "z_c": 0}, "data parallelism": instant}
    job = make(**others.get(part, {}))
    assert step_without(job, part) == step(job, **changed)


@EVERY
def test_every_part_but_the_model_s_own_work_can_be_taken_away(make: Callable[..., Job]) -> None:
    v = exactly(PLAN, make(z_f=1).values())
    own = {"matrix products", "attention's core", "logits and loss"}
    parts = {span.name for span in waterfall(v)} - own
    assert parts <= set(WITHOUT)
    for part in parts:
        assert without(PLAN, v, part)["T_step"] < v["T_step"]


def test_compute_that_gradients_hide_behind_saves_less_than_it_takes() -> None:
    job = llama3_405b(z_2=1, W_2=4_000_000_000)
    v = exactly(PLAN, job.values())
    assert v["T_d"] - v["T_ends"] > v["T_hide"]
    takes = next(span.seconds for span in waterfall(v) if span.name == "tensor parallelism")
    assert v["T_step"] - step_without(job, "tensor parallelism") < takes / 2


@pytest.mark.parametrize(
    "part", ["norms, activations", "tensor parallelism", "expert parallelism", "optimizer"]
)
def test_in_one_stage_whose_gradients_hide_a_part_saves_what_it_takes(part: str) -> None:
    job = experts_64(p=1, v=1, W_2=10**15, W_3=10**15)
    v = exactly(PLAN, job.values())
    assert v["T_sync"] == v["T_ends"]
    takes = next(span.seconds for span in waterfall(v) if span.name == part)
    assert v["T_step"] - step_without(job, part) == takes


def test_traffic_to_experts_that_had_the_network_to_itself_uncovers_no_gradients() -> None:
    job = experts_64(p=1, v=1, e=16, t_e=1, V=0, W_2=10**9)
    v = exactly(PLAN, job.values())
    assert v["q_e"] == 1
    assert v["T_sync"] > v["T_ends"]
    assert v["T_step"] - step_without(job, "expert parallelism") == v["m"] * v["L"] * v["T_e"]
