"""Rooflines: the scaling book's worked answers, and where the formulas end."""

from fractions import Fraction

import pytest
from evaluated import rational_at as at

from workings.derivation.evaluation import DoesNotApplyError

TPU_V5E = {"C": "1.97e14", "W_m": "8.2e11"}
TPU_V5E_INT8 = {"C": "3.94e14", "W_m": "8.2e11"}
H100 = {"C": "9.89e14", "W_m": "3.35e12"}
BF16 = {"a": 2, "w": 2, "a_o": 2}
INT8_WEIGHTS = {"a": 2, "w": 1, "a_o": 2}
INT8 = {"a": 1, "w": 1, "a_o": 1}


def square(width: int, tokens: int = 1) -> dict[str, int]:
    return {"B": tokens, "D": width, "F": width}


# --- the device and its batch ------------------------------------------------------------------


def test_a_tpu_v5e_needs_240_flops_a_byte_and_an_h100_295() -> None:
    # How to Scale Your Model, part 1, “Where Does the Time Go?” and question 5
    assert round(at("critical-intensity", **TPU_V5E)) == 240
    assert round(at("critical-intensity", **H100)) == 295


def test_a_dot_product_reaches_half_a_flop_a_byte_of_the_bandwidth() -> None:
    assert at("attainable-rate", I="0.5", **TPU_V5E) == Fraction("4.1e11")
    assert at("attainable-rate", I=1000, **TPU_V5E) == Fraction("1.97e14")


@pytest.mark.parametrize(
    ("device", "weight", "tokens"),
    [(TPU_V5E, 2, 240), (TPU_V5E, 1, 120), (TPU_V5E_INT8, 1, 240), (H100, 2, 295)],
)
def test_the_books_critical_batches(device: dict[str, str], weight: int, tokens: int) -> None:
    # Part 1: BF16; question 2: INT8 weights; question 1: INT8 throughout; question 5: an H100
    assert round(at("critical-batch", w=weight, **device)) == tokens


def test_narrow_matrices_need_almost_twice_the_tokens() -> None:
    # Question 3: INT8 weights; F = D = 1024 “almost doubles the critical batch size”
    narrow = at("compute-bound-tokens", **square(1024), **INT8_WEIGHTS, **TPU_V5E)
    wide = at("compute-bound-tokens", **square(4096), **INT8_WEIGHTS, **TPU_V5E)
    limit = at("critical-batch", w=1, **TPU_V5E)
    assert limit < wide < narrow
    assert Fraction("1.8") < narrow / limit < 2
    assert at("smallest-compute-bound-tokens", **square(4096), **INT8_WEIGHTS, **TPU_V5E) == 137


def test_the_smallest_batch_is_the_first_whose_arithmetic_takes_longer() -> None:
    for widths in (BF16, INT8_WEIGHTS, INT8):
        first = int(at("smallest-compute-bound-tokens", **square(2048), **widths, **H100))
        for tokens, waits in ((first - 1, True), (first, False)):
            product = {**square(2048, tokens), **widths}
            moving = at("matmul-bytes", **product) / Fraction(H100["W_m"])
            assert (at("matmul-time", **product, **H100) == moving) is waits


def test_a_matrix_too_narrow_is_refused_rather_than_given_a_negative_batch() -> None:
    with pytest.raises(DoesNotApplyError, match="input and output alone"):
        at("compute-bound-tokens", **square(256), **BF16, **H100)


# --- products ----------------------------------------------------------------------------------


def test_a_small_batch_against_a_wide_matrix_has_an_intensity_of_its_tokens() -> None:
    assert Fraction("99") < at("matmul-intensity", **square(100_000, 100), **BF16) < 100
    assert Fraction("199") < at("matmul-intensity", **square(100_000, 100), **INT8) < 200


def test_without_overlap_a_product_takes_at_most_twice_as_long() -> None:
    edge = int(at("smallest-compute-bound-tokens", **square(4096), **BF16, **H100))
    for tokens in (1, edge, 100_000):
        product = {**square(4096, tokens), **BF16, **H100}
        ratio = at("matmul-time-sum", **product) / at("matmul-time", **product)
        assert 1 < ratio <= 2
        assert (ratio > Fraction("1.98")) is (tokens == edge)


