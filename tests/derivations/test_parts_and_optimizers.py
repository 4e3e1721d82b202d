"""Parts of activations and state, other optimizers and what is moved, against published figures."""

from fractions import Fraction

import pytest

from workings import catalogue
from workings.derivation.evaluation import DoesNotApplyError, value_of
from workings.formula import evaluate
from workings.formula.interval import rational
from workings.simulate.factored import factor

BILLION = 10**9


def value(id_: str, **letters: int | Fraction) -> Fraction:
    found = value_of(catalogue.get(id_), {name: Fraction(number) for name, number in letters.items()})
    return rational(found)


# --- activations ----------------------------------------------------------------------------------


def test_attention_feed_forward_and_norms_are_all_that_a_block_saves() -> None:
    gpt = {"s": 2048, "b_m": 2, "D": 4096}
    parts = [value("attention-activations", **gpt, H=32), value("ffn-activations", **gpt),
             value("norm-activations", **gpt)]  # fmt: skip
    assert sum(parts) == value("block-activations", **gpt, H=32)
    llama = {"s": 8192, "b_m": 1, "D": 4096, "a": 2}
    heads, hidden = {"H": 32, "K": 8, "d_h": 128}, {"F": 14336}
    attention = value("attention-activations-llama", **llama, **heads)
    feed_forward = value("ffn-activations-llama", **llama, **hidden)
    norms = value("norm-activations", s=8192, b_m=1, D=4096)
    whole = value("block-activations-llama", **llama, **heads, **hidden)
    assert attention + feed_forward + norms == whole


def test_the_parts_of_tensor_parallel_ranks_leave_10_of_34_whole() -> None:
    # Korthikanti et al., equation 2.
    one = {"s": 2048, "b_m": 1, "D": 12288, "t": 8}
    split = value("attention-activations-tp", **one, H=96) + value("ffn-activations-tp", **one)
    norms = value("norm-activations", s=2048, b_m=1, D=12288)
    assert split + norms == value("block-activations-tp", **one, H=96)


def test_a_block_of_the_ledger_is_in_one_part_and_no_other() -> None:
    sizes = {"s": Fraction(64), "b_m": Fraction(1), "D": Fraction(32), "H": Fraction(4)}
    named = [
        {row.name: evaluate(row.per_rank, sizes) for row in catalogue.get(id_).ledger}
        for id_ in ("attention-activations", "ffn-activations", "norm-activations")
    ]
    whole = {row.name: evaluate(row.per_rank, sizes) for row in catalogue.get("block-activations").ledger}
    assert named[0] | named[1] | named[2] == whole
    assert sum(map(len, named)) == len(whole)


def test_the_scores_of_gpt_3_are_80_of_its_114() -> None:
    # Section 5: 5as/h = 80 for GPT-3, of which selective recomputation saves 70 %.
    scores = value("score-activations", s=2048, b_m=1, D=12288, H=96)
    assert scores == 80 * 2048 * 12288
    assert scores == Fraction(5, 2) * value("score-table-bytes", s=2048, b_m=1, H=96, a=2)
    saving = value("selective-recompute-saving", s=2048, D=12288, H=96)
    assert round(100 * saving) == 70
    assert round(100 * value("selective-recompute-saving", s=2048, D=20480, H=128)) == 65


def test_selective_recomputation_of_gpt_3_saves_half_from_870_tokens() -> None:
    half = value("selective-recompute-half", D=12288, H=96)
    assert 870 < half < 871
    assert value("selective-recompute-saving", s=870, D=12288, H=96) < Fraction(1, 2)
    assert value("selective-recompute-saving", s=871, D=12288, H=96) > Fraction(1, 2)


