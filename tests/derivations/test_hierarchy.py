"""The communication hierarchy of the second seed, with numbers in place of its words."""

from fractions import Fraction

import pytest
from evaluated import at

from workings import catalogue
from workings.derivation.evaluation import DoesNotApplyError, value_of
from workings.formula.interval import rational
from workings.scenario import load_scenario
from workings.values.binding import bind

GPT, MOE = "gpt3-512", "moe-1024"
MILLI, MEGA, GIGA = 1e-3, 1e6, 1e9
NVLINK, INFINIBAND = 450 * GIGA, 50 * GIGA  # an H100's, one way


def here(id_: str, scenario: str, **settings: str) -> Fraction:
    what = catalogue.get(id_)
    bound = bind(what, load_scenario(scenario, settings), settings)
    return rational(value_of(what, bound.values, bound.pinned))


# --- compute that messages hide behind ----------------------------------------------------------


def test_a_gpt_block_has_twelve_squares_of_weights() -> None:
    assert here("block-weights", GPT) == 12 * 12_288**2


def test_a_gpt_block_does_megatrons_flops() -> None:
    # Narayanan et al. 2021, section 5.1: 24 B s h² + 4 B s² h a layer, forward
    b, s, h = 1, 2048, 12_288
    assert here("block-token-flops", GPT) * b * s == 24 * b * s * h**2 + 4 * b * s**2 * h


def test_a_gpt_step_takes_four_and_a_half_seconds_at_peak() -> None:
    assert float(here("pipelined-step-time", GPT)) == pytest.approx(4.56, abs=0.01)


# --- tensor parallelism: "~MB", "~μs between ops", "~GB/s", NVLink ---------------------------------


def test_a_tensor_parallel_message_is_50_megabytes() -> None:
    assert here("tp-message", GPT) == 2 * 2048 * 12_288


def test_all_reduces_are_half_a_millisecond_apart_and_not_microseconds() -> None:
    assert float(here("tp-interval", GPT)) == pytest.approx(0.482 * MILLI, rel=1e-3)


def test_a_layer_sends_what_megatron_says() -> None:
    # Narayanan et al. 2021, section 3.2: 8 b s h (t - 1)/t values a layer, device and micro-batch
    layers = here("fullest-stage", GPT) * 128
    bytes_a_layer = (
        here("tp-operations", GPT) / layers * here("tp-bandwidth-need", GPT) * here("tp-interval", GPT)
    )
    assert bytes_a_layer / 2 == 8 * 2048 * 12_288 * Fraction(7, 8)


def test_tensor_parallelism_needs_183_gigabytes_a_second_which_only_nvlink_has() -> None:
    need = float(here("tp-bandwidth-need", GPT))
    assert need == pytest.approx(182.8 * GIGA, rel=1e-3)
    assert INFINIBAND < need < NVLINK


def test_infiniband_hides_a_tensor_parallel_degree_of_two_and_nvlink_of_eighteen() -> None:
    assert int(here("tp-degree-for-link", GPT, bandwidth="50 GB/s")) == 2
    assert int(here("tp-degree-for-link", GPT, bandwidth="450 GB/s")) == 18


# --- pipeline: "~MB", "~ms between ops", "~GB/s", InfiniBand --------------------------------------


def test_a_pipeline_message_is_6_megabytes_every_9_milliseconds() -> None:
    assert here("pp-message", GPT) == here("tp-message", GPT) / 8
    assert float(here("pp-interval", GPT)) == pytest.approx(8.67 * MILLI, rel=1e-3)


def test_a_pipeline_needs_less_than_a_gigabyte_a_second() -> None:
    need = float(here("pp-bandwidth-need", GPT))
    assert need == pytest.approx(0.725 * GIGA, rel=1e-3)
    assert 8 * need < INFINIBAND  # also where the message is not split over tensor-parallel ranks


def test_interleaving_sends_as_much_more_often() -> None:
    assert here("pp-operations", GPT) == 2 * 2 * 128
    plain = here("pp-bandwidth-need", GPT, virtual_stages="1")
    assert here("pp-bandwidth-need", GPT) == 2 * plain


def test_a_rank_at_an_end_of_the_pipeline_is_another_case() -> None:
    with pytest.raises(DoesNotApplyError, match="p > 2"):
        at("pp-operations", p=2, m=8, v=1)


