"""Model state against published figures."""

from fractions import Fraction

import pytest

from workings import catalogue
from workings.derivation.evaluation import DoesNotApplyError, value_of
from workings.formula.interval import rational

BILLION = 10**9
GB = 10**9
ADAM_IN_16_BITS = {"w_c": 2, "w_g": 2, "w_p": 4, "w_o": 4}


def value(id_: str, **letters: int | Fraction) -> Fraction:
    found = value_of(catalogue.get(id_), {name: Fraction(number) for name, number in letters.items()})
    return rational(found)


def per_parameter(id_: str, **letters: int) -> Fraction:
    return value(id_, P=1, **letters)


# --- recipes --------------------------------------------------------------------------------------


def test_mixed_precision_takes_as_much_as_fp32() -> None:
    # ZeRO, section 3.1: 2 + 2 + 12 = 16 bytes a parameter, at least 24 GB for GPT-2's 1.5 billion.
    assert per_parameter("adam-fp32-state") == per_parameter("mixed-precision-state") == 16
    assert value("mixed-precision-state", P=3 * BILLION // 2) == 24 * GB


def test_a_trillion_parameters_need_16_terabytes() -> None:
    # ZeRO, section 1: about 16 TB of state, 16 GB on each of 1,024 devices.
    assert value("mixed-precision-state", P=1000 * BILLION) == 16_000 * GB
    share = value("zero-3-state", P=1000 * BILLION, N=1024, **ADAM_IN_16_BITS)
    assert share == Fraction(16_000 * GB, 1024)


def test_gradients_in_fp32_take_megatron_to_18_bytes() -> None:
    # Megatron Core, Distributed Optimizer: 20, 18 and 16 bytes without it.
    assert per_parameter("mixed-precision-fp32-gradients-state") == 18
    assert per_parameter("distributed-optimizer-bf16-state", d=1) == 18
    assert per_parameter("distributed-optimizer-fp16-state", d=1) == 20
    assert per_parameter("distributed-optimizer-fp32-state", d=1) == 16


def test_the_distributed_optimizer_at_eight_ranks() -> None:
    # The same table: 6 + 12/d, 4 + 16/d, 8 + 8/d.
    assert per_parameter("distributed-optimizer-bf16-state", d=8) == Fraction(15, 2)
    assert per_parameter("distributed-optimizer-fp16-state", d=8) == 6
    assert per_parameter("distributed-optimizer-fp32-state", d=8) == 9


def test_what_optimizers_keep_of_a_billion_parameters() -> None:
    # Dettmers et al., section 1.1: momentum 4 GB and Adam 8 GB of 32-bit states, 2 GB in 8 bits.
    plain = value("sgd-state", P=BILLION)
    assert value("sgd-momentum-state", P=BILLION) - plain == 4 * GB
    assert value("adam-fp32-state", P=BILLION) - plain == 8 * GB
    in_8_bits = value("adam-8bit-state", P=BILLION, B_q=2048) - plain
    assert 2 * GB < in_8_bits < Fraction("2.01") * GB


def test_fp8_weights_and_bf16_moments_save_almost_3_of_16_bytes() -> None:
    assert value("fp8-state", P=16_384, B_q=16_384) == 13 * 16_384 + 4


def test_every_recipe_is_a_case_of_the_general_one() -> None:
    assert per_parameter("training-state", **ADAM_IN_16_BITS) == 16
    assert per_parameter("training-state", w_c=2, w_g=4, w_p=4, w_o=4) == 18
    assert per_parameter("training-state", w_c=0, w_g=4, w_p=4, w_o=4) == 16


# --- ZeRO -----------------------------------------------------------------------------------------

# ZeRO, table 1: GB a device for stages 1, 2 and 3. Some are rounded, some cut off.
TABLE_1 = {
    "7.5": {
        1: ("120", "120", "120"), 4: ("52.5", "41.3", "30"), 16: ("35.6", "21.6", "7.5"),
        64: ("31.4", "16.6", "1.88"), 256: ("30.4", "15.4", "0.47"), 1024: ("30.1", "15.1", "0.12"),
    },
    "128": {
        1: ("2048", "2048", "2048"), 4: ("896", "704", "512"), 16: ("608", "368", "128"),
        64: ("536", "284", "32"), 256: ("518", "263", "8"), 1024: ("513", "257", "2"),
    },
    "1000": {
        1: ("16000", "16000", "16000"), 4: ("7000", "5500", "4000"), 16: ("4750", "2875", "1000"),
        64: ("4187", "2218", "250"), 256: ("4046", "2054", "62.5"), 1024: ("4011", "2013", "15.6"),
    },
}  # fmt: skip


@pytest.mark.parametrize("model", TABLE_1)
def test_zero_table_1(model: str) -> None:
    for devices, row in TABLE_1[model].items():
        for stage, printed in zip((1, 2, 3), row, strict=True):
            id_ = f"zero-{stage}-state"
            ours = value(id_, P=Fraction(model) * BILLION, N=devices, **ADAM_IN_16_BITS) / GB
            digits = len(printed.partition(".")[2])
            assert abs(ours - Fraction(printed)) < Fraction(1, 10**digits), (devices, stage)


def test_zero_figure_1() -> None:
    # 7.5 billion parameters on 64 devices: 120, 31.4, 16.6 and 1.9 GB.
    found = [
        value(f"zero-{stage}-state", P=Fraction("7.5") * BILLION, N=64, **ADAM_IN_16_BITS) / GB
        for stage in range(4)
    ]
    assert [f"{float(one):.1f}" for one in found] == ["120.0", "31.4", "16.6", "1.9"]


def test_zero_needs_a_working_copy_beside_the_master() -> None:
    with pytest.raises(DoesNotApplyError):
        value("zero-1-state", P=10, N=2, w_c=0, w_g=4, w_p=4, w_o=4)


def test_hybrid_sharding_saves_only_inside_a_group() -> None:
    sizes = {"P": 70 * BILLION, "N": 8, **ADAM_IN_16_BITS}
    assert value("hsdp-state", n_r=16, **sizes) == value("zero-3-state", **sizes)


def test_llama_3_70b_with_its_batch_s_checkpoints_takes_2_4_gb_of_a_pod_s_chips() -> None:
    # The scaling book: 140 GB, 560 GB and 20.9 TB over 8,960 chips, four checkpoints a block
    widths = {"w_c": 2, "w_g": 0, "w_p": 0, "w_o": 4}
    batch = {"B": 8960 * 448, "L": 80, "c_D": 4, "D": 8192, "a": 2}
    held = value("fsdp-batch-memory", P=70 * BILLION, N=8960, **widths, **batch)
    assert held == Fraction(700 * BILLION, 8960) + 448 * 80 * 4 * 8192 * 2
    assert Fraction("2.3") * BILLION < held < Fraction("2.5") * BILLION


def test_a_copy_in_every_node_is_one_set_of_weights_over_its_devices() -> None:
    # ZeRO++: 16 bytes a parameter over 1,024 devices, and 2 bytes over the 8 of a node
    widths = {"w_c": 2, "w_g": 2, "w_p": 4, "w_o": 4}
    state = value("zero-plus-plus-state", P=10**9, N=1024, n_node=8, **widths)
    assert state == Fraction(16 * 10**9, 1024) + Fraction(2 * 10**9, 8)


def test_an_exact_shard_holds_the_padding() -> None:
    assert value("fullest-shard-state", P=10, N=4, **ADAM_IN_16_BITS) == 16 * 3
    assert value("fullest-shard-state", P=12, N=4, **ADAM_IN_16_BITS) == 16 * 3


def test_a_group_one_smaller_does_not_fit() -> None:
    sizes = {"P": 70 * BILLION, **ADAM_IN_16_BITS}
    smallest = value("zero-3-smallest-group", M_max=80 * GB, **sizes)
    assert smallest == 14
    assert value("zero-3-state", N=14, **sizes) <= 80 * GB < value("zero-3-state", N=13, **sizes)


# --- tensor, pipeline and expert parallelism ------------------------------------------------------


def test_175_billion_parameters_over_8_by_8() -> None:
    assert value("model-parallel-state", P=175 * BILLION, t=8, p=8) == Fraction("43.75") * GB


def test_experts_are_split_by_their_own_degrees_and_norms_by_none() -> None:
    # 64 experts on 8 ranks, tensor parallelism of 4 for the rest of a stage but what is whole on each.
    sizes = {"P_split": 2 * BILLION, "P_copy": 1000, "P_exp": 16 * BILLION, "t": 4, "e": 8, "t_e": 1}
    assert value("rank-parameters", **sizes) == Fraction(1, 2) * BILLION + 1000 + 2 * BILLION


def test_a_rank_without_experts_is_the_distributed_optimizers() -> None:
    rank = value("rank-state", P_d=8, P_x=0, N=8, d_e=1)
    assert rank == value("distributed-optimizer-bf16-state", P=8, d=8)
    # Experts that as many ranks share as share the rest count like the rest.
    assert value("rank-state", P_d=5, P_x=3, N=8, d_e=8) == rank


# --- uneven stages --------------------------------------------------------------------------------

# Llama 3.1 405B: 126 blocks, width 16,384, 8 key and value heads of 128, feed-forward 53,248.
D, V = 16_384, 128_256
LLAMA_BLOCK = D * (2 * D + 2 * 8 * 128) + 3 * D * 53_248 + 2 * D


def test_llama_3_has_8_blocks_on_a_stage_and_7_at_the_ends() -> None:
    # The Llama 3 Herd of Models, section 3.3.2: one layer fewer on the first and the last stage.
    assert value("balanced-stage-blocks", L=126, p=16) == 8
    assert value("fullest-stage", L=126, p=16) == 8
    assert 7 + 14 * 8 + 7 == 126


def test_the_stages_add_up_to_the_published_count() -> None:
    # 405,853,388,800 parameters (Hugging Face, meta-llama/Llama-3.1-405B).
    sizes = {"P_l": LLAMA_BLOCK, "R_l": 2 * D, "t": 1, "n_pos": 0, "beta_n": 0}
    first = value("first-stage-parameters", L_first=7, V=V, D=D, **sizes)
    middle = value("middle-stage-parameters", L_mid=8, **sizes)
    last = value("last-stage-parameters", L_last=7, V=V, D=D, **sizes)
    assert first + 14 * middle + last == 405_853_388_800


def test_one_block_fewer_keeps_llamas_ends_below_the_middle() -> None:
    split = {"P_l": LLAMA_BLOCK, "R_l": 2 * D, "t": 8}
    sizes = {**split, "V": V, "D": D, "n_pos": 0, "beta_n": 0}
    middle = value("middle-stage-parameters", L_mid=8, **split)
    assert middle == LLAMA_BLOCK + 8 * 2 * D - 2 * D  # each of 8 ranks has the 8 blocks' norms
    assert value("fullest-stage-parameters", L_first=7, L_mid=8, L_last=7, **sizes) == middle
    assert value("fullest-stage-parameters", L_first=8, L_mid=8, L_last=8, **sizes) > middle
