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
from workings.planning.waterfall import waterfall
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


def test_the_fullest_stage_is_the_one_whose_peak_is_the_plan_s() -> None:
    v = at(gpt3_175b())
    assert v[f"M_{fullest_stage(v)}"] == v["M"] == max(ledger(v).totals)


@EVERY
def test_the_parts_of_a_step_add_up_to_it(make: Callable[..., Job]) -> None:
    v = at(make())
    assert sum(span.seconds for span in waterfall(v)) == v["T_step"]


@EVERY
def test_no_flow_hides_more_than_it_takes(make: Callable[..., Job]) -> None:
    for flow in flows(at(make())):
        assert 0 <= flow.exposed <= flow.seconds
        assert flow.bytes > 0


def test_a_layout_without_an_axis_has_no_flow_of_it() -> None:
    assert [f.axis for f in flows(at(llama3_8b()))] == ["tensor", "data"]
    assert [f.axis for f in flows(at(experts_64()))] == [
        "tensor", "expert", "pipeline", "data", "expert data",
    ]  # fmt: skip


@pytest.mark.parametrize("result", ["M", "T_step"])
def test_an_elasticity_is_the_slope_that_a_small_change_shows(result: str) -> None:
    v = at(gpt3_175b(h_d=0))
    given = {name: v[name] for name in PLAN.letters}
    smooth = ("C", "eta", "eta_w", "W_1", "W_2", "s", "D", "a", "w_g", "M_comm", "x_frag", "alpha_2")
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