# --- data parallelism: "~GB", "~seconds", "GB/s to TB/s aggregate", Ethernet -----------------------


def test_the_gradients_of_a_rank_are_5_gigabytes_in_68_buckets() -> None:
    assert float(here("dp-message", GPT)) == pytest.approx(5.436 * GIGA, rel=1e-3)
    assert here("dp-buckets", GPT, bucket="40000000") == 68


def test_over_a_step_data_parallelism_needs_2_gigabytes_a_second_and_all_ranks_a_terabyte() -> None:
    assert float(here("dp-bandwidth-need", GPT)) == pytest.approx(2.085 * GIGA, rel=1e-3)
    assert here("dp-aggregate-bandwidth", GPT) == 512 * here("dp-bandwidth-need", GPT)


def test_to_hide_behind_the_last_backward_it_needs_nvlink_too() -> None:
    need = float(here("dp-bandwidth-need-last-backward", GPT))
    assert need == pytest.approx(411.3 * GIGA, rel=1e-3)
    assert need > 8 * INFINIBAND


def test_a_gpu_needs_about_2200_tokens_to_hide_gradients_behind_one_backward_on_nvlink() -> None:
    # How to Scale Your Model, chapter on GPUs, “Data Parallelism”: 990e12 / 450e9 = 2200 tokens
    block = {"D": 4096, "F": 16384, "H": 32, "K": 32, "d_h": 128, "n_f": 2, "L": 1, "p": 1}
    layout = {"b_m": 1, "s": 2200, "c": 1, "t": 1, "d": 10**6, "g": 2, "C": 990 * 10**12}
    assert float(at("dp-bandwidth-need-last-backward", **block, **layout)) < 450 * GIGA
    fewer = {**layout, "s": 2000}
    assert 400 * GIGA < float(at("dp-bandwidth-need-last-backward", **block, **fewer)) < 500 * GIGA


# --- experts: "variable", "~ms between ops", "~GB/s", "similar to pipeline" ---------------------------


def test_an_all_to_all_hands_out_100_megabytes_every_06_milliseconds() -> None:
    assert here("ep-message", MOE) == 8 * 1024 * 6144 * 2
    assert float(here("ep-interval", MOE)) == pytest.approx(0.612 * MILLI, rel=1e-3)
    assert here("ep-operations", MOE) == 4 * 12 * 16


def test_experts_need_a_hundred_times_a_pipelines_bandwidth_and_more_than_infiniband() -> None:
    need = here("ep-bandwidth-need", MOE)
    assert float(need) == pytest.approx(143.8 * GIGA, rel=1e-3)
    assert need > 100 * here("pp-bandwidth-need", MOE)
    assert INFINIBAND < need < NVLINK


def test_experts_hold_most_of_a_ranks_gradients() -> None:
    experts = here("expert-gradient-bytes", MOE)
    assert here("moe-dp-message", MOE) * Fraction(3, 4) < experts / (2 * Fraction(7, 8))


# --- context parallelism, which the seed leaves out ---------------------------------------------


def test_llama_3s_long_context_gathers_67_megabytes_a_layer_and_needs_little() -> None:
    long = "llama3-405b-128k"
    assert here("cp-message", long) == 2 * 131_072 * 128 * 2  # one of 8 key and value heads
    assert float(here("cp-bandwidth-need", long)) == pytest.approx(4.06 * GIGA, rel=1e-3)
    assert here("cp-operations", long) == 2 * 8 * 16
    assert here("cp-interval", long) == 2 * here("tp-interval", long)


def test_without_context_parallelism_nothing_is_gathered() -> None:
    assert here("cp-bandwidth-need", GPT) == 0


# --- "overlaps compound multiplicatively" -------------------------------------------------------


def test_what_shows_adds_up_and_only_the_bubble_multiplies() -> None:
    tenth = Fraction(1, 10)
    flat = {"p": 1, "m": 8, "v": 1}
    together = at("layered-efficiency", **flat, x_tp=tenth, x_ep=tenth, x_dp=tenth)
    assert together == 1 / (1 + 3 * tenth)
    assert together > 1 / (1 + tenth) ** 3
    bubble = at("layered-efficiency", p=4, m=4, v=1, x_tp=tenth, x_ep=0, x_dp=0)
    assert bubble == 1 / (1 + Fraction(3, 4)) / (1 + tenth)
