"""Published runs in pairs: what one measured run of a model tells of another."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import jobs
import pytest

from workings.planning.accuracy import LETTERS, Run, at_shares, peaks, spread, step_times
from workings.planning.job import Carried, Job
from workings.planning.pairs import (
    Order,
    as_many_bytes,
    as_many_times,
    of_peaks,
    of_steps,
    order,
    pair_error,
    pairs,
)

MODEL = dict.fromkeys(LETTERS, Fraction(1))


def run(
    ratio: str, page: str = "page", n: int = 1, mfu: str = "0", figure: str = "0", **values: int
) -> Run:
    letters = {**MODEL, "n": Fraction(n), **{letter: Fraction(v) for letter, v in values.items()}}
    return Run("NVIDIA Hopper", "16-bit", Fraction(ratio), letters, page, page=page, mfu=Fraction(mfu),
               figure=Fraction(figure))  # fmt: skip


def ratios(runs: Sequence[Run]) -> list[Fraction]:
    return [run.ratio for run in pairs(tuple(runs), as_many_times)]


def test_each_run_is_told_by_another_of_its_model_and_once_tells_of_another() -> None:
    assert ratios([run("2"), run("3")]) == [Fraction(2, 3), Fraction(3, 2)]
    four = [run("1"), run("2"), run("4"), run("8")]
    assert ratios(four) == [Fraction(1, 4), Fraction(1, 4), 4, 4]
    product = Fraction(1)
    for ratio in ratios([run("1.1"), run("0.7"), run("1.4"), run("2"), run("0.9")]):
        product *= ratio
    assert product == 1


@pytest.mark.parametrize(
    "other",
    [run("2", page="another"), run("2", s=4096), run("2", L=3), run("2", V=9),
     replace(run("2"), generation="NVIDIA Ampere"), replace(run("2"), precision="8-bit"),
     replace(run("2"), program="megatron")],
)  # fmt: skip
def test_runs_of_other_people_models_lengths_programs_or_devices_tell_nothing(other: Run) -> None:
    assert ratios([run("1"), other]) == []


def test_a_layout_may_be_another_on_another_number_of_devices() -> None:
    assert len(ratios([run("1", n=8, t=2), run("2", n=64, p=4)])) == 2


def test_a_peak_is_beside_the_model_by_as_many_bytes_as_that_which_was_measured() -> None:
    one, other = run("1.2", figure="60"), run("1.25", figure="50")  # the model says 50 and 40 of them
    assert as_many_bytes(one, other) == 1
    assert as_many_bytes(other, one) == 1
    light, heavy = run("1", figure="10"), run("0.5", figure="40")  # 40 less than the model says
    assert as_many_bytes(light, heavy) == 2  # no peak is taken to be less than half of what it says


def test_the_right_one_of_two_is_faster_where_the_model_says_so() -> None:
    slow, fast = run("1", mfu="0.30"), run("1.1", mfu="0.40")  # by the model 0.30 and 0.44
    wrong = run("1.5", mfu="0.25")  # by the model 0.375
    assert order((slow, fast), Fraction(1, 10)) == Order(1, 1, Fraction(1))
    assert order((slow, wrong), Fraction(1, 10)) == Order(1, 1, Fraction(0))
    assert order((slow, wrong), Fraction(1, 2)).pairs == 0
    assert order((slow, replace(fast, values={**fast.values, "n": Fraction(2)})), Fraction(0)).pairs == 0


def test_a_known_step_of_the_model_takes_a_third_off_the_error_on_another_of_its_layouts() -> None:
    """By published runs of all kinds, as they stand in evidence.json, recounted one by one."""
    of: dict[object, list[Run]] = {}
    for one in step_times():
        same = (one.page, one.program, one.generation, one.precision,
                *(one.values[n] for n in ("D", "L", "E", "z_h", "F", "F_E", "V", "s")))  # fmt: skip
        of.setdefault(same, []).append(one)
    sizes = sorted(
        abs(float(a.ratio / b.ratio) - 1) for some in of.values() for a, b in permutations(some, 2)
    )
    before = sorted(abs(float(one.ratio) - 1) for one in step_times())
    assert sizes[len(sizes) // 2] < 2 / 3 * before[len(before) // 2]
    assert float(pair_error()) == pytest.approx(sizes[len(sizes) // 2], rel=0.05)


def test_a_known_peak_takes_a_tenth_off() -> None:
    found = [abs(float(one.error)) for one in pairs(peaks(), as_many_bytes)]
    before = [abs(float(one.error)) for one in peaks()]
    assert sorted(found)[len(found) // 2] < 0.9 * sorted(before)[len(before) // 2]


def carried(job: Job, times: Fraction | None, more: Fraction | None) -> Job:
    return replace(job, carried=Carried(times, more))


def test_the_odds_of_a_layout_lie_about_what_another_was_off_by() -> None:
    job = jobs.gpt3_175b()
    prior = spread(of_steps(job, job.values()))
    after = spread(of_steps(carried(job, Fraction(1), None), job.values()))
    slower = spread(of_steps(carried(job, Fraction(6, 5), None), job.values()))
    assert prior is not None
    assert after is not None
    assert slower is not None
    assert after.most / after.least < prior.most / prior.least
    for z_2 in (0, 1):  # in the middle just as far, so that layouts are compared like for like
        kind = {**job.values(), "z_2": Fraction(z_2)}
        middle = at_shares(of_steps(carried(job, Fraction(6, 5), None), kind), [Fraction(1, 2)])
        assert middle == [Fraction(6, 5)]
    assert [float(end) for end in slower] == pytest.approx([1.2 * float(end) for end in after])


def test_bytes_beside_the_model_weigh_the_more_the_less_a_layout_holds() -> None:
    job = carried(jobs.gpt3_175b(), None, Fraction(4 * 10**9))
    found = [spread(of_peaks(job, Fraction(size * 10**9))) for size in (40, 80)]
    middles = [one.middle for one in found if one]
    assert [float(middle) for middle in middles] == pytest.approx([1.1, 1.05], abs=0.02)


def test_on_devices_with_too_few_runs_pairs_of_all_others_tell() -> None:
    job = replace(jobs.gpt3_175b(), device="a device of one's own")
    assert spread(of_steps(job, job.values())) is None
    assert spread(of_steps(carried(job, Fraction(1), None), job.values())) is not None
