"""Activations against published figures."""

from fractions import Fraction

import pytest

from workings import catalogue
from workings.derivation.evaluation import DoesNotApplyError, value_of
from workings.formula import evaluate
from workings.formula.interval import rational

GIB = 2**30


def value(id_: str, **letters: int | Fraction) -> Fraction:
    found = value_of(catalogue.get(id_), {name: Fraction(number) for name, number in letters.items()})
    return rational(found)


def rows(id_: str, **letters: int | Fraction) -> dict[str, Fraction]:
    known = {name: Fraction(number) for name, number in letters.items()}
    return {r.name: rational(evaluate(r.per_rank, known)) for r in catalogue.get(id_).ledger}


# Korthikanti et al., table 3: heads, width, layers, stages, micro-batch; sequence 2,048, tp 8.
TABLE_3 = {
    "22B": {"H": 64, "D": 6_144, "b_m": 4},
    "175B": {"H": 96, "D": 12_288, "b_m": 1},
    "530B": {"H": 128, "D": 20_480, "b_m": 1},
    "1T": {"H": 160, "D": 25_600, "b_m": 1},
}


def block(id_: str, model: str, **more: int) -> Fraction:
    letters = {**TABLE_3[model], "s": 2048, "t": 8, **more}
    needed = catalogue.get(id_).letters
    return value(id_, **{name: number for name, number in letters.items() if name in needed})


# --- a block --------------------------------------------------------------------------------------


def test_attention_11_feed_forward_19_norms_4() -> None:
    # Section 4.1, in units of one value in one byte a position: 11 s b h + 5 a s^2 b, 19 s b h, 4 s b h.
    parts = rows("block-activations", s=10, b_m=1, D=10, H=1)
    unit = 100
    norms = sum(v for name, v in parts.items() if name.endswith("norm"))
    feed = ("input of the feed-forward", "input of the GeLU", "input of the last matrix")
    mlp = sum(parts[name] for name in (*feed, "feed-forward dropout mask"))
    scores = sum(v for name, v in parts.items() if name.startswith("softmax"))
    assert norms == 4 * unit
    assert mlp == 19 * unit
    assert scores == 5 * unit
    assert sum(parts.values()) - norms - mlp - scores == 11 * unit


def test_the_scores_of_gpt_3_are_80_against_34() -> None:
    # Section 5: 5as/h = 80 for GPT-3 and 64 for MT-NLG, beside 34.
    for model, scores in (("175B", 80), ("530B", 64)):
        unit = 2048 * TABLE_3[model]["b_m"] * TABLE_3[model]["D"]
        assert block("block-activations", model) == (34 + scores) * unit


def test_selective_recomputation_saves_70_and_65_percent() -> None:
    # Section 5: 70 % for GPT-3 and 65 % for MT-NLG.
    for model, saved in (("175B", 70), ("530B", 65)):
        rest = block("block-activations-selective", model) / block("block-activations-tp-sp", model)
        assert round(100 * (1 - rest)) == saved


@pytest.mark.parametrize("model", TABLE_3)
def test_both_techniques_together_leave_a_fifth_and_full_recomputation_a_tenth(model: str) -> None:
    # Figure 7 and section 6.1: "under 20 %" and "10 %" of the tensor-parallel baseline, off a figure.
    baseline = block("block-activations-tp", model)
    both = block("block-activations-selective", model) / baseline
    full = block("block-activations-full", model) / baseline
    assert Fraction("0.15") < both < Fraction("0.205")
    assert Fraction("0.07") < full < Fraction("0.10")


def test_table_2_at_t_1_is_the_block_without_parallelism() -> None:
    whole = block("block-activations", "22B")
    assert block("block-activations-tp", "22B", t=1) == whole
    assert block("block-activations-tp-sp", "22B", t=1) == whole


def test_megatrons_estimate_of_a_block() -> None:
    # theoretical_memory_usage.py, compute_activation_memory: s b h (18 + 4 ffn/h), then over t.
    unit = 2048 * 12_288
    assert block("block-activations-selective", "175B") == unit * (18 + 4 * 4) / 8


def test_flash_attention_leaves_nothing_quadratic() -> None:
    one = value("block-activations-flash", s=1000, b_m=1, D=64, H=4)
    assert value("block-activations-flash", s=2000, b_m=1, D=64, H=4) == 2 * one


