"""Whether a block that is computed again has memory beside the loss's, or takes its place."""

from __future__ import annotations

from fractions import Fraction

import pytest
from awkward import Letter, awkward

from workings.planning.ledger import ledger

ALONE: dict[str, Letter] = {
    "p": 1,
    "v": 1,
    "n": 144,
    "b": 24,
    "b_m": 1,
    "t": 6,
    "L_E": 0,
    "z_f": 1,
    "x_frag": Fraction(1, 20),
}
SMALL: dict[str, Letter] = {"V": 6}
LARGE: dict[str, Letter] = {"V": 3200}  # a loss that takes less than a block computed again, or more


def planned_as_a_whole(moments: list[list[Fraction]]) -> Fraction:
    """What arrays take whose places are chosen for a whole step: at no moment more than then live."""
    return max(sum(live, Fraction(0)) for live in moments)


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_where_a_step_is_planned_as_a_whole_the_larger_counts(size: dict[str, Letter]) -> None:
    v = awkward(**ALONE, **size, x_loss=0)
    kept, units, again = v["A_last"], v["B_last"], v["A_rlast"]
    at_the_loss = [kept, units, v["A_head"], v["G_head"]]
    live = planned_as_a_whole([at_the_loss, [kept, units, again]])
    assert v["M_blast"] == v["M_0last"] + (1 + v["x_frag"]) * live
    assert (v["A_head"] + v["G_head"] > again) == (size is LARGE)


def test_where_a_place_is_not_given_to_others_both_count() -> None:
    apart, one = (awkward(**ALONE, x_loss=x) for x in (1, 0))
    common = sorted([apart["A_rlast"], apart["A_head"] + apart["G_head"]])[0]
    assert common > 0
    assert apart["M_blast"] - one["M_blast"] == (1 + apart["x_frag"]) * common


@pytest.mark.parametrize("size", [SMALL, LARGE])
@pytest.mark.parametrize("x_loss", [0, Fraction(1, 3), 1])
@pytest.mark.parametrize("z_k", [0, 1])
def test_accounts_come_to_what_is_held(size: dict[str, Letter], x_loss: Fraction, z_k: int) -> None:
    found = ledger(awkward(**{**ALONE, "b": 8}, **size, x_loss=x_loss, z_k=z_k), "last")
    for moment, total in enumerate(found.totals):
        held = sum((a.bytes for a in found.accounts if moment in a.moments), Fraction(0))
        assert held == total, moment
