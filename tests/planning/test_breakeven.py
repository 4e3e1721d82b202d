"""A break-even is the last value that keeps the bound, on whichever side the plan stands."""

from fractions import Fraction

import pytest
from jobs import gpt3_175b, llama3_8b, llama3_405b

from workings.planning.breakeven import turn
from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.job import Job
from workings.planning.moves import FREELY, Moves

PLAN = plan()
GB = 10**9


def result(job: Job, letter: str, value: Fraction, name: str = "M") -> Fraction:
    return exactly(PLAN, {**job.values(), letter: value}, [name])[name]


def memory(job: Job, letter: str, value: Fraction) -> Fraction:
    return result(job, letter, value)


def last(job: Job, letter: str, bound: int, moves: Moves = FREELY) -> Fraction | None:
    """Of a letter that more memory comes with, the last value at which it is no more than that."""

    def keeps(value: Fraction) -> bool:
        return memory(job, letter, value) <= bound

    start = job.values()[letter]
    return turn(keeps, start, PLAN.letters[letter].domain, moves, upwards=keeps(start))


def first(job: Job, letter: str, name: str, bound: Fraction) -> Fraction | None:
    """Of a letter that less of a result comes with, the first value at which it is no more than that."""

    def keeps(value: Fraction) -> bool:
        return result(job, letter, value, name) <= bound

    start = job.values()[letter]
    return turn(keeps, start, PLAN.letters[letter].domain, upwards=not keeps(start))


def value(found: Fraction | None) -> Fraction:
    assert found is not None
    return found


@pytest.mark.parametrize("bound", [60 * GB, 35 * GB])
def test_a_count_is_the_last_whole_value_that_keeps_the_bound(bound: int) -> None:
    job = gpt3_175b()
    found = value(last(job, "s", bound))
    assert memory(job, "s", found) <= bound < memory(job, "s", found + 1)


def test_a_plan_beyond_the_bound_is_told_where_it_would_keep_it() -> None:
    assert value(last(llama3_405b(), "s", 60 * GB)) < 8192


def test_a_count_moves_by_its_grain() -> None:
    job = llama3_405b()
    found = value(last(job, "b", 60 * GB, Moves(Fraction(128))))
    assert found % 128 == 0
    assert memory(job, "b", found) <= 60 * GB < memory(job, "b", found + 128)


def test_a_count_that_no_smaller_step_can_lower_stays_where_it_is() -> None:
    assert last(llama3_405b(), "b", 60 * GB, Moves(Fraction(2048))) is None


def test_what_is_no_count_has_more_digits_than_are_printed() -> None:
    job = gpt3_175b()
    groups = 4  # tensor, pipeline and data parallelism, and all ranks
    exact = (40 * GB - memory(job, "M_grp", Fraction(0))) / groups
    found = value(last(job, "M_grp", 40 * GB))
    assert found <= exact < found * (1 + Fraction(1, 10**5))


@pytest.mark.parametrize("bound", [36 * GB, 45 * GB, 80 * GB])
def test_a_format_is_the_widest_that_keeps_the_bound(bound: int) -> None:
    job = gpt3_175b()
    widths = [Fraction(w) for w in (1, 2, 4)]
    found = last(job, "a", bound, Moves(only=tuple(widths)))
    kept = [w for w in widths if memory(job, "a", w) <= bound]
    assert found == (None if len(kept) in (0, len(widths)) else kept[-1])


def test_nothing_moves_beyond_its_most() -> None:
    job = gpt3_175b()
    free = value(last(job, "s", 60 * GB))
    assert free > 4096
    assert last(job, "s", 60 * GB, Moves(most=Fraction(4096))) is None
    assert value(last(job, "s", 60 * GB, Moves(most=free + 1000))) == free


def test_what_lowers_the_result_has_a_least_value() -> None:
    job = llama3_8b(n=64, b=512)
    found = value(first(job, "eta", "T_step", Fraction(12)))
    times = [result(job, "eta", found * part, "T_step") for part in (Fraction(1), Fraction(998, 1000))]
    assert times[0] <= 12 < times[1]


def test_a_share_is_never_more_than_all() -> None:
    job = llama3_8b()
    fastest = result(job, "eta", Fraction(1), "T_step")
    assert first(job, "eta", "T_step", fastest / 2) is None


@pytest.mark.parametrize("letter", ["x_off", "h_d"])
def test_a_part_that_may_be_nothing_is_never_more_than_all_either(letter: str) -> None:
    job = llama3_8b(x_off=Fraction(3, 5), h_d=Fraction(3, 5))
    assert not PLAN.letters[letter].domain.allows(Fraction(13, 12))
    name = "M" if letter == "x_off" else "T_step"
    least = result(job, letter, Fraction(1), name)
    assert first(job, letter, name, least * Fraction(999, 1000)) is None


@pytest.mark.parametrize("bound", [10**12, 1])
def test_what_does_not_matter_never_crosses(bound: int) -> None:
    assert last(gpt3_175b(), "C", bound) is None


def test_no_count_goes_below_one() -> None:
    assert last(gpt3_175b(), "s", 1) is None
