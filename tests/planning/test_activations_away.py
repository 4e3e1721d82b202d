"""Activations that lie with the host until the backward: what a rank holds, and what it waits for."""

from fractions import Fraction

import pytest
from awkward import awkward

HALF = Fraction(1, 2)


def arrivals(blocks: int, compute: Fraction, transfer: Fraction) -> Fraction:
    """Seconds of a pass over blocks in a row, block after block: one's transfer runs beside its compute.

    The next block starts once both are done, as its buffer is that of the one before.
    """
    now = Fraction(0)
    for _ in range(blocks):
        computed, moved = now + compute, now + transfer
        now = sorted([computed, moved])[-1]
    return now


@pytest.mark.parametrize("link", [10**4, 3 * 10**6, 10**9])
@pytest.mark.parametrize("part", [Fraction(0), Fraction(1, 3), Fraction(1)])
def test_a_step_waits_for_what_the_link_takes_beyond_a_block(part: Fraction, link: int) -> None:
    v, none = (awkward(x_host=share, W_h=link, L_E=0) for share in (part, Fraction(0)))
    seconds = part * v["A_kept"] / link
    passes = sum(arrivals(5, none[name], seconds) for name in ("T_fwd", "T_bwd"))
    assert 5 * (v["T_blk"] - v["T_link"]) == passes
    assert v["T_fwd"] == none["T_fwd"]


def test_the_device_holds_what_stays_and_two_blocks_on_their_way() -> None:
    """Stage by stage: of each block in flight what stays, and the buffers of two of the larger kind."""
    none, v = (awkward(x_host=share) for share in (0, HALF))
    larger = sorted([none["A_kept"], none["A_kept_x"]])[-1]
    buffers = sum(larger * HALF for _ in range(2))
    for stage in ("first", "mid", "last"):
        assert v[f"A_{stage}"] == none[f"A_{stage}"] * HALF + buffers
    assert v["A_rlast"] == none["A_rlast"]


def test_blocks_with_and_without_experts_send_what_they_keep() -> None:
    v = awkward(x_host=HALF)
    dense, mixed = v["L"] - v["L_E"], v["L_E"]
    assert v["B_away"] * v["L"] == HALF * (dense * v["A_kept"] + mixed * v["A_kept_x"])


def test_only_what_is_kept_is_sent() -> None:
    """With whole blocks computed again that is their input."""
    v = awkward(x_host=1, z_f=1)
    assert v["B_away"] == v["a"] * v["T_r"] * v["D"] / v["t"]