def test_without_dropout_masks_and_copies_go() -> None:
    with_it = value("block-activations", s=8, b_m=1, D=8, H=1)
    without = value("block-activations-no-dropout", s=8, b_m=1, D=8, H=1)
    assert with_it - without == 2 * 64 + 3 * 64


LLAMA_405B = {"D": 16_384, "H": 128, "K": 8, "d_h": 128, "F": 53_248, "a": 2}


def test_a_llama_block_in_values_a_token() -> None:
    # 12 h + 4 h_kv + 6 f bytes a token in 16 bits, and the log-sum-exp of each head.
    found = value("block-activations-llama", s=1, b_m=1, **LLAMA_405B)
    assert found == 12 * 16_384 + 4 * 1024 + 6 * 53_248 + 4 * 128


def test_eight_key_and_value_heads_on_sixteen_ranks_are_one_a_rank() -> None:
    sizes = {**LLAMA_405B, "s": 8192, "b_m": 1, "c": 1}
    at_8 = rows("block-activations-llama-mesh", t=8, **sizes)
    at_16 = rows("block-activations-llama-mesh", t=16, **sizes)
    assert at_16["keys"] == at_8["keys"] == 2 * 8192 * 128
    assert at_16["queries"] == at_8["queries"] / 2


def test_key_and_value_heads_that_ranks_cannot_share_do_not_apply() -> None:
    sizes = {**LLAMA_405B, "s": 8192, "b_m": 1, "c": 1, "K": 4, "H": 24, "F": 48}
    with pytest.raises(DoesNotApplyError):
        value("block-activations-llama-mesh", t=6, **sizes)


def test_context_parallelism_divides_everything() -> None:
    sizes = {**LLAMA_405B, "s": 131_072, "b_m": 1, "t": 8}
    alone = value("block-activations-llama-mesh", c=1, **sizes)
    assert value("block-activations-llama-mesh", c=16, **sizes) == alone / 16


def test_one_expert_for_every_token_is_a_gated_feed_forward_and_a_copy() -> None:
    sizes = {"s": 6, "b_m": 2, "D": 8, "H": 2, "K": 2, "d_h": 4, "a": 2, "t": 1, "c": 1}
    dense = value("block-activations-llama-mesh", F=24, **sizes)
    one = value("block-activations-moe", E=1, k_E=1, F_E=24, E_s=0, phi=1, **sizes)
    tokens = 12
    assert one - dense == tokens * (2 * 8 + 4 + 4)  # the copy, the router's softmax, the weight


# --- in flight ------------------------------------------------------------------------------------


def test_1f1b_holds_as_many_as_stages_follow() -> None:
    assert [value("in-flight-1f1b", m=8, p=4, k=k) for k in range(4)] == [4, 3, 2, 1]
    assert [value("in-flight-1f1b", m=2, p=4, k=k) for k in range(4)] == [2, 2, 2, 1]
    assert value("in-flight-gpipe", m=8, p=4, k=3) == 8


def test_interleaving_three_chunks_on_eight_stages() -> None:
    # Section 6: three chunks for the 175B model (p = 8) and the 530B model (p = 35).
    assert value("interleaved-penalty", p=8, v=3) == 1 + Fraction(7, 24)
    assert value("in-flight-interleaved", m=64, p=8, v=3) == 8 * (1 + Fraction(7, 24))
    assert value("interleaved-penalty", p=35, v=3) == 1 + Fraction(34, 105)
    layers = value("interleaved-activations", A=1, L=96, p=8, v=3, m=64)
    assert layers == 96 * (1 + Fraction(7, 24))
    # 126 layers in 16 stages of 2 chunks: chunks of 4 or 3, and 47 full ones in flight.
    assert value("interleaved-activations", A=1, L=126, p=16, v=2, m=64) == (2 * 16 + 15) * 4


def test_zb_h1_never_exceeds_the_first_stage_of_1f1b() -> None:
    # Zero Bubble, section 2.3: worker i (from 1) holds (p - i + 1) M_B + (i - 1) M_W.
    held = [value("zb-h1-activations", m=8, p=4, k=k, M_B=100, M_W=30) for k in range(4)]
    assert held == [400, 330, 260, 190]