@pytest.mark.parametrize(
    ("printed", "within", "letters"),
    [
        # ZeRO, section 3.2: 60 GB for GPT-2's 1.5 billion, batch 32 of 1,024 tokens.
        (60, 1, {"s": 1024, "b_m": 32, "D": 1600, "L": 48, "c_D": 12, "c_F": 0, "F": 1}),
        # How to Scale Your Model: 84 TB with about 20 tensors, 42 TB and 7.86 TB with D + 2F.
        (84_000, 500, {"s": 4 * 10**6, "b_m": 1, "D": 8192, "L": 64, "c_D": 20, "c_F": 0, "F": 1}),
        (42_000, 500, {"s": 16 * 10**6, "b_m": 1, "D": 5120, "F": 13824, "L": 40, "c_D": 1, "c_F": 2}),
        (7_860, 5, {"s": 3 * 10**6, "b_m": 1, "D": 5120, "F": 13824, "L": 40, "c_D": 1, "c_F": 2}),
    ],
)
def test_activations_by_saved_tensors(printed: int, within: int, letters: dict[str, int]) -> None:
    assert abs(value("saved-tensor-activations", a=2, **letters) / BILLION - printed) < within


# --- state ----------------------------------------------------------------------------------------


def test_what_optimizers_keep() -> None:
    # EleutherAI, Transformer Math 101: 12 bytes with AdamW, 8 with momentum, 4 and 2 of gradients.
    assert value("optimizer-state", P=1, w_p=4, w_o=4, n_o=2) == 12
    assert value("optimizer-state", P=1, w_p=4, w_o=4, n_o=1) == 8
    assert value("gradient-bytes", P=20 * BILLION, w_g=4) == 80 * BILLION
    # ZeRO, section 5.2: gradients of 7.5 billion parameters on 64 devices.
    assert value("gradient-shard-bytes", P=75 * BILLION // 10, w_g=2, N=64) == 15 * BILLION // 64


def test_the_parts_are_all_of_the_state() -> None:
    widths = {"w_p": 4, "w_o": 4}
    parts = value("optimizer-state", P=7, n_o=2, **widths) + value("gradient-bytes", P=7, w_g=2)
    assert parts + value("weights-bytes", P=7, w=2) == value("mixed-precision-state", P=7)


def test_muon_halves_the_moments_of_matrices_and_saves_45_percent_with_nine_tenths_of_them() -> None:
    # DeepSpeed: 8 bytes with Adam, 4 with Muon; about 90 % in matrices, roughly 45 % less.
    assert value("muon-state", P=100, P_mat=100, w_p=0, w_o=4) == 4 * 100
    assert value("muon-state", P=100, P_mat=90, w_p=0, w_o=4) == Fraction(55, 100) * 8 * 100
    with pytest.raises(DoesNotApplyError, match="P_mat <= P"):
        value("muon-state", P=1, P_mat=2, w_p=0, w_o=4)


def test_factored_moments_of_a_matrix_are_its_sides_and_give_squares_of_rank_one_back() -> None:
    assert value("factored-moment-bytes", d_in=8192, d_out=28672, w_o=4) == 4 * (8192 + 28672)
    found = factor([[1, 2, 3], [2, 4, 6]])
    assert found.kept == 5
    assert [found.estimate(1, column) for column in range(3)] == [4, 16, 36]


def test_factored_moments_of_llama_3_8b_are_megabytes_and_not_32_gigabytes() -> None:
    model = {"L": 32, "D": 4096, "H": 32, "K": 8, "d_h": 128, "F": 14336, "n_f": 3, "V": 128256}
    kept = value("adafactor-state", **model, n_emb=2, w_o=4)
    # Sides, matrix by matrix: q, k, v, o, gate, up, down in each block; two tables.
    sides = [(4096, 4096), (4096, 1024), (4096, 1024), (4096, 4096), *[(4096, 14336)] * 3] * 32
    assert kept == 4 * sum(map(sum, [*sides, (128256, 4096), (128256, 4096)]))
    assert kept < 8 * BILLION * 4 / 1000


def test_an_average_in_fp32_takes_mixed_precision_to_20_bytes() -> None:
    recipe = {"w_p": 4, "w_g": 2, "w_o": 4, "w_c": 2}
    assert value("ema-state", P=1, w_e=4, **recipe) == 20
    assert value("ema-state", P=1, w_e=0, **recipe) == value("training-state", P=1, **recipe)


# --- work and transfers ---------------------------------------------------------------------------


def test_palm_does_4_10_teraflops_a_token() -> None:
    # PaLM, table 22: 3.28 TFLOPs a token without rematerialization, 4.10 with.
    palm = {"P": 540_350_000_000, "L": 118, "H": 48, "d_h": 256, "s": 2048}
    assert round(value("palm-flops-per-token", **palm) / 10**12, 2) == Fraction("3.28")
    hardware = value("hardware-flops-per-token", **palm, x_re=Fraction(3, 4))
    assert round(hardware / 10**12, 2) == Fraction("4.10")


def test_checkpoints_of_gpt_2_are_worth_more_than_10_000_flops_a_byte() -> None:
    # ZeRO, section 4.2.1: at least 10,000 for GPT-2 or larger; 48*D + 8*s in GPT's shape.
    gpt = {"s": 1024, "D": 1600, "H": 25, "K": 25, "d_h": 64, "F": 6400, "n_f": 2, "a": 2}
    assert value("checkpoint-intensity", **gpt) == 48 * 1600 + 8 * 1024 > 10_000
    link = value("checkpoint-offload-bandwidth", **gpt, C=10**15)
    assert link == Fraction(4 * 10**15, 48 * 1600 + 8 * 1024)


def test_offloading_moves_every_input_out_and_back() -> None:
    letters = {"s": 8192, "b_m": 1, "D": 8192, "a": 2, "t": 8, "N_c": 1}
    kept = value("checkpoint-inputs", s=8192, b_m=1, D=8192, L=80)
    assert value("checkpoint-offload-bytes", L=80, **letters) == 2 * kept / 8


def test_chunks_leave_one_gather_and_one_reduce_scatter() -> None:
    # MegaScale, section 3.2: 1/(2*vpp_size) after the first gather is prefetched.
    assert value("chunked-sync-exposed", v=6, T_g=2, T_r=2) == Fraction(1, 6)
    assert value("chunked-sync-prefetched", v=6, T_g=2, T_r=2) == Fraction(1, 12)


def test_megatron_pads_50257_to_51200_on_eight_ranks() -> None:
    # Megatron-LM, section 5.1; on one rank it is the well-known 50,304.
    assert value("padded-vocabulary", V=50257, t=8, q_V=128) == 51_200
    assert value("padded-vocabulary", V=50257, t=1, q_V=128) == 50_304
    padding = value("vocabulary-padding-parameters", V=50257, t=8, q_V=128, D=3072, n_emb=1)
    assert padding == (51_200 - 50_257) * 3072


def test_one_reader_of_a_group_takes_the_group_off_the_storage() -> None:
    state = {"P": BILLION, "w_p": 4, "w_o": 4, "W_s": 10**9, "d": 8}
    assert value("checkpoint-read-time", **state) == 96
    read = value("checkpoint-bytes-read", P=BILLION, w_p=4, w_o=4, d=8)
    assert read == 96 * 10**9 == 8 * value("checkpoint-bytes", P=BILLION, w_p=4, w_o=4)
    once = value("checkpoint-read-once-time", **state, n=64, k_p=1000, alpha=0, W_b=50 * BILLION)
    assert 12 < once < Fraction("12.1")


# --- fine-tuning ----------------------------------------------------------------------------------


def test_prefixes_of_gpt_3() -> None:
    # LoRA, tables 4 and 15: 3.2M and 6.4M for 256 and 512 tokens before and 8 after.
    for tokens, printed in ((256, "3.2"), (512, "6.4")):
        found = value("prefix-embedding-parameters", D=12288, l_p=tokens, l_i=8)
        assert round(found / 10**6, 1) == Fraction(printed)
    assert round(value("prefix-layer-parameters", L=96, D=12288, l_p=8, l_i=8) / 10**6, 1) == Fraction(
        "18.9"
    )


def test_constants_in_fp32_for_blocks_of_64_take_half_a_bit_a_weight() -> None:
    # QLoRA, section 3: 32/64 = 0.5 bits a parameter.
    weights = 4096 * 11008
    assert value("quantization-constants", P=weights, B_q=64) == weights // 64
    assert 8 * value("quantization-constant-bytes", P=weights, B_q=64, w_s=4) == Fraction(weights, 2)
    assert value("quantization-constants", P=65, B_q=64) == 2
