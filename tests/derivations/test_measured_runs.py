"""Batches in tokens, clusters, peaks, rates and device time: figures as reports print them."""

from fractions import Fraction
from typing import Any

import pytest
from evaluated import rational_at as at

from workings.derivation.evaluation import DoesNotApplyError

DAY, HOUR, MEGA = 86_400, 3_600, 10**6


# --- batches and clusters ----------------------------------------------------------------------


def test_llama_3s_batch_of_16m_tokens_is_two_to_the_24() -> None:
    # Grattafiori et al. 2024, table 4: 64 data-parallel groups with 32 sequences of 8,192
    sequences = at("global-batch", d=64, m=32, b_m=1)
    assert at("batch-in-tokens", b=sequences, s=8192) == 2**24
    assert at("sequences-in-batch", B=2**24, s=8192) == sequences


def test_tokens_of_a_device_are_a_mean() -> None:
    # How to Scale Your Model, part 6: 4M tokens on 8,960 chips are 468 each
    assert round(at("device-tokens", B=4 * 1024 * 1024, n=8960)) == 468


def test_a_run_of_a_thousand_full_steps_and_a_bit_takes_one_more() -> None:
    tokens = at("run-tokens", N_step=1000, B=512)
    assert at("run-steps", T_tok=tokens, B=512) == 1000
    assert at("run-steps", T_tok=tokens + 1, B=512) == 1001


def test_cs336s_low_resource_run() -> None:
    # CS336, assignment 1, section 7.2: 32 × 5,000 × 256 tokens
    assert at("run-tokens", N_step=5000, B=at("batch-in-tokens", b=32, s=256)) == 40_960_000


def test_pods_of_tpus() -> None:
    # How to Scale Your Model, part 2, question 2
    assert abs(at("cluster-compute", n=8960, C="459e12") / 10**18 - Fraction("4.1")) < 0.05
    assert abs(at("cluster-memory", n=8960, M_max="96e9") / 10**12 - 860) < 0.5
    assert (
        abs(at("cluster-compute-used", n=3072, C="312e12", u="0.591") / 10**15 - Fraction("566.5")) < 0.1
    )


# --- FLOPs, peaks and rooflines ----------------------------------------------------------------


def test_forward_and_backward_are_the_whole_rule_of_six() -> None:
    model = {"P": 7 * 10**9, "B": 2**22}
    parts = at("forward-flops-two-n", **model) + at("backward-flops-four-n", **model)
    assert parts == at("training-flops-six-n", P=7 * 10**9, T_tok=2**22)


def test_prefill_of_8k_tokens_of_70b_takes_nine_tenths_of_a_second() -> None:
    # How to Scale Your Model, part 8: 16 TPU v5e at 40 %
    seconds = at("forward-time-two-n", P=70 * 10**9, B=8192, n=16, C="197e12", u="0.4")
    assert abs(seconds - Fraction("0.91")) < 0.005


@pytest.mark.parametrize(
    ("units", "lanes", "flops", "clock", "published"),
    [
        (132 * 4, 32, 2, "1.98e9", "66.9e12"),  # NVIDIA's data sheet of H100 SXM: 67 TFLOP/s of FP32
        (132 * 4, 32, 1, "1.59e9", "26.9e12"),  # How to Scale Your Model, part 12, quiz 1
        (4, 128 * 128, 2, "1.5e9", "197e12"),  # TPU v5e, part 2's table: 1.97e14
    ],
)
def test_published_peaks(units: int, lanes: int, flops: int, clock: str, published: str) -> None:
    peak = at("peak-from-units", n_u=units, n_l=lanes, f_l=flops, nu=clock)
    assert abs(peak / Fraction(published) - 1) < 0.003
    assert at("clock-from-peak", n_u=units, n_l=lanes, f_l=flops, C=peak) == Fraction(clock)
    assert at("unit-flops-per-cycle", n_u=units, C=peak, nu=clock) == lanes * flops


def test_cores_of_an_h100() -> None:
    assert at("device-lanes", n_u=132 * 4, n_l=32) == 16_896


def test_a_slow_network_is_the_lowest_of_three_bounds() -> None:
    device = {"I": 100, "C": "1e15", "W_m": "3e12"}
    assert at("attainable-rate", **device) == Fraction("3e14")
    assert at("attainable-rate-network", I_x=1000, W_2="5e10", **device) == Fraction("5e13")
    assert at("attainable-rate-network", I_x=10**6, W_2="5e10", **device) == Fraction("3e14")
    assert at("roofline-share", C_a="1.5e14", **device) == Fraction(1, 2)
    assert at("roofline-share-network", I_x=1000, W_2="5e10", C_a="2e13", **device) == Fraction(2, 5)


def test_overlap_saves_the_shorter_of_both() -> None:
    assert at("serial-time", T_c=8, T_v=5) - at("overlapped-time", T_c=8, T_v=5) == 5
    assert at("serial-time", T_c=2, T_v=5) - at("overlapped-time", T_c=2, T_v=5) == 2


# --- rates and device time ---------------------------------------------------------------------


def test_palms_tokens_a_second() -> None:
    # Chowdhery et al. 2022, appendix B: 1,920 sequences of 2,048 in 60.1 s
    rate = at("throughput-from-step-time", B=1920 * 2048, T_s="60.1")
    assert abs(rate - 65_430) < 5


