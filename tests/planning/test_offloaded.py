"""An optimizer that lies in part with the host: what stays on the device, and how long its step takes."""

from fractions import Fraction

import pytest
from awkward import awkward, flags_of_zero

PARTS = [Fraction(0), Fraction(1, 4), Fraction(1)]


def owned(v: dict[str, Fraction], stage: str) -> Fraction:
    """Parameters of a stage that one rank's optimizer updates."""
    return v[f"P_{stage}"] / v["N"] + v[f"E_{stage}"] / v["d_e"]


@pytest.mark.parametrize("part", PARTS)
def test_the_device_keeps_the_state_of_the_parameters_that_stay(part: Fraction) -> None:
    v = awkward(**flags_of_zero(1), x_off=part)
    for stage in ("first", "mid", "last"):
        here = owned(v, stage) * (1 - part)
        state = sum(here * width for width in (v["w_p"], v["w_o"], v["w_o"]))
        assert v[f"S_o{stage}"] == state
        assert v[f"M_s{stage}"] - v[f"M_0{stage}"] == here * v["w_t"]  # temporaries beside it
        assert v[f"S_w{stage}"] == awkward(**flags_of_zero(1))[f"S_w{stage}"]  # weights stay


@pytest.mark.parametrize("part", PARTS)
def test_the_host_waits_for_gradients_updates_and_sends_weights_back(part: Fraction) -> None:
    v = awkward(**flags_of_zero(1), x_off=part, W_h=3 * 10**6, W_hm=7 * 10**5)
    mine = v["P_top"] / v["N"] + v["E_top"] / v["d_e"]
    there, here = mine * part, mine * (1 - part)
    seconds = there * v["w_g"] / v["W_h"]
    for width, passes in ((v["w_g"], 1), (v["w_p"], 2), (v["w_o"], 2), (v["w_o"], 2), (v["w_c"], 1)):
        seconds += there * width * passes / v["W_hm"]
        seconds += here * width * passes / (v["eta_m"] * v["W_m"])
    seconds += there * v["w_c"] / v["W_h"]
    assert v["T_opt"] == seconds
