"""FLOPs: published counts of real models, and where the rules of thumb part from them."""

from fractions import Fraction

import pytest
from evaluated import rational_at as at

from workings.derivation.evaluation import DoesNotApplyError

GPT3 = {"D": 12288, "L": 96, "s": 2048, "V": 51200}  # Megatron's, with its vocabulary
LLAMA_405B = {
    "L": 126, "D": 16384, "H": 128, "K": 8, "d_h": 128, "F": 53248, "n_f": 3, "V": 128256, "s": 8192,
}  # fmt: skip
DAY = 86_400


# --- products and parts ------------------------------------------------------------------------


def test_backward_through_a_product_is_two_products() -> None:
    forward = at("matmul-flops", B=5, D=7, F=11)
    assert at("matmul-backward-flops", B=5, D=7, F=11) == 2 * forward


def test_a_linear_net_takes_twice_the_lectures_multiply_adds() -> None:
    L, d, m = 4, 100, 3  # noqa: N806 - the lecture's letters
    assert at("linear-net-forward-flops", L=L, D=d, B=m) == 2 * (L * d**2 * m)
    assert at("linear-net-backward-flops", L=L, D=d, B=m) == 4 * (L * d**2 * m)


def test_a_linear_net_of_one_layer_is_one_product() -> None:
    assert at("linear-net-forward-flops", L=1, D=7, B=3) == at("matmul-flops", B=3, D=7, F=7)
    assert at("linear-net-backward-flops", L=1, D=7, B=3) == at("matmul-backward-flops", B=3, D=7, F=7)


def test_grouped_queries_make_only_keys_and_values_cheaper() -> None:
    full, grouped, single = (
        at("attention-projection-flops", b=1, s=1, D=64, H=8, K=kv, d_h=8) for kv in (8, 2, 1)
    )
    assert full - grouped == 2 * 2 * 64 * 8 * 6  # six pairs of heads less
    assert single / full == Fraction(9, 16)


def test_a_causal_core_is_half_of_a_full_one_and_its_diagonal() -> None:
    full = at("attention-core-flops", b=2, s=100, H=3, d_h=16)
    causal = at("attention-core-flops-causal", b=2, s=100, H=3, d_h=16)
    assert causal / full == Fraction(101, 200)


def test_one_token_sees_itself_with_or_without_a_mask() -> None:
    one = {"b": 3, "s": 1, "H": 5, "d_h": 7}
    assert at("attention-core-flops", **one) == at("attention-core-flops-causal", **one)


def test_a_plain_feed_forward_is_the_older_derivation() -> None:
    sizes = {"B": 3, "D": 5, "F": 20}
    assert at("ffn-flops", n_f=2, **sizes) == at("ffn-forward-flops", **sizes)
    assert at("ffn-flops", n_f=3, **sizes) * 2 == at("ffn-flops", n_f=2, **sizes) * 3


# --- whole models ------------------------------------------------------------------------------


def test_the_mlp_and_attention_of_the_scaling_book() -> None:
    # How to Scale Your Model, part 4: training takes 18BTDF, and 24BTDNH + 12BT²NH with K = N.
    b, s, d_model, d_ff, heads, width = 2, 6, 10, 40, 5, 2
    model = {"b": b, "s": s, "L": 1, "D": d_model, "F": d_ff, "n_f": 3, "H": heads, "K": heads}
    block = at("model-training-flops", d_h=width, V=1, **model) - 6 * b * s * d_model
    mlp = 18 * b * s * d_model * d_ff
    attention = 24 * b * s * d_model * heads * width + 12 * b * s**2 * heads * width
    assert block == mlp + attention


def test_causal_training_differs_only_in_the_core() -> None:
    full = at("model-training-flops", b=1, **LLAMA_405B)
    causal = at("model-training-flops-causal", b=1, **LLAMA_405B)
    s, L, wide = 8192, 126, 128 * 128  # noqa: N806 - letters of the chain
    assert full - causal == 6 * s * L * (s - 1) * wide


