"""A break-even is the last value that keeps the bound, on whichever side the plan stands."""

from fractions import Fraction

import pytest
from jobs import gpt3_175b, llama3_8b, llama3_405b

from workings.planning.breakeven import BreakEven, break_even
from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.job import Job
from workings.planning.moves import FREELY, Moves

PLAN = plan()
GB = 10**9


def memory(job: Job, letter: str, value: Fraction) -> Fraction:
    return exactly(PLAN, {**job.values(), letter: value}, ["M"])["M"]


def last(job: Job, letter: str, bound: int, moves: Moves = FREELY) -> BreakEven:
    return break_even(PLAN, job.values(), letter, "M", Fraction(bound), rising=True, moves=moves)


def value(found: BreakEven) -> Fraction:
    assert found.value is not None
    return found.value


@pytest.mark.parametrize("bound", [60 * GB, 35 * GB])
def test_a_count_is_the_last_whole_value_that_keeps_the_bound(bound: int) -> None:
    job = gpt3_175b()
    found = last(job, "s", bound)
    assert memory(job, "s", value(found)) <= bound < memory(job, "s", value(found) + 1)
    assert found.at_most
    assert found.kept == (memory(job, "s", job.values()["s"]) <= bound)


def test_a_plan_beyond_the_bound_is_told_where_it_would_keep_it() -> None:
    found = last(llama3_405b(), "s", 60 * GB)
    assert not found.kept
    assert value(found) < 8192


def test_a_count_moves_by_its_grain() -> None:
    job = llama3_405b()
    found = value(last(job, "b", 60 * GB, Moves(Fraction(128))))
    assert found % 128 == 0
    assert memory(job, "b", found) <= 60 * GB < memory(job, "b", found + 128)


def test_a_count_that_no_smaller_step_can_lower_stays_where_it_is() -> None:
    assert last(llama3_405b(), "b", 60 * GB, Moves(Fraction(2048))).value is None


def test_what_is_no_count_has_more_digits_than_are_printed() -> None:
    job = gpt3_175b()
    exact = 60 * GB - memory(job, "M_comm", Fraction(0))
    found = value(last(job, "M_comm", 60 * GB))
    assert found <= exact < found * (1 + Fraction(1, 10**5))


@pytest.mark.parametrize("bound", [36 * GB, 45 * GB, 80 * GB])
def test_a_format_is_the_widest_that_keeps_the_bound(bound: int) -> None:
    job = gpt3_175b()
    widths = [Fraction(w) for w in (1, 2, 4)]
    found = last(job, "a", bound, Moves(only=tuple(widths)))
    kept = [w for w in widths if memory(job, "a", w) <= bound]
    assert found.value == (None if len(kept) in (0, len(widths)) else kept[-1])


def test_nothing_moves_beyond_its_most() -> None:
    job = gpt3_175b()
    free = value(last(job, "s", 60 * GB))
    assert free > 4096
    assert last(job, "s", 60 * GB, Moves(most=Fraction(4096))).value is None
    assert value(last(job, "s", 60 * GB, Moves(most=free + 1000))) == free


def test_what_lowers_the_result_has_a_least_value() -> None:
    job = llama3_8b(n=64, b=512)
    found = break_even(PLAN, job.values(), "eta", "T_step", Fraction(12), rising=False)
    assert not found.at_most
    times = [
        exactly(PLAN, {**job.values(), "eta": value(found) * part}, ["T_step"])["T_step"]
        for part in (1, Fraction(998, 1000))
    ]
    assert times[0] <= 12 < times[1]


def test_a_share_is_never_more_than_all() -> None:
    job = llama3_8b()
    fastest = exactly(PLAN, {**job.values(), "eta": Fraction(1)}, ["T_step"])["T_step"]
    found = break_even(PLAN, job.values(), "eta", "T_step", fastest / 2, rising=False)
    assert found.value is None
    assert not found.kept


@pytest.mark.parametrize("letter", ["x_off", "h_d"])
def test_a_part_that_may_be_nothing_is_never_more_than_all_either(letter: str) -> None:
    job = llama3_8b(x_off=Fraction(3, 5), h_d=Fraction(3, 5))
    assert not PLAN.letters[letter].domain.allows(Fraction(13, 12))
    result = "M" if letter == "x_off" else "T_step"
    least = exactly(PLAN, {**job.values(), letter: Fraction(1)}, [result])[result]
    found = break_even(PLAN, job.values(), letter, result, least * Fraction(999, 1000), rising=False)
    assert found.value is None


@pytest.mark.parametrize(("bound", "kept"), [(10**12, True), (1, False)])
def test_what_does_not_matter_never_crosses(bound: int, kept: bool) -> None:
    assert last(gpt3_175b(), "C", bound) == BreakEven("C", None, at_most=True, kept=kept)


def test_no_count_goes_below_one() -> None:
    assert last(gpt3_175b(), "s", 1).value is None