@pytest.mark.parametrize(("rate", "days"), [("1984.0e3", "1.75"), ("1466.8e3", "2.37")])
def test_megascales_days_for_300_billion_tokens(rate: str, days: str) -> None:
    # Jiang et al. 2024, table 2
    run = {"T_tok": 300 * 10**9, "R_s": rate}
    assert abs(at("run-days-from-throughput", **run) - Fraction(days)) < 0.005
    assert at("run-time-from-throughput", **run) == at("run-days-from-throughput", **run) * DAY


def test_deepseek_v3s_hours_days_and_dollars() -> None:
    # DeepSeek-AI 2024, section 1: 180K GPU hours a trillion tokens, 3.7 days on 2,048 GPUs; table 1
    hours = Fraction(180_000 * HOUR)
    assert abs(at("run-time-from-device-time", T_dev=hours, n=2048) / DAY - Fraction("3.7")) < 0.05
    rate = 10**12 / (hours / 2048)
    hours_in_all = at("device-time-from-throughput", n=2048, T_tok=14_800 * 10**9, R_s=rate) / HOUR
    assert hours_in_all == 2_664_000
    assert at("cost-from-device-time", T_dev=2_788_000 * HOUR, c_d=Fraction(2, HOUR)) == 5_576_000


def test_flops_of_deepseek_v3s_hours_at_the_peak() -> None:
    # How to Scale Your Model, part 4, question 7: 2.79M H800 hours of 1,513 TFLOP/s in FP8
    flops = at("available-flops", T_dev=2_790_000 * HOUR, C="1513e12")
    assert abs(flops / 10**25 - Fraction("1.52")) < 0.005


def test_petaflop_days_are_those_that_the_papers_print() -> None:
    # Language Models are Few-Shot Learners, table D.1: 174,600 M and 1,320 M parameters, 300 B tokens
    for parameters, printed in ((174_600 * 10**6, 3640), (1_320 * 10**6, Fraction("27.5"))):
        days = at("petaflop-days", P=parameters, T_tok=300 * 10**9)
        assert abs(days / printed - 1) < Fraction(1, 1000)
    assert at("petaflop-days", P=144 * 10**8, T_tok=10**9) == 1


def test_flops_of_a_dollar_and_dollars_of_a_petaflop_day() -> None:
    # How to Scale Your Model, part 8: H100 at 990 TFLOP/s and 10.8 dollars an hour
    price = {"C": "990e12", "u": 1, "c_d": Fraction("10.8") / HOUR}
    a_dollar = at("flops-per-currency", **price)
    assert abs(a_dollar / 10**17 - Fraction("3.3")) < 0.05
    assert at("petaflop-day-cost", **price) == Fraction(10) ** 15 * DAY / a_dollar


def test_money_buys_without_end_what_costs_nothing() -> None:
    with pytest.raises(DoesNotApplyError, match="c_d > 0"):
        at("flops-per-currency", C="990e12", u=1, c_d=0)


@pytest.mark.parametrize(
    ("run", "tonnes"),
    [
        # Chowdhery et al. 2022, appendix B
        ({"T_dev": 8_404_992 * HOUR, "p_d": "378.5", "x_pue": "1.08", "x_co2": "0.079"}, "271.43"),
        # Touvron et al. 2023, LLaMA, table 15: 65B, 1,022,362 hours of 400 W at PUE 1.1
        ({"T_dev": 1_022_362 * HOUR, "p_d": 400, "x_pue": "1.1", "x_co2": "0.385"}, "173"),
    ],
)
def test_published_emissions(run: dict[str, Any], tonnes: str) -> None:
    assert abs(at("training-emissions", **run) / 1000 / Fraction(tonnes) - 1) < 0.002


def test_llamas_megawatt_hours() -> None:
    # Touvron et al. 2023, table 15: 449 MWh, cut off
    joules = at("training-energy", T_dev=1_022_362 * HOUR, p_d=400, x_pue="1.1")
    assert joules // (HOUR * MEGA) == 449
    assert at("cluster-power", n=2048, p_d=400, x_pue="1.1") * 1_022_362 * HOUR / 2048 == joules


def test_megatrons_and_palms_efficiency_of_scaling() -> None:
    # Shoeybi et al. 2019: 15.1 PFLOP/s on 512 GPUs over 39 TFLOP/s on one, 76 %; PaLM: 1.95 of two pods
    megatron = at("measured-scaling-efficiency", n=512, n_0=1, R_n="15.1e15", R_0="39e12")
    assert abs(megatron - Fraction("0.76")) < 0.005
    assert at("measured-scaling-efficiency", n=6144, n_0=3072, R_n="1.95", R_0=1) == Fraction("0.975")


def test_goodput_of_a_log() -> None:
    assert at("measured-goodput", N_step=900, T_s=10, T_obs=10_000) == Fraction(9, 10)
    with pytest.raises(DoesNotApplyError, match="cannot take longer"):
        at("measured-goodput", N_step=1001, T_s=10, T_obs=10_000)


# --- decoding ----------------------------------------------------------------------------------


def test_a_decode_step_twice_as_long_as_reading_uses_half_of_the_bandwidth() -> None:
    served = {"L": 80, "H": 64, "K": 8, "d_h": 128, "b": 4, "s": 1000, "w_kv": 2, "P": 70 * 10**9,
              "w": 2, "t": 8, "W_m": "3.35e12"}  # fmt: skip
    least = at("decode-memory-time", **served)
    assert at("bandwidth-utilization", T_s=2 * least, **served) == Fraction(1, 2)
    assert at("decode-time-reached", u_m=Fraction(1, 2), **served) == 2 * least