@pytest.mark.parametrize(
    ("seconds", "gpus", "batch", "L", "h", "published"),
    [
        # Korthikanti et al. 2023, tables 3 and 5: iteration time, MFU on A100s of 312 TFLOP/s
        ("1.10", 8, 4, 48, 6144, "0.415"),
        ("13.75", 64, 64, 96, 12288, "0.514"),
        ("37.83", 280, 280, 105, 20480, "0.560"),
        ("71.49", 512, 512, 128, 25600, "0.563"),
    ],
)
def test_megatron_formula_gives_the_published_mfu(
    seconds: str, gpus: int, batch: int, L: int, h: int, published: str  # noqa: N803 - the paper's
) -> None:  # fmt: skip
    flops = at("megatron-training-flops", b=batch, s=2048, L=L, D=h, V=51200)
    mfu = flops / (gpus * Fraction(312 * 10**12) * Fraction(seconds))
    assert abs(mfu - Fraction(published)) < Fraction(2, 1000)


@pytest.mark.parametrize(
    ("L", "h", "gpus", "tflops", "days"),
    [
        # Narayanan et al. 2021, table 2, pipeline and tensor parallel: days for 300B tokens
        (96, 12288, 384, 153, 84),
        (96, 12288, 768, 149, 43),
        (96, 12288, 1536, 141, 23),
        (105, 20480, 560, 171, 156),
        (105, 20480, 2240, 159, 42),
    ],
)
def test_megatron_formula_with_recomputation_gives_the_published_days(
    L: int, h: int, gpus: int, tflops: int, days: int  # noqa: N803 - the paper's letters
) -> None:  # fmt: skip
    sequence = at("megatron-recompute-flops", b=1, s=2048, L=L, D=h, V=51200)
    seconds = sequence * Fraction(300 * 10**9, 2048) / (gpus * tflops * 10**12)
    assert abs(seconds / DAY - days) < 1


def test_megatron_formulas_are_the_general_ones_in_gpt_shape() -> None:
    gpt = {"b": 4, "H": 96, "K": 96, "d_h": 128, "F": 4 * 12288, "n_f": 2, **GPT3}
    for megatron, general in (
        ("megatron-training-flops", "model-training-flops"),
        ("megatron-recompute-flops", "full-recompute-flops"),
        ("megatron-selective-flops", "selective-recompute-flops"),
    ):
        assert at(megatron, b=4, **GPT3) == at(general, **gpt)


# --- six FLOPs a parameter and token -----------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "tokens", "published", "within"),
    [
        (174_600 * 10**6, 300 * 10**9, 3.14e23, 0.002),  # Brown et al. 2020, table D.1: GPT-3 175B
        (405_853_388_800, 15.6e12, 3.8e25, 0.005),  # Llama 3, section 1
        (70 * 10**9, 1.4e12, 5.76e23, 0.025),  # Hoffmann et al. 2022: Chinchilla, a finer count
        (70 * 10**9, 15e12, 6.3e24, 0.001),  # How to Scale Your Model, part 6: Llama 3 70B
    ],
)
def test_the_rule_of_six_gives_published_compute(
    parameters: int, tokens: float, published: float, within: float
) -> None:
    ours = at("training-flops-six-n", P=parameters, T_tok=tokens)
    assert abs(ours / Fraction(published) - 1) < within


def test_the_rule_of_six_is_exact_without_attention_and_embedding() -> None:
    # One token a sequence: its core is a 2*H*d_h beside every weight; without it, nothing is left.
    sizes = {"b": 7, "s": 1, "L": 3, "D": 1000, "H": 1, "K": 1, "d_h": 1, "F": 4000, "n_f": 2, "V": 99}
    off = at("training-flops-over-six-n", n_emb=1, **sizes) - 1
    assert 0 < off < Fraction(1, 10**6)


def test_a_long_context_breaks_the_rule_of_six() -> None:
    model = {"b": 1, "n_emb": 2, **LLAMA_405B}
    short, long = (at("training-flops-over-six-n", **{**model, "s": s}) for s in (8192, 131072))
    assert Fraction(107, 100) < short < Fraction(109, 100)
    assert long > 2  # attention costs more than all the weights


def test_a_large_input_embedding_makes_the_rule_of_six_too_high() -> None:
    # Gemma 2 2B's sizes: 26 layers, width 2304, vocabulary 256,000; counted with an untied table
    small = {"L": 26, "D": 2304, "H": 8, "K": 4, "d_h": 256, "F": 9216, "n_f": 3, "V": 256_000}
    assert at("training-flops-over-six-n", b=1, s=1024, n_emb=2, **small) < Fraction(9, 10)
    assert at("training-flops-over-six-n", b=1, s=1024, n_emb=1, **small) > 1


