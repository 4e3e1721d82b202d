"""Odds of independent factors are those that drawing them gives; ends meet as rarely as they do."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from statistics import quantiles

import pytest
from jobs import llama3_8b

from workings.planning.accuracy import Run, spread
from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.job import Figure
from workings.planning.odds import BESIDE, beside, chance, deciles, of_runs, together

RUNS = tuple(
    Run("G", "16-bit", Fraction(80 + place, 100), {}, source=f"paper {place % 12}") for place in range(60)
)
DRAWN = 100_000


def ranged(letter: str, value: Fraction, low: Fraction, high: Fraction) -> dict[str, Figure]:
    figures = llama3_8b().figures
    return {**figures, letter: replace(figures[letter], value=value, low=low, high=high)}


GOODPUT = ranged("gamma", Fraction(9, 10), Fraction(97, 100), Fraction(8, 10))
DEAR = ranged("c_d", Fraction(2, 3600), Fraction(3, 2 * 3600), Fraction(4, 3600))


def drawn(draw: Callable[[random.Random], float]) -> list[float]:
    """P10, P50 and P90 of many draws."""
    seeded = random.Random(5)  # noqa: S311 - no secret
    tenths = quantiles((draw(seeded) for _ in range(DRAWN)), n=10)
    return [tenths[0], tenths[4], tenths[8]]


def by_halves(draws: random.Random, low: float, value: float, high: float) -> float:
    """As often below the value as above it, likeliest near it."""
    end = low if draws.random() < 0.5 else high
    return value + (end - value) * min(draws.random(), draws.random())


def close(found: Sequence[Fraction], wanted: Sequence[float]) -> bool:
    return [float(one) for one in found] == pytest.approx(list(wanted), rel=0.004)


def test_days_and_cost_lie_where_draws_of_steps_goodput_and_price_lie() -> None:
    both = GOODPUT | {"c_d": DEAR["c_d"]}
    steps = of_runs(RUNS)

    def days(draws: random.Random) -> float:
        return draws.choice(steps) / by_halves(draws, 0.8, 0.9, 0.97) * 0.9

    def cost(draws: random.Random) -> float:
        return days(draws) * by_halves(draws, 0.75, 1, 2)

    assert close(deciles(together([steps, *beside("T_run", both)])), drawn(days))
    assert close(deciles(together([steps, *beside("c_run", both)])), drawn(cost))


def test_independent_ends_meet_more_rarely_than_all_worst_at_once() -> None:
    alone = [deciles(one) for one in (of_runs(RUNS), *beside("T_run", GOODPUT))]
    whole = deciles(together([of_runs(RUNS), *beside("T_run", GOODPUT)]))
    assert whole.most < alone[0].most * alone[1].most
    assert whole.least > alone[0].least * alone[1].least


def test_the_odds_of_a_step_are_the_deciles_of_the_runs() -> None:
    found = spread(RUNS)
    assert found is not None
    assert close(deciles(of_runs(RUNS)), [float(end) for end in found])
    assert together([of_runs(RUNS)]) == of_runs(RUNS)


def test_what_has_no_range_leaves_the_odds_as_they_are() -> None:
    sure = llama3_8b().figures
    assert beside("T_run", sure) == beside("u", GOODPUT) == beside("T_step", GOODPUT) == []


def test_a_value_at_the_end_of_its_range_is_passed_on_one_side_only() -> None:
    (found,) = beside("c_run", ranged("c_d", Fraction(2), Fraction(2), Fraction(3)))
    assert min(found) == 1
    assert deciles(found).middle == 1
    assert 1.4 < max(found) <= 1.5


@pytest.mark.parametrize("letter", sorted({n for powers in BESIDE.values() for n in powers}))
def test_a_run_grows_by_what_is_beside_its_steps_as_the_cost_model_says(letter: str) -> None:
    values = llama3_8b().values()
    base, more = (
        exactly(plan(), {**values, letter: values[letter] * times}) for times in (1, Fraction(3, 2))
    )
    assert more["T_step"] == base["T_step"]
    for result, powers in BESIDE.items():
        assert more[result] / base[result] == Fraction(3, 2) ** powers.get(letter, 0)


def test_the_chance_of_keeping_a_limit_is_the_share_that_keeps_it() -> None:
    odds = of_runs(RUNS)
    assert chance(odds, Fraction(2)) == 1
    assert chance(odds, Fraction(1, 2)) == 0
    nine = deciles(odds).most
    assert chance(odds, nine) == pytest.approx(0.9, abs=0.011)
