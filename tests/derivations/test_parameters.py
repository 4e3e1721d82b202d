"""Parameters: parts and whole models, at sizes whose count was published or is easily made by hand."""

from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any

import pytest
from evaluated import at
from model_totals import scenario_of, value

from workings import catalogue
from workings.derivation.evaluation import DoesNotApplyError, value_of


def preset(folder: Path, id_: str, name: str, **settings: str) -> Any:
    return value(id_, scenario_of(folder, f'preset = "{name}"'), **settings)


# --- attention ----------------------------------------------------------------------------------


def test_multi_head_attention_is_four_squares_however_many_heads() -> None:
    assert {at("mha-parameters", D=96, H=heads) for heads in (1, 2, 12, 96)} == {4 * 96**2}


def test_multi_head_and_multi_query_attention_are_the_ends_of_grouped_query_attention() -> None:
    assert at("gqa-parameters", D=64, H=8, K=8) == at("mha-parameters", D=64, H=8)
    assert at("gqa-parameters", D=64, H=8, K=1) == at("mqa-parameters", D=64, H=8)
    assert at("attention-parameters", D=64, H=8, K=2, d_h=8) == at("gqa-parameters", D=64, H=8, K=2)


def test_heads_that_do_not_divide_the_width_need_a_head_width_of_their_own() -> None:
    with pytest.raises(DoesNotApplyError, match="D to be divisible by H"):
        at("gqa-parameters", D=64, H=7, K=7)
    assert at("attention-parameters", D=4608, H=32, K=16, d_h=128) == 2 * 4608 * 128 * 48  # Gemma 2 27B


def test_qwen2_has_biases_of_queries_keys_and_values_only(tmp_path: Path) -> None:
    # Qwen2 7B: 28 query heads, 4 of keys, 4 of values, each 128 wide
    assert preset(tmp_path, "attention-bias-parameters", "qwen2-7b") == 36 * 128
    assert preset(tmp_path, "attention-bias-parameters", "gpt2") == 4 * 768
    assert preset(tmp_path, "attention-bias-parameters", "llama3-8b") == 0


def test_deepseek_v3s_attention_has_187_million_parameters_a_block(tmp_path: Path) -> None:
    # The shapes of one block in DeepSeek-V3's file: q_a, q_a norm, q_b, kv_a, kv_a norm, kv_b, o
    shapes = [(7168, 1536), (1536,), (1536, 128 * 192), (7168, 576), (512,), (512, 128 * 256)]
    by_hand = sum(a[0] * (a[1] if len(a) > 1 else 1) for a in shapes) + 128 * 128 * 7168
    assert by_hand == 187_107_328
    assert preset(tmp_path, "mla-parameters", "deepseek-v3") == by_hand


def test_a_query_that_is_not_compressed_is_one_full_matrix() -> None:
    sizes = {"D": 2048, "H": 16, "d_n": 128, "d_r": 64}  # DeepSeek-V2-Lite
    assert at("mla-query-parameters", r_q=0, **sizes) == 2048 * 16 * 192
    assert at("mla-query-parameters", r_q=1, **sizes) == 2048 + 1 + 16 * 192


# --- feed-forward, norms, embeddings ------------------------------------------------------------


def test_a_gate_adds_half_again_to_a_feed_forward() -> None:
    plain = at("ffn-block-parameters", D=8, F=32, n_f=2, beta_f=0)
    assert at("ffn-block-parameters", D=8, F=32, n_f=3, beta_f=0) == plain * 3 / 2
    assert at("ffn-block-parameters", D=8, F=32, n_f=2, beta_f=1) == plain + 32 + 8


def test_llama_2_rounds_the_width_of_equal_parameters_up_to_a_multiple_of_256() -> None:
    widest = value_of(catalogue.get("gated-ffn-width"), {"D": Fraction(4096)})
    assert widest == Fraction(32768, 3)
    assert ceil(Fraction(32768, 3) / 256) * 256 == 11008  # Llama 2 7B


def test_a_layer_norm_has_twice_the_parameters_of_an_rms_norm() -> None:
    assert at("norm-parameters", D=768, beta_n=1) == 2 * at("norm-parameters", D=768, beta_n=0) == 1536


def test_norms_of_a_head_are_shared_by_the_heads(tmp_path: Path) -> None:
    assert preset(tmp_path, "block-norm-parameters", "qwen3-8b") == 2 * 4096 + 2 * 128
    assert preset(tmp_path, "block-norm-parameters", "gemma2-9b") == 4 * 3584
    assert preset(tmp_path, "block-norm-parameters", "olmo-7b") == 0