def test_zb_h2_holds_2p_minus_1_on_the_first_stage() -> None:
    # Section 2.3: worker i (from 1) holds (2p - 2i + 1) M_B + (2i - 2) M_W.
    held = [value("zb-h2-activations", m=8, p=4, k=k, M_B=100, M_W=30) for k in range(4)]
    assert held == [700, 560, 420, 280]
    with pytest.raises(DoesNotApplyError, match=r"m >= 2\*p - 1"):
        value("zb-h2-activations", m=6, p=4, k=0, M_B=100, M_W=30)


def test_zb_v_holds_as_much_on_every_rank_as_1f1b_on_its_first() -> None:
    # Section 6: p M_B, and a warm-up of (2p - i) + (i - 1) forwards of a chunk on worker i.
    assert {value("zb-v-activations", m=24, p=8, k=k, M_B=100, M_W=30) for k in range(8)} == {800}
    assert value("in-flight-zb-v", m=24, p=8, k=3) == value("in-flight-1f1b", m=24, p=8, k=0) == 8


def test_dualpipe_holds_a_pps_part_more_than_1f1b() -> None:
    # DeepSeek-V3, section 3.2.1: the peak is 1/PP times larger.
    assert value("dualpipe-activations", m=64, p=16, M_B=100, M_W=30) == 1600 * (1 + Fraction(1, 16))


def test_what_is_left_for_the_weights_is_the_papers_32_bytes() -> None:
    # Zero Bubble, table 1: 32 sbh for W of what was sb(34h + 5as) for B. GPT-3's width, one sequence.
    left = value("block-kept-for-weights", s=2048, b_m=1, D=12288)
    assert left == 32 * 2048 * 12288 == 805_306_368
    saved = value("block-activations", s=2048, b_m=1, D=12288, H=96)
    assert saved - left == 2 * 2048 * 12288 + 5 * 96 * 2048**2
    kept = rows("block-kept-for-weights", s=1, b_m=1, D=1)
    assert sum(n for name, n in kept.items() if name.startswith("input")) == 14
    assert sum(n for name, n in kept.items() if name.startswith("gradient")) == 18


def test_a_llama_block_keeps_as_much_for_its_weights_but_for_the_log_sum_exp() -> None:
    # Llama 3 8B: 8,192 tokens, width 4,096, 32 heads of 128, 8 of keys and values, 14,336 wide
    llama = {"s": 8192, "b_m": 1, "D": 4096, "H": 32, "K": 8, "d_h": 128, "F": 14336, "a": 2}
    gone = value("block-activations-llama", **llama) - value("block-kept-for-weights-llama", **llama)
    assert gone == 4 * 32 * 8192


def test_the_first_stage_keeps_the_layers_of_the_whole_model() -> None:
    # Section 4.2.3: L layers worth of activations regardless of the pipeline's size.
    for stages in (1, 8, 96):
        assert value("first-stage-activations", A=7, L=96, p=stages, m=96) == 7 * 96
    assert value("stage-activations", A=7, L=96, p=8, m=96, k=7) == 7 * 12


def test_126_layers_on_16_stages_are_counted_as_the_fullest_stage_s_8() -> None:
    assert value("stage-activations", A=7, L=126, p=16, m=96, k=15) == 7 * 8
    assert value("first-stage-activations", A=7, L=126, p=16, m=96) == 7 * 8 * 16
    assert value("recompute-peak", A=34, L=126, p=16, m=96, s=1, b_m=1, D=1) == (16 * 8 - 1) * 2 + 34
    assert value("ten-tensor-activations", s=4, b_m=1, D=1, L=126, p=16, t=2, c=2) == 8 * 20


def test_outputs_given_back_save_2_73_gib_on_the_first_stage_of_530b() -> None:
    # Appendix B prints "2.73 GB", which is GiB: 2.94 GB.
    saved = value("output-deallocation", s=2048, b_m=1, D=20_480, a=2, p=35, m=280, k=0)
    assert f"{float(saved / GIB):.2f}" == "2.73"


# --- ends and totals ------------------------------------------------------------------------------

V = 51_200


def test_the_head_keeps_4_of_the_width_and_4_of_the_vocabulary() -> None:
    # Section 4.3: 4 s b h / t (1 + v/h).
    found = value("head-activations", s=2048, b_m=4, D=6144, V=V, a=2, w_l=4, t=8, c=1)
    assert found == Fraction(4 * 2048 * 4 * 6144, 8) * (1 + Fraction(V, 6144))


