"""Each sentence on where the odds of a review end stands there when, and only when, it is so."""

from dataclasses import replace
from fractions import Fraction
from math import sqrt

import pytest
from heldouts.left_out import by_its_layout, by_its_model, inside
from jobs import experts_64, llama3_8b, llama3_405b

from workings.planning.cost import plan
from workings.planning.job import Carried, Job, Results
from workings.planning.precedents import BY_LAYOUT
from workings.review.desk import Desk
from workings.review.likest import BY_MODEL
from workings.review.sources_of_odds import FORCED, LEFT_OUT, MOST_WEAK, where_odds_fail

HOUR = Fraction(1, 3600)
KNOWN = {"T_step": Fraction(30), "M": Fraction(61 * 10**9)}


def said(job: Job) -> str:
    return " ".join(where_odds_fail(Desk(job, plan())))


def measured(job: Job, *results: str) -> Job:
    return replace(job, measured=Results({name: KNOWN[name] for name in results}))


def sure(job: Job, **ranges: tuple[Fraction, Fraction]) -> Job:
    """The job without ranges beside its steps, but for these, as parts of the value."""
    figures = dict(job.figures)
    for name in ("gamma", "T_tok", "c_d"):
        figure = figures[name]
        low, high = (figure.value * end for end in ranges.get(name, (1, 1)))
        figures[name] = replace(figure, low=low, high=high) if name in ranges else replace(
            figure, low=None, high=None)  # fmt: skip
    return replace(job, figures=figures)


@pytest.mark.slow
def test_as_many_sources_that_are_left_out_lie_within_the_odds_as_is_said() -> None:
    assert {name: round(100 * share) for name, share in inside().items()} == LEFT_OUT


@pytest.mark.slow
def test_runs_of_the_same_model_tell_no_more_than_all_of_the_kind_as_is_said() -> None:
    assert {name: round(100 * off) for name, off in by_its_model().items()} == BY_MODEL


@pytest.mark.slow
def test_a_step_is_nearest_to_half_way_between_what_was_published_of_its_layout_and_its_p50() -> None:
    assert {name: round(100 * off) for name, off in by_its_layout().items()} == BY_LAYOUT
    assert BY_LAYOUT["half-way"] < min(BY_LAYOUT["as published"], BY_LAYOUT["its P50"])


def test_how_many_lie_within_the_odds_is_said_unless_both_results_are_known() -> None:
    told = f"{LEFT_OUT['T_step']} of 100 step times and {LEFT_OUT['M']} of 100 peaks lay from P10 to P90"
    job = llama3_8b()
    for known in ((), ("M",), ("T_step",)):
        assert told in said(measured(job, *known))
    assert "lay from P10 to P90" not in said(measured(job, "M", "T_step"))


def test_balance_by_force_is_spoken_of_where_there_are_experts_and_the_step_is_not_known() -> None:
    assert FORCED in said(experts_64())
    assert FORCED in said(measured(experts_64(), "M"))
    assert FORCED not in said(measured(experts_64(), "T_step"))
    assert "routers" not in said(llama3_405b())


@pytest.mark.parametrize(("letter", "name"), [("gamma", "goodput"), ("T_tok", "number of tokens"),
                                              ("c_d", "price")])  # fmt: skip
def test_of_what_days_and_cost_are_drawn_from_only_what_has_a_range_is_named(
    letter: str, name: str
) -> None:
    names = {"goodput", "number of tokens", "price"}
    text = said(sure(llama3_8b(), **{letter: (Fraction(9, 10), Fraction(11, 10))}))
    assert "Days and cost rest on assumed ranges too" in text
    assert {one for one in names if f"a {one} of" in text} == {name}
    assert "assumed ranges" not in said(sure(llama3_8b()))


def test_of_a_range_is_told_where_eight_of_ten_lie_by_its_triangle() -> None:
    """Half of its odds lie to each side of 2 USD/h, densest there, and end at 1 and at 4."""
    text = said(sure(llama3_8b(c_d=2 * HOUR), c_d=(Fraction(1, 2), Fraction(2))))
    assert "a price of 2 USD/h (eight of ten times " in text
    low, high, middle = (float(word.split(" ")[0]) for word in (
        text.split("eight of ten times ")[1], text.split(" to ")[-1], text.split("USD/h, ")[1],
    ))  # fmt: skip
    assert low == pytest.approx(1 + sqrt(1 / 5), rel=0.02)
    assert middle == pytest.approx(2, rel=0.01)
    assert high == pytest.approx(4 - 2 * sqrt(1 / 5), rel=0.02)


def test_a_run_of_no_known_length_has_neither_days_nor_cost_that_rest_on_ranges() -> None:
    assert "assumed ranges" not in said(sure(llama3_8b(T_tok=0), gamma=(Fraction(9, 10), Fraction(1))))


def test_what_was_little_seen_is_said_where_the_step_has_odds_of_its_own_devices() -> None:
    """Few runs had so many chunks; those of what is known, or carried over, tell nothing more."""
    job = llama3_405b(v=14, p=8, b=4096)
    little = "Of all runs on such devices "
    text = said(job)
    assert "had more than 12 chunks a rank" in text
    assert "had more than 12 chunks a rank" not in said(llama3_405b())
    assert text.endswith("The odds are not corrected for it.")
    assert text.split(little)[1].count(" had ") <= MOST_WEAK
    assert little in said(measured(job, "M"))
    assert little not in said(measured(job, "T_step"))
    assert little not in said(replace(job, carried=Carried(times=Fraction(1))))
    assert little in said(replace(job, carried=Carried(bytes=Fraction(0))))
    assert little not in said(replace(job, device="a device of one's own"))


def test_where_all_is_known_nothing_is_left_that_odds_may_fail_of() -> None:
    assert said(measured(sure(llama3_8b()), "M", "T_step")) == ""
