"""An uncertain input keeps all of several bounds up to one value, whichever bound is the first."""

from dataclasses import replace
from fractions import Fraction

import pytest
from jobs import gpt3_175b, llama3_8b

from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.job import Figure, Job
from workings.planning.thresholds import Bound, last_kept

PLAN = plan()
GB = 10**9


def uncertain(job: Job, letter: str, low: float | Fraction, high: float | Fraction) -> Figure:
    return replace(job.figures[letter], low=Fraction(low), high=Fraction(high))


def memory(job: Job, **changed: int) -> Bound:
    """At most 50 GB, in the case of other inputs."""
    values = job.values() | {name: Fraction(value) for name, value in changed.items()}
    return Bound(exactly(PLAN, values), "M", Fraction(50 * GB))


def kept(bound: Bound, letter: str, value: Fraction) -> bool:
    given = {name: bound.case[name] for name in PLAN.letters} | {letter: value}
    return exactly(PLAN, given, [bound.result])[bound.result] <= bound.limit


@pytest.mark.parametrize("context", [0, 5 * GB])
def test_all_bounds_are_kept_up_to_the_first_that_breaks(context: int) -> None:
    job = gpt3_175b()
    bounds = [memory(job), memory(job, M_ctx=context)]
    found = last_kept(PLAN, uncertain(job, "M_comm", 0, 2 * GB), bounds)
    assert found
    assert found.value
    assert all(kept(bound, "M_comm", found.value) for bound in bounds)
    assert not all(kept(bound, "M_comm", found.value * (1 + Fraction(1, 10**5))) for bound in bounds)


def test_an_input_that_is_better_large_has_a_least_value() -> None:
    job = llama3_8b()
    base = exactly(PLAN, job.values())
    bound = Bound(base, "T_step", base["T_step"] * Fraction(11, 10))
    found = last_kept(PLAN, uncertain(job, "eta", 0.8, 0.5), [bound])
    assert found
    assert found.value
    assert not found.at_most
    assert kept(bound, "eta", found.value)
    assert not kept(bound, "eta", found.value * Fraction(999, 1000))


def test_an_input_that_is_nothing_yet_is_looked_through_from_its_range() -> None:
    job = gpt3_175b(w_t=0)
    found = last_kept(PLAN, uncertain(job, "w_t", 0, 4), [memory(job)])
    assert found
    assert found.value
    assert kept(memory(job), "w_t", found.value)


def test_nothing_is_said_where_one_bound_is_out_of_reach() -> None:
    job = gpt3_175b()
    beyond = memory(job, M_ctx=60 * GB)
    assert last_kept(PLAN, uncertain(job, "M_comm", 0, 2 * GB), [memory(job), beyond]) is None


def test_nothing_is_said_where_the_input_moves_no_bound() -> None:
    job = gpt3_175b()
    assert last_kept(PLAN, uncertain(job, "eta", 0.8, 0.5), [memory(job)]) is None


def test_a_bound_that_is_passed_is_kept_from_the_value_that_brings_it_back() -> None:
    job = gpt3_175b(M_comm=30 * GB)
    found = last_kept(PLAN, uncertain(job, "M_comm", 0, 40 * GB), [memory(job)])
    assert found
    assert found.value
    assert not found.kept
    assert found.value < 30 * GB
    assert kept(memory(job), "M_comm", found.value)


def test_what_is_to_be_reached_is_kept_from_a_least_value_on() -> None:
    job = gpt3_175b()
    values = exactly(PLAN, job.values())
    for share in (Fraction(9, 10), Fraction(11, 10)):  # reached as the job stands, and missed
        bound = Bound(values, "u", values["u"] * share)
        found = last_kept(PLAN, uncertain(job, "eta", Fraction(99, 100), Fraction(3, 10)), [bound])
        assert found is not None
        assert found.value is not None
        assert (found.at_most, found.kept) == (False, share < 1)
        for times, reached in ((Fraction(1), True), (Fraction(99, 100), False)):
            there = exactly(PLAN, {**job.values(), "eta": found.value * times}, ["u"])["u"]
            assert (there >= bound.limit) is reached