def test_tied_embeddings_are_counted_once(tmp_path: Path) -> None:
    assert preset(tmp_path, "embedding-parameters", "gpt2") == (50257 + 1024) * 768
    assert preset(tmp_path, "embedding-parameters", "gemma2-2b") == 589_824_000
    assert preset(tmp_path, "embedding-parameters", "llama3-8b") == 2 * 128256 * 4096


# --- whole models -------------------------------------------------------------------------------


def test_the_lectures_linear_network() -> None:
    assert at("linear-parameters", L=10, D=1000) == 10**7


def test_what_is_not_embedding_is_the_rest(tmp_path: Path) -> None:
    parts = [
        preset(tmp_path, id_, "gpt-neox-20b")
        for id_ in ("dense-parameters", "embedding-parameters", "dense-non-embedding-parameters")
    ]
    assert parts[0] == parts[1] + parts[2]


def test_a_routers_bias_is_one_number_an_expert(tmp_path: Path) -> None:
    # 58 blocks of 256 experts: what transformers keeps as a buffer
    counts = [
        preset(tmp_path, "mla-moe-parameters", "deepseek-v3", router_bias=flag) for flag in ("1", "0")
    ]
    assert counts == [671_026_419_200, 671_026_404_352]
    assert counts[0] - counts[1] == 14_848


def test_a_shared_experts_gate_counts_once_a_block() -> None:
    sizes = {"D": 8, "E": 4, "beta_r": 0, "n_f": 3, "F_E": 2, "E_s": 1}
    without, gated = (at("mixture-parameters", beta_s=flag, **sizes) for flag in (0, 1))
    assert gated - without == 8


def test_more_active_experts_than_experts_does_not_apply() -> None:
    sizes = {"D": 8, "E": 4, "beta_r": 0, "n_f": 3, "F_E": 2, "E_s": 1, "beta_s": 0}
    with pytest.raises(DoesNotApplyError, match="k_E <= E"):
        at("mixture-active-parameters", k_E=5, **sizes)


def test_active_parameters_of_a_model_all_of_whose_experts_are_used_are_all_parameters(
    tmp_path: Path,
) -> None:
    whole = preset(tmp_path, "moe-parameters", "mixtral-8x7b")
    assert preset(tmp_path, "moe-active-parameters", "mixtral-8x7b", active_experts="8") == whole


def test_an_active_count_without_the_input_table_is_less_by_that_table(tmp_path: Path) -> None:
    ids = ("moe-active-parameters", "moe-active-without-input-table")
    both, without = (preset(tmp_path, id_, "mixtral-8x7b") for id_ in ids)
    assert both == 12_879_925_248
    assert both - without == 32000 * 4096


# --- 12 L D² and what it leaves out -------------------------------------------------------------


def test_gpt2_and_gpt3_by_the_formula_for_gpts(tmp_path: Path) -> None:
    assert preset(tmp_path, "gpt-parameters", "gpt2") == 124_439_808
    assert preset(tmp_path, "gpt-parameters", "gpt3-175b") == 174_604_259_328


def test_twelve_l_d_squared_misses_a_third_of_gpt2_and_little_of_gpt3(tmp_path: Path) -> None:
    assert f"{float(preset(tmp_path, 'twelve-parameters-error', 'gpt2')):.1%}" == "31.7%"
    assert f"{float(preset(tmp_path, 'twelve-parameters-error', 'gpt3-175b')):.2%}" == "0.38%"


def test_the_width_from_which_twelve_l_d_squared_leaves_out_one_percent() -> None:
    sizes = {"V": 50257, "n_pos": 2048, "L": 96}
    width = at("twelve-parameters-width", x=Fraction(1, 100), **sizes)
    assert 4000 < width < 5000
    just = {**sizes, "H": 1}
    assert at("twelve-parameters-error", D=int(width) + 1, **just) < Fraction(1, 100)
    assert at("twelve-parameters-error", D=int(width), **just) > Fraction(1, 100)


@pytest.mark.parametrize(
    ("name", "squares"),
    [
        ("gpt3-175b", "12"),
        ("llama2-7b", "12.0625"),
        ("llama3-8b", "13"),
        ("llama3-70b", "12.75"),
        ("llama3-405b", "11.875"),
    ],
)
def test_the_lectures_ten_squares_a_block_are_more_in_every_llama(
    tmp_path: Path, name: str, squares: str
) -> None:
    assert preset(tmp_path, "block-per-width-squared", name) == Fraction(squares)


def test_llama_3_8bs_block_is_thirteen_squares_and_two_norms(tmp_path: Path) -> None:
    body = preset(tmp_path, "dense-non-embedding-parameters", "llama3-8b") - 4096
    assert body == 32 * (13 * 4096**2 + 2 * 4096)


def test_the_practice_problems_parameters() -> None:
    # two tables and 12 squares a layer, by hand
    assert at("untied-twelve-parameters", V=1000, L=2, D=10) == 20_000 + 2_400
