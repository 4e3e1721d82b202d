"""Sharded gradients that are reduced on a stream of their own, in an allocator that keeps pools apart."""

from __future__ import annotations

import pytest
from awkward import awkward, flags_of_zero

ONE_STAGE = {"p": 1, "v": 1, "n": 144, "b": 8, "b_m": 1, "t": 6, "L_E": 0, "x_frag": 0, "E_s": 0}


def reserved(steps: list[tuple[str, int]]) -> int:
    """What an allocator holds after all: each pool grows to its own peak and gives nothing back.

    A step takes so many bytes of a pool, or gives them back where they are below 0.
    """
    used, most = dict[str, int](), dict[str, int]()
    for pool, size in steps:
        used[pool] = used.get(pool, 0) + size
        most[pool] = max(most.get(pool, 0), used[pool])
    return sum(most.values())


@pytest.mark.parametrize("stage", [2, 3])
def test_a_pool_of_gradients_stays_beside_that_of_activations(stage: int) -> None:
    """Two steps, walked through: activations, then gradients as these are given back."""
    v = awkward(**ONE_STAGE, **flags_of_zero(stage), z_k=0, x_pool=1)
    assert v["m"] == 1
    own = int(v["M_0last"]) + int(v["A_rlast"] + v["B_last"])
    acts, grads = int(v["A_last"] + v["A_head"] + v["G_head"]), int(v["S_glast"])
    step = [("rest", acts), ("rest", -acts), ("gradients", grads), ("gradients", -grads)]
    assert int(v["M_last"]) == pytest.approx(reserved([("rest", own), *step, *step]), abs=4)


def test_one_pool_gives_gradients_the_place_of_activations() -> None:
    apart, one = (awkward(**ONE_STAGE, **flags_of_zero(3), z_k=0, x_pool=x) for x in (1, 0))
    assert one["M_last"] < apart["M_last"]
    assert one["M_slast"] == apart["M_slast"]


def test_gradients_that_no_ranks_share_have_no_pool() -> None:
    apart, one = (awkward(**ONE_STAGE, **flags_of_zero(1), z_k=0, x_pool=x) for x in (1, 0))
    assert one["M_last"] == apart["M_last"]