def test_attention_costs_as_much_as_the_weights_at_six_widths_or_eight_with_a_gate() -> None:
    assert at("attention-share-gpt", s=6 * 12288, D=12288) == 1
    gated = {"b": 1, "D": 4096, "H": 32, "K": 32, "d_h": 128, "F": 4 * 4096, "n_f": 3}
    assert at("attention-share", s=8 * 4096, **gated) == 1  # How to Scale Your Model, part 4: T/8D


def test_palm_reaches_its_published_utilization() -> None:
    # Chowdhery et al. 2022, appendix B: 238.3K tokens/s on 6,144 TPU v4 of 275 TFLOP/s; 540.35B
    palm = at("palm-flops-per-token", P=540_350 * 10**6, L=118, H=48, d_h=256, s=2048)
    peak = 6144 * 275 * 10**12
    assert abs(238_300 * palm / peak - Fraction("0.462")) < Fraction(1, 1000)
    assert abs(238_300 * at("palm-flops-per-token", P=540 * 10**9, L=1, H=1, d_h=1, s=1) / peak
               - Fraction("0.457")) < Fraction(1, 1000)  # fmt: skip


def test_megatron_turing_reaches_its_published_utilization() -> None:
    # The same appendix: 65.43K tokens/s on 2,240 A100s, 29.7 % without attention, 30.2 % with it
    flops = at("palm-flops-per-token", P=530 * 10**9, L=105, H=128, d_h=160, s=2048)
    peak = 2240 * 312 * 10**12
    assert abs(65_430 * flops / peak - Fraction("0.302")) < Fraction(1, 1000)


def test_kaplans_context_term_is_a_token_short_of_the_causal_core() -> None:
    sizes = {"L": 3, "H": 4, "d_h": 8, "s": 100}
    ours = at("kaplan-flops-per-token", P=1000, **sizes)
    published = 2 * 1000 + 2 * 3 * 100 * (4 * 8)  # 2N + 2 n_layer n_ctx d_attn
    assert ours - published == 2 * 3 * (4 * 8)


# --- mixture of experts ------------------------------------------------------------------------


def test_an_expert_layer_costs_its_active_weights() -> None:
    # DeepSeek-V3's: 256 experts of width 2048, 8 routed and 1 shared active, model width 7168
    layer = {"B": 1, "D": 7168, "F_E": 2048, "n_f": 3, "E": 256, "k_E": 8, "E_s": 1}
    active = 256 * 7168 + 9 * 3 * 7168 * 2048
    assert at("moe-forward-flops", **layer) == 2 * active
    assert at("moe-training-flops", **layer) == 6 * active


def test_with_every_expert_active_a_mixture_is_as_dear_as_a_dense_layer() -> None:
    layer = {"B": 3, "D": 8, "F_E": 4, "n_f": 2, "E": 6, "k_E": 6, "E_s": 0}
    dense = at("ffn-flops", B=3, D=8, F=24, n_f=2)
    router = at("matmul-flops", B=3, D=8, F=6)
    assert at("moe-forward-flops", **layer) == dense + router


def test_a_token_goes_to_no_more_experts_than_there_are() -> None:
    with pytest.raises(DoesNotApplyError, match="k_E <= E"):
        at("moe-forward-flops", B=3, D=8, F_E=4, n_f=2, E=6, k_E=7, E_s=0)


# --- recomputation -----------------------------------------------------------------------------


def test_full_recomputation_adds_a_third_but_for_the_logits() -> None:
    model = at("model-training-flops", b=1, **LLAMA_405B)
    ratio = at("full-recompute-flops", b=1, **LLAMA_405B) / model
    assert Fraction("1.33") < ratio < Fraction(4, 3)


@pytest.mark.parametrize(
    ("L", "h", "published"),
    [(96, 12288, "0.027"), (105, 20480, "0.016")],  # Korthikanti et al. 2023, section 5
)
def test_the_published_overhead_of_selective_recomputation_is_three_times_too_high(
    L: int, h: int, published: str  # noqa: N803 - the paper's letters
) -> None:  # fmt: skip
    ours = at("selective-recompute-overhead", b=1, s=2048, L=L, D=h, V=51200) - 1
    forward_only = at("attention-share-gpt", s=2048, D=h)
    assert abs(forward_only - Fraction(published)) < Fraction(1, 1000)  # s/(6h): core over forward
    assert abs(ours / Fraction(published) - Fraction(1, 3)) < Fraction(2, 100)