def test_a_product_of_an_experts_shape_has_the_experts_intensity() -> None:
    shape = {"D": 4096, "w": 2, "a": 2}
    expert = at("expert-intensity", n_E=100, F_E=1536, **shape)
    assert at("matmul-intensity", B=100, F=1536, a_o=2, **shape) == expert


def test_tiles_of_a_chip_have_the_intensity_of_the_books_footnote() -> None:
    # Part 1, note on tiles: bm · bn / (bm + bn), the writing of the output left out
    tiled = at("tiled-matmul-intensity", B=8192, D=10**6, F=8192, **BF16, t_B=128, t_F=256)
    assert abs(tiled - Fraction(128 * 256, 128 + 256)) < Fraction("0.01")
    whole = {**square(64, 8), **BF16}
    assert at("tiled-matmul-bytes", **whole, t_B=8, t_F=64) == at("matmul-bytes", **whole)


# --- norms and the optimizer -------------------------------------------------------------------


def test_adding_two_tensors_is_memory_bound_on_every_device() -> None:
    assert at("elementwise-intensity", f_v=1, r=2, a=2) == Fraction(1, 6)
    assert at("rms-norm-intensity", B=8192, D=8192, a=2, w=2) < Fraction("1.001")


def test_adam_in_fp32_moves_28_bytes_a_parameter() -> None:
    fp32 = {"w_p": 4, "w_g": 4, "w_o": 4}
    assert at("adam-step-bytes", P=1, w_c=0, **fp32) == 16 + 12  # four values read, three written
    assert at("adam-step-bytes", P=1, w_c=2, **fp32) == 30
    whole = at("adam-step-time", P=10**9, w_c=0, W_m="3.35e12", **fp32)
    assert at("zero-adam-step-time", P=10**9, N=8, w_c=0, W_m="3.35e12", **fp32) == whole / 8


# --- attention ---------------------------------------------------------------------------------


def test_a_forward_pass_moves_less_than_the_paper_measured_of_forward_and_backward() -> None:
    # FlashAttention, figure 2: GPT-2 medium, 1,024 tokens, heads of 64, 16 of them, 64 sequences:
    # 40.3 GB against 4.4, forward and backward together.
    gpt2_medium = {"b_m": 64, "H": 16, "s": 1024, "d_h": 64, "a": 2}
    standard = at("standard-attention-bytes", **gpt2_medium)
    flash = at("flash-attention-bytes", B_c=256, **gpt2_medium)
    assert Fraction("9e9") < standard < Fraction("40.3e9") / 2
    assert Fraction("1.9e9") < flash < Fraction("4.4e9") / 2
    assert at("flash-attention-saving", s=1024, d_h=64, B_c=256) == standard / flash


def test_blocks_need_not_divide_the_sequence() -> None:
    shape = {"b_m": 1, "H": 1, "d_h": 4, "a": 1}
    for id_, block in (("flash-attention-bytes", "B_c"), ("flash-attention-2-bytes", "B_r")):
        nine, ten = (at(id_, s=s, **{block: 3}, **shape) for s in (9, 10))
        assert ten / nine > Fraction(10, 9)  # a fourth block, for one token


def test_attention_over_a_prompt_is_compute_bound_from_480_tokens_on_a_tpu() -> None:
    # Part 7, “What about attention?”: T / 2 for prefill, roughly 480 tokens; 1 while generating
    heads = {"H": 32, "K": 32, "a": 2}
    assert at("prefill-attention-intensity", s=1000, **heads) == 500
    assert round(at("compute-bound-attention-sequence", s=1, **heads, **TPU_V5E), -1) == 480
    assert Fraction("0.999") < at("decode-attention-intensity", s=8192, **heads) < 1


def test_a_generated_token_has_the_intensity_of_the_heads_that_share_a_key() -> None:
    # Part 4, question 4: TSG / (TG + S)
    grouped = {"H": 64, "K": 8, "a": 2}
    assert round(at("decode-attention-intensity", s=100_000, **grouped), 2) == 8
    assert at("attention-intensity", s_q=5, s=70, **grouped) == Fraction(5 * 70 * 8, 5 * 8 + 70)
