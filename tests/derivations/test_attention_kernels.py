"""Attention as kernels compute, move and keep it: published figures, and where formulas meet."""

from fractions import Fraction

import pytest
from evaluated import rational_at as at

from workings import catalogue
from workings.derivation.evaluation import DoesNotApplyError
from workings.scenario import load_scenario
from workings.values.worked import work

GPT2_MEDIUM = {"b_m": 64, "H": 16, "s": 1024, "d_h": 64, "a": 2}

# --- FLOPs -------------------------------------------------------------------------------------


def test_the_backward_of_flash_attention_is_two_and_a_half_times_its_forward() -> None:
    # FlashAttention-2, section 4.1: 4 s^2 d heads forward, 2.5 times that backward
    sizes = {"b": 1, "s": 16_384, "H": 16, "d_h": 128}
    forward = 4 * 16_384**2 * 128 * 16
    assert at("attention-backward-flops", **sizes) == Fraction(5, 2) * forward
    half = at("attention-backward-flops-causal", **sizes) / at("attention-backward-flops", **sizes)
    assert Fraction(1, 2) < half < Fraction("0.5001")


def test_recomputation_is_a_sixth_more_than_six_products() -> None:
    # FlashAttention, figure 2: 825 GFLOP without recomputation and 962 with, as its list counts them
    sizes = {"b": 64, "s": 1024, "H": 16, "d_h": 64}
    forward, backward = (at(f"attention-{n}-flops", **sizes) for n in ("core", "backward"))
    assert round(3 * forward / 10**9) == 825
    assert round((forward + backward) / 10**9) == 962


def test_as_many_queries_as_keys_are_attention_of_a_sequence_over_itself() -> None:
    sizes = {"b": 3, "s": 512, "H": 8, "d_h": 64}
    square = at("attention-queries-keys-flops", s_q=512, **sizes)
    assert square == at("attention-core-flops", **sizes)
    assert at("attention-queries-keys-flops", s_q=1, **sizes) * 512 == square


def test_flops_over_bytes_of_some_queries_over_some_keys_are_the_books_intensity() -> None:
    # How to Scale Your Model, part 4, question 4: TSG / (TG + S) in bfloat16
    queries, keys, groups, kv_heads = 512, 8192, 8, 8
    heads = {"H": groups * kv_heads, "d_h": 128, "s_q": queries, "s": keys}
    flops = at("attention-queries-keys-flops", b=4, **heads)
    moved = at("fused-attention-bytes", b_m=4, K=kv_heads, a=2, **heads)
    assert flops / moved == Fraction(queries * keys * groups, queries * groups + keys)


def test_the_softmax_is_little_beside_the_scores_of_a_wide_head() -> None:
    # Chinchilla, appendix F: 3 num_heads seq_len^2 beside 4 seq_len^2 key_size num_heads
    sizes = {"b": 1, "s": 2048, "H": 28}
    assert at("softmax-flops", **sizes) == 3 * 28 * 2048 * 2048
    share = at("softmax-flops", **sizes) / at("attention-core-flops", d_h=128, **sizes)
    assert share == Fraction(3, 4 * 128)


# --- bytes that move ---------------------------------------------------------------------------


def test_both_passes_move_less_than_the_paper_measured_with_mask_and_dropout() -> None:
    # FlashAttention, figure 2: 40.3 GB with scores in memory, forward and backward together
    standard = at("standard-attention-bytes", **GPT2_MEDIUM)
    backward = at("standard-attention-backward-bytes", **GPT2_MEDIUM)
    assert Fraction("25e9") < standard + backward < Fraction("40.3e9")
    assert Fraction("1.7") < backward / standard < Fraction("1.8")


def test_the_papers_bytes_of_flash_attention_are_those_of_blocks_of_some_hundred_keys() -> None:
    # FlashAttention, figure 2: 4.4 GB, forward and backward together
    def both(block: int) -> Fraction:
        passes = ("flash-attention-bytes", "flash-attention-backward-bytes")
        return sum((at(id_, B_c=block, **GPT2_MEDIUM) for id_ in passes), Fraction(0))

    assert both(1024) < Fraction("4.4e9") < both(256)
    assert Fraction(5, 3) < both(64) / both(128) < 2


def test_a_last_block_of_one_key_costs_a_whole_pass_backward() -> None:
    shape = {"b_m": 1, "H": 1, "d_h": 4, "a": 1, "B_c": 3}
    nine, ten = (at("flash-attention-backward-bytes", s=s, **shape) for s in (9, 10))
    assert ten / nine > Fraction(10, 9)


def test_a_mask_that_hides_nothing_saves_nothing_and_a_causal_one_nearly_half() -> None:
    shape = {**GPT2_MEDIUM, "B_c": 64}
    whole = at("block-sparse-attention-bytes", x_b=1, **shape)
    assert whole == at("flash-attention-bytes", **shape)
    causal = at("block-sparse-attention-bytes", x_b=Fraction(16 * 17, 2 * 16 * 16), **shape)
    assert Fraction("0.53") < causal / whole < Fraction("0.56")


# --- blocks ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "keys", "queries"), [(64, 384, 64), (128, 192, 128), (256, 96, 96)])
def test_an_a100s_192_kb_hold_384_keys_of_64_values(width: int, keys: int, queries: int) -> None:
    # FlashAttention, section 2.1: 192 KB of SRAM a multiprocessor; algorithm 1, line 1
    values = 192 * 1024 // 2
    assert at("flash-key-block", M=values, d_h=width) == keys
    assert at("flash-query-block", M=values, d_h=width) == queries