def test_embedding_and_head_are_half_a_percent_of_the_22b_model() -> None:
    # Section 4.3 says "less than 0.01 %" of its own formula's total; the formula gives 0.56 %.
    sizes = {"s": 2048, "b_m": 4, "D": 6144, "H": 64, "t": 8}
    everything = value("model-activations", L=48, V=V, **sizes)
    blocks = 48 * value("block-activations-tp-sp", **sizes)
    assert f"{float(1 - blocks / everything):.4f}" == "0.0056"


def test_ten_tensors_are_10_of_17_of_the_papers_block_without_scores() -> None:
    one = {"s": 2048, "b_m": 1, "D": 12_288}
    ten = value("ten-tensor-activations", L=1, p=1, t=1, c=1, **one)
    paper = value("block-activations-selective", H=96, t=1, **one)
    assert ten / paper == Fraction(10, 17)


def test_inputs_alone_are_a_seventeenth() -> None:
    inputs = value("checkpoint-inputs", s=2048, b_m=1, D=12_288, L=96)
    assert inputs == 2 * 2048 * 12_288 * 96
    assert value("block-activations-selective", s=2048, b_m=1, D=12_288, H=96, t=1) == 17 * inputs / 96


def test_full_recomputation_fills_one_block_at_a_time() -> None:
    # Two stages of two blocks, inputs of 2 bytes, blocks of 34: four inputs, one of them a whole block.
    assert value("recompute-peak", A=34, L=4, p=2, m=8, s=1, b_m=1, D=1) == 3 * 2 + 34


def test_a_linear_net_keeps_an_input_for_each_layer() -> None:
    assert value("linear-net-activations", L=10, D=1024, B=8) == 10 * 1024 * 8


# --- the peak -------------------------------------------------------------------------------------

SHARED = {
    "w_s": 1,
    "P_l": 1000,
    "R_l": 0,
    "n_pos": 0,
    "beta_n": 0,
    "t": 1,
    "m": 64,
    "M_back": 0,
    "M_step": 0,
}
ENDS = {"V": 100, "D": 10, "s": 10, "b_m": 1, "a": 2, "w_l": 4, "c": 1}


def test_the_fullest_rank_is_the_first_or_the_last() -> None:
    blocks = {"p": 4, "L_first": 2, "L_mid": 2, "L_last": 2}
    many = value("peak-memory", A=5000, **blocks, **SHARED, **ENDS)
    assert many == value("peak-memory-first-stage", A=5000, p=4, L_first=2, V=100, D=10, **SHARED)
    few = value("peak-memory", A=10, **blocks, **SHARED, **ENDS)
    last = value("peak-memory-last-stage", A=10, p=4, L_last=2, **SHARED, **ENDS)
    assert few == last
    assert last == 3010 + 2 * 10 + (2 * 200 + 4000) + 4000  # state, blocks, head, gradients of logits


def test_the_peak_is_never_the_sum_of_the_largest_parts() -> None:
    blocks = {"p": 4, "L_first": 2, "L_mid": 2, "L_last": 2}
    busy = {**SHARED, "M_back": 50, "M_step": 7000}
    peak = value("peak-memory", A=300, **blocks, **busy, **ENDS)
    state = 3010  # the last stage's, the largest
    in_flight = 4 * 2 * 300  # the first stage's
    logits = 8400  # the last stage's, with their gradients
    assert peak < state + in_flight + logits + 50
    assert peak < state + in_flight + 7000


def test_one_stage_holds_one_micro_batch_however_many_there_are() -> None:
    sizes = {**ENDS, "L": 4, "P": 6000, "A": 34, "w_s": 16, "t": 1, "M_back": 0, "M_step": 0}
    few = value("peak-memory-one-stage", m=1, **sizes)
    assert few == value("peak-memory-one-stage", m=32, **sizes)
    assert few == 16 * 6000 + 4 * 34 + 4400 + 4000
    assert value("loss-peak", s=10, b_m=1, V=100, w_l=4, t=1, c=1) == 8000


def test_a_heavy_optimizer_step_can_be_the_peak() -> None:
    sizes = {**ENDS, "L": 4, "P": 6000, "A": 34, "w_s": 16, "t": 1, "m": 1, "M_back": 0}
    assert value("peak-memory-one-stage", M_step=10**6, **sizes) == 16 * 6000 + 10**6
