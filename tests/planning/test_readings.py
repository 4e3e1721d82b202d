"""What is drawn from the cost model: ledger, waterfall, flows, elasticities."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import isclose

import pytest
from jobs import deepseek_v3, experts_64, gpt3_175b, llama3_8b, llama3_405b

from workings.planning.cost import plan
from workings.planning.elasticity import BRANCH, RELAXED, elasticities
from workings.planning.exact import exactly
from workings.planning.flows import flows
from workings.planning.job import Job
from workings.planning.ledger import fullest_stage, ledger
from workings.planning.measure import effects, first_to_measure
from workings.planning.shares import worth
from workings.planning.waterfall import slowest_stage, waterfall
from workings.planning.working import working

EVERY = pytest.mark.parametrize("make", [gpt3_175b, llama3_405b, experts_64, llama3_8b, deepseek_v3])
PLAN = plan()


def at(job: Job) -> dict[str, Fraction]:
    return exactly(PLAN, job.values())


@EVERY
@pytest.mark.parametrize("stage", ["first", "last"])
def test_the_accounts_add_up_at_every_moment(make: Callable[..., Job], stage: str) -> None:
    found = ledger(at(make(w_t=4)), stage)
    for moment, total in enumerate(found.totals):
        assert sum(a.bytes for a in found.accounts if moment in a.moments) == total


@pytest.mark.parametrize("changed", [{}, {"w_g": 64}, {"w_g": 64, "V": 1, "s": 64, "z_2": 0, "z_3": 0}])
def test_accounts_add_up_where_gradients_are_given_back(changed: dict[str, int]) -> None:
    job = llama3_8b(p=1, v=1, t=1, c=1, n=8, b=8, b_m=1, z_k=0, **{"z_f": 1, **changed})
    for stage in ("first", "last"):
        found = ledger(at(job), stage)
        for moment, total in enumerate(found.totals):
            assert sum(a.bytes for a in found.accounts if moment in a.moments) == total
    (gradients,) = (a for a in found.accounts if a.name == "gradients")
    assert 0 not in gradients.moments


def test_the_fullest_stage_is_the_one_whose_peak_is_the_plan_s() -> None:
    v = at(gpt3_175b())
    assert v[f"M_{fullest_stage(v)}"] == v["M"] == max(ledger(v).totals)


@EVERY
def test_the_parts_of_a_step_add_up_to_it(make: Callable[..., Job]) -> None:
    v = at(make())
    assert sum(span.seconds for span in waterfall(v)) == v["T_step"]


@pytest.mark.parametrize("make", [gpt3_175b, experts_64, llama3_8b])
def test_what_is_computed_again_is_a_forward_and_nothing_where_nothing_is(
    make: Callable[..., Job],
) -> None:
    none, all_ = (at(make(z_c=0, z_f=z_f)) for z_f in (0, 1))
    assert "computed again" not in {span.name for span in waterfall(none)}
    again = next(span.seconds for span in waterfall(all_) if span.name == "computed again")
    assert again == all_["m"] * worth(slowest_stage(all_)[1], all_) * none["T_fwd"]


@EVERY
def test_no_flow_hides_more_than_it_takes(make: Callable[..., Job]) -> None:
    for flow in flows(at(make())):
        assert 0 <= flow.exposed <= flow.seconds
        assert flow.bytes > 0


def test_a_layout_without_an_axis_has_no_flow_of_it() -> None:
    assert {f.axis for f in flows(at(llama3_8b()))} == {"tensor", "data"}
    axes = dict.fromkeys(f.axis for f in flows(at(experts_64())))
    assert list(axes) == ["tensor", "expert", "expert tensor", "pipeline", "data", "expert data"]
    assert "expert tensor" not in {f.axis for f in flows(at(experts_64(t_e=1)))}


SHARDED = ({"z_1": 0}, {"z_1": 1}, {"z_1": 1, "z_2": 1}, {"z_1": 1, "z_2": 1, "z_3": 1})


@pytest.mark.parametrize("copies", [1, 2])
@pytest.mark.parametrize("shared", SHARDED)
@pytest.mark.parametrize("make", [gpt3_175b, experts_64, llama3_8b])
def test_the_passes_of_the_data_axes_are_all_that_they_move(
    make: Callable[..., Job], shared: dict[str, int], copies: int
) -> None:
    v = at(make(**shared, n_r=copies))
    for axis, total in (("data", "V_d"), ("expert data", "V_x")):
        passes = [f for f in flows(v) if f.axis == axis]
        assert sum(f.bytes * f.count for f in passes) == v[total]
    assert sum(f.exposed for f in flows(v) if f.axis.endswith("data")) == v["T_sync"]


@pytest.mark.parametrize(
    ("shared", "said"),
    [
        (SHARDED[0], {"gradients all-reduced": 1}),
        (SHARDED[1], {"gradients reduce-scattered": 1, "new weights all-gathered": 1}),
        (SHARDED[2], {"gradients reduce-scattered, after each micro-batch": 16,
                      "new weights all-gathered": 1}),
        ({**SHARDED[2], "x_turn": 1}, {"gradients reduce-scattered, after each 8 micro-batches": 2,
                                       "new weights all-gathered": 1}),
        (SHARDED[3], {"gradients reduce-scattered, after each micro-batch": 16,
                      "weights all-gathered, before each forward and backward": 32}),
    ],
)  # fmt: skip
def test_what_sharding_moves_is_told_collective_by_collective(
    shared: dict[str, int], said: dict[str, int]
) -> None:
    v = at(gpt3_175b(b=128, **shared))
    assert v["m"] == 16
    assert {f.what: f.count for f in flows(v) if f.axis == "data"} == said


@pytest.mark.parametrize("result", ["M", "T_step"])
def test_an_elasticity_is_the_slope_that_a_small_change_shows(result: str) -> None:
    v = at(gpt3_175b(h_d=0))
    given = {name: v[name] for name in PLAN.letters}
    smooth = (
        "C", "eta", "eta_1", "eta_2", "W_1", "W_2", "s", "D", "a", "w_g", "M_grp", "x_frag", "alpha_2",
    )  # fmt: skip
    found = {e.letter: e for e in elasticities(PLAN, v, result, smooth)}
    for name in smooth:
        step = Fraction(1, 10**7)
        moved = exactly(PLAN, {**given, name: v[name] * (1 + step)}, [result])[result]
        measured = float((moved / v[result] - 1) / step)
        assert isclose(float(found[name].value) if name in found else 0.0, measured, abs_tol=1e-5)


@pytest.mark.parametrize("result", ["M", "T_step"])
def test_latent_attention_s_sizes_have_slopes_of_their_own(result: str) -> None:
    v = at(deepseek_v3(t=2, z_s=1))
    given = {name: v[name] for name in PLAN.letters}
    sizes = ("r_q", "r_kv", "d_n", "d_r", "d_v")
    found = {e.letter: float(e.value) for e in elasticities(PLAN, v, result, (*sizes, "d_h"))}
    assert set(found) == set(sizes)
    for name in sizes:
        step = Fraction(1, 10**7)
        moved = exactly(PLAN, {**given, name: v[name] * (1 + step)}, [result])[result]
        assert isclose(found[name], float((moved / v[result] - 1) / step), rel_tol=1e-4)


def test_a_slope_through_a_rounding_or_a_choice_is_marked() -> None:
    marks = {e.letter: e.marks for e in elasticities(PLAN, at(gpt3_175b()), "M", ["L", "M_ctx"])}
    assert marks["L"] == {RELAXED, BRANCH}
    assert marks["M_ctx"] == {BRANCH}


@EVERY
def test_every_statement_can_be_worked_from_what_is_printed(make: Callable[..., Job]) -> None:
    v = at(make())
    for statement in PLAN.statements:
        assert working(PLAN, statement, v).shown.number


def test_a_sure_figure_need_not_be_measured() -> None:
    job = llama3_8b()
    moved = effects(PLAN, job.figures, ["M", "T_step"])
    assert first_to_measure(job.figures, moved, at(job)) == ()


def test_what_hides_until_it_no_longer_can_is_measured_for_its_range() -> None:
    job = llama3_8b(t=1, t_e=1, n=64, z_2=1, z_3=1, b=128)
    hidden = replace(job.figures["h_d"], low=Fraction(1), high=Fraction(0))
    figures = {**job.figures, "h_d": hidden}
    slope = {e.letter for e in elasticities(PLAN, at(job), "T_step", ["h_d"])}
    (first, *_) = first_to_measure(figures, effects(PLAN, figures, ["M", "T_step"]), at(job))
    assert slope == set()
    assert (first.check.name, first.result) == ("dp_hidden", "T_step")
