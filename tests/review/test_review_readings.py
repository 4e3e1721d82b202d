"""A published step that can be read in two ways has the odds of both readings, the better end first."""

from dataclasses import replace
from fractions import Fraction

import pytest
from jobs import gpt3_175b

from workings.planning import odds
from workings.planning.accuracy import Run
from workings.planning.cost import plan
from workings.planning.job import NO_RESULTS, Job
from workings.review.desk import Desk
from workings.review.likest import likest
from workings.review.outlook import known_step

READINGS = (Fraction(1), Fraction(1, 2))  # shares of attention's scores that its source may count
RATE = Fraction(400 * 10**12)


def told() -> Job:
    """A long run of which FLOP/s were published, and not what they count."""
    job = gpt3_175b(s=65536, b=32, T_tok=10**11)
    goodput = replace(job.figures["gamma"], low=Fraction(97, 100), high=Fraction(8, 10))
    published = NO_RESULTS._replace(values={"C_u": RATE}, source="a page", counts=READINGS)
    return replace(job, figures={**job.figures, "gamma": goodput}, published=published)


def measured(job: Job, seconds: Fraction) -> Desk:
    """The same run with a step that is known to take so long."""
    shown = NO_RESULTS._replace(values={"T_step": seconds})
    return Desk(replace(job, published=NO_RESULTS, measured=shown), plan())


def test_p10_is_that_of_the_shorter_reading_and_p90_that_of_the_longer() -> None:
    desk = Desk(told(), plan())
    shorter, _, longer = desk.published["T_step"]
    assert shorter * Fraction(5, 4) < longer
    ends = [measured(desk.job, seconds).likely("T_run") for seconds in (shorter, longer)]
    assert desk.likely("T_run").least == ends[0].least
    assert desk.likely("T_run").most == ends[1].most
    assert desk.outcome.by_reading("T_run") == ends


def test_the_page_says_the_middle_of_each() -> None:
    desk = Desk(told(), plan())
    days = [f"{float(one.middle) / 86400:.3g} days" for one in desk.outcome.by_reading("T_run")]
    said = known_step(desk)
    assert " or ".join(days) in said
    assert "as its source does not say how it counts attention" in said


def test_a_limit_between_them_is_kept_in_one_of_two_cases() -> None:
    desk = Desk(told(), plan())
    shorter, longer = desk.outcome.by_reading("T_run")
    between = (shorter.most + longer.least) / 2
    assert shorter.most < between < longer.least
    assert float(desk.outcome.chance("T_run", between)) == pytest.approx(0.5, abs=0.02)


def test_either_of_two_values_is_as_likely() -> None:
    found = odds.either(Fraction(3), Fraction(2))
    assert found == tuple(sorted(found))
    assert (min(found), max(found)) == (2, 3)
    assert abs(found.count(2) - found.count(3)) == 1


def test_a_run_is_not_held_against_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(told(), plan())
    step = desk.published["T_step"].least
    mfu = desk.base["T_step"] * desk.at_peak / step
    own = Run(*desk.device, Fraction(1), desk.base, "a page", "", "itself", mfu, figure=step)
    other = replace(own, mfu=mfu * Fraction(9, 10), name="another")
    monkeypatch.setattr("workings.review.likest.step_times", lambda: (own, other))
    assert [run.name for run in likest(desk)] == ["another"]