def test_a_chip_without_room_for_one_token_has_no_blocks() -> None:
    with pytest.raises(DoesNotApplyError, match="not one token's key"):
        at("flash-key-block", M=100, d_h=64)


def test_eighty_thread_blocks_keep_three_quarters_of_an_a100_busy() -> None:
    # FlashAttention-2, section 3.2: 80 or more of 108; and a long sequence with a small batch
    one_a_head = {"b_m": 5, "H": 16, "s": 2048, "B_r": 2048}
    assert at("attention-thread-blocks", **one_a_head) == 80
    assert round(at("attention-multiprocessors-busy", n_sm=108, **one_a_head), 2) == Fraction("0.74")
    split = {"b_m": 1, "H": 16, "s": 16_384, "B_r": 128}
    assert at("attention-thread-blocks", **split) == 16 * 128
    assert at("attention-multiprocessors-busy", n_sm=108, **split) > Fraction("0.99")
    assert at("attention-multiprocessors-busy", n_sm=108, **{**split, "B_r": 16_384}) < Fraction("0.15")


# --- what is kept ------------------------------------------------------------------------------


def test_gpt_3s_table_of_scores_takes_805_mb_a_sequence_and_its_sums_a_thousandth() -> None:
    heads = {"b_m": 1, "H": 96, "s": 2048}
    table = at("score-table-bytes", a=2, **heads)
    assert round(table / 10**6) == 805
    assert table / at("flash-statistics-bytes", **heads) == 1024
    # Korthikanti et al., section 4.2.1: 5as/h = 80 for GPT-3: a softmax, a mask and a dropout output
    kept = 2 * table + at("score-table-bytes", a=1, **heads)
    assert kept / (2048 * 12_288) == 80


def test_a_plain_block_with_a_key_for_each_query_is_gpts() -> None:
    # Korthikanti et al., equation 1: s b h (34 + 5as/h), for GPT-3 114
    gpt3 = {"s": 2048, "b_m": 1, "D": 12_288, "H": 96, "d_h": 128, "F": 4 * 12_288, "a": 2}
    token = 2048 * 12_288
    assert at("block-activations-grouped", K=96, **gpt3) == 114 * token
    saved = at("block-activations-grouped", K=96, **gpt3) - at("block-activations-grouped", K=1, **gpt3)
    assert saved == 4 * token * Fraction(95, 96)  # keys and values of 95 heads; no score is spared


# --- two widths, and latent attention ----------------------------------------------------------


def test_values_as_wide_as_keys_are_attention_as_always() -> None:
    shape = {"D": 512, "H": 8, "K": 2, "d_h": 64}
    two = at("attention-parameters-two-widths", d_v=64, **shape)
    assert two == at("attention-parameters", **shape)
    # Vaswani et al., table 3, row B: d_k = 16 leaves 58 of 65 million parameters
    base, narrow = (
        at("attention-parameters-two-widths", D=512, H=8, K=8, d_h=d_k, d_v=64) for d_k in (64, 16)
    )
    assert round(18 * (base - narrow) / 10**6) == 7  # 18 attentions: of encoder, decoder and between


def test_absorbed_latent_attention_does_some_240_flops_a_byte_in_deepseek_v3() -> None:
    # FlashMLA, deep dive: h_q (d_k + d_v) / d_k, about 2 h_q = 256, and compute-bound on an H800
    found = at("mla-cache-read-intensity", s=4096, H=128, r_kv=512, d_r=64, w_kv=2)
    assert found == Fraction(128 * (576 + 512), 576)
    assert Fraction("865e12") / Fraction("3.35e12") / 2 < found < 256
    grouped = at("cache-read-intensity", s=4096, H=128, K=128, d_h=128, w_kv=2)
    assert grouped == 1


def test_absorbing_spares_bringing_the_cache_up() -> None:
    # DeepSeek-V2, section 2.1.2: keys and values need not be computed
    v3 = {"b": 1, "H": 128, "r_kv": 512, "d_n": 128, "d_r": 64, "d_v": 128}
    long = {way: at(f"mla-{way}-decode-flops", s=4096, **v3) for way in ("absorbed", "expanded")}
    assert 110 < long["expanded"] / long["absorbed"] < 120
    first = {way: at(f"mla-{way}-decode-flops", s=1, **v3) for way in ("absorbed", "expanded")}
    assert first["expanded"] < first["absorbed"]  # with nothing to spare, the wider scores cost more


def test_a_cache_of_vectors_is_not_asked_of_grouped_heads_and_the_other_way_round() -> None:
    for id_, model, other in (
        ("mla-cache-read-intensity", "llama3-70b-64", "cache-read-intensity"),
        ("cache-read-intensity", "deepseek-v3-2048", "mla-cache-read-intensity"),
    ):
        with pytest.raises(DoesNotApplyError, match=f"{other} answers here"):
            work(catalogue.get(id_), load_scenario(model))


# --- between products --------------------------------------------------------------------------


def test_what_runs_between_products_falls_as_the_model_grows_wider() -> None:
    # Transformer Inference Arithmetic, “intermediate memory costs”: 8 times the width, an eighth of it
    def share(width: int) -> Fraction:
        heads = width // 64
        return at(
            "elementwise-time-share", B=512, D=width, F=4 * width, n_f=2, H=heads, K=heads, d_h=64, a=2,
            C="312e12", W_m="1.5e12",
        )  # fmt: skip

    assert share(1024) / share(8192) == 8
    assert (
        Fraction("0.3") < share(1024) < Fraction("0.43")
    )  # the source measured 43%, attention's own among it