LATENT_MODEL = {
    "b": 2, "s": 6, "L": 3, "D": 8, "H": 2, "r_q": 3, "r_kv": 4, "d_n": 2, "d_r": 1, "d_v": 2, "F": 16,
    "n_f": 3, "E": 4, "k_E": 2, "E_s": 1, "F_E": 4, "L_E": 2, "V": 10,
}  # fmt: skip
MIXED_MODEL = {
    "b": 2, "s": 6, "L": 3, "D": 8, "H": 4, "K": 2, "d_h": 2, "F": 16, "n_f": 3, "E": 4, "k_E": 2,
    "E_s": 1, "F_E": 4, "L_E": 2, "V": 10,
}  # fmt: skip


def test_a_model_without_blocks_of_experts_is_a_dense_model() -> None:
    dense = {name: MIXED_MODEL[name] for name in ("b", "s", "L", "D", "H", "K", "d_h", "F", "n_f", "V")}
    for kind in ("", "-causal"):
        mixed = at(f"moe-model-training-flops{kind}", **{**MIXED_MODEL, "L_E": 0})
        assert mixed == at(f"model-training-flops{kind}", **dense)


def test_more_blocks_of_experts_than_blocks_do_not_apply() -> None:
    with pytest.raises(DoesNotApplyError, match="L_E <= L"):
        at("moe-model-training-flops", **{**MIXED_MODEL, "L_E": 4})
    with pytest.raises(DoesNotApplyError, match="k_E <= E"):
        at("mla-moe-training-flops-causal", **{**LATENT_MODEL, "k_E": 5})


def test_latent_attention_without_a_part_for_position_and_equal_widths_is_multi_head_attention() -> None:
    core = at("mla-core-flops-causal", b=1, s=9, H=3, d_n=3, d_r=1, d_v=4)
    assert core == at("attention-core-flops-causal", b=1, s=9, H=3, d_h=4)


def test_a_query_that_is_not_compressed_is_one_product() -> None:
    sizes = {"b": 1, "s": 1, "D": 8, "H": 2, "r_kv": 4, "d_n": 2, "d_r": 1, "d_v": 2}
    rest = 8 * (4 + 1) + 4 * 2 * (2 + 2) + 2 * 2 * 8
    assert at("mla-projection-flops", r_q=0, **sizes) == 2 * (8 * 2 * 3 + rest)
    assert at("mla-projection-flops", r_q=3, **sizes) == 2 * (3 * (8 + 2 * 3) + rest)


def test_a_window_as_long_as_the_sequence_is_causal_attention() -> None:
    sizes = {"b": 2, "s": 12, "H": 3, "d_h": 4}
    assert at("attention-core-flops-window", s_w=12, **sizes) == at(
        "attention-core-flops-causal", **sizes
    )
    assert at("attention-core-flops-window", s_w=1, **sizes) == 2 * 12 * 3 * 4 * 4  # its own key only


def test_mistrals_window_saves_nothing_at_its_length_and_most_of_a_long_sequence() -> None:
    # Mistral 7B: a window of 4,096; 32 heads of 128
    sizes = {"b": 1, "H": 32, "d_h": 128}
    short, long = (
        at("attention-core-flops-window", s=s, s_w=4096, **sizes)
        / at("attention-core-flops-causal", s=s, **sizes)
        for s in (4096, 32_768)
    )
    assert short == 1
    assert Fraction("0.23") < long < Fraction("0.24")


# --- a backward in two halves ---------------------------------------------------------------------


def test_the_halves_of_a_block_s_backward_are_those_of_the_zero_bubble_paper() -> None:
    # Qi et al., table 1: F sbh(24h + 4s), B sbh(24h + 8s), W sbh(24h); GPT-3's block, one sequence
    s, h = 2048, 12288
    gpt = {"b": 1, "s": s, "D": h, "H": 96, "K": 96, "d_h": 128, "F": 4 * h, "n_f": 2}
    back = at("block-input-gradient-flops", **gpt)
    weights = at("block-weight-gradient-flops", **gpt)
    assert back == s * h * (24 * h + 8 * s) == 7_834_020_347_904
    assert weights == s * h * 24 * h == 7_421_703_487_488
    assert back + weights == at("block-backward-flops", **gpt)
    assert weights < at("block-forward-flops", **gpt) < back  # section 2.3: T_W < T_F < T_B
