"""Tensor parallelism: published volumes and limits, and identities between results derived apart."""

from fractions import Fraction
from typing import Any, TypeAlias

import pytest
from evaluated import at
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.derivation.evaluation import DoesNotApplyError

Letters: TypeAlias = dict[str, int | Fraction]
GPT3: Letters = {"b_m": 1, "s": 2048, "c": 1, "D": 12288, "a": 2}
LLAMA_405B: Letters = {"D": 16384, "H": 128, "K": 8, "d_h": 128, "F": 53248, "n_f": 3}
H100: Letters = {"C": Fraction(9894 * 10**11), "W_1": 450 * 10**9}

degrees = st.integers(min_value=1, max_value=64)


# --- block matrices -------------------------------------------------------------------------------


def test_a_product_of_block_matrices_is_the_sum_of_the_blocks_products() -> None:
    import sympy as sp

    n, k, m, q = sp.symbols("n k m q", integer=True, positive=True)
    a_1, a_2 = sp.MatrixSymbol("A_1", n, k), sp.MatrixSymbol("A_2", n, m)
    b_1, b_2 = sp.MatrixSymbol("B_1", k, q), sp.MatrixSymbol("B_2", m, q)
    whole = sp.BlockMatrix([[a_1, a_2]]) * sp.BlockMatrix([[b_1], [b_2]])
    assert sp.block_collapse(whole) == a_1 * b_1 + a_2 * b_2


def test_every_number_of_ranks_that_divides_the_width_gives_the_same_entry() -> None:
    assert {at("block-product-entry", F=12, t=t) for t in (1, 2, 3, 4, 6, 12)} == {650}
    with pytest.raises(DoesNotApplyError):
        at("block-product-entry", F=12, t=5)


def test_the_ranks_share_a_product_evenly() -> None:
    assert 8 * at("split-matmul-flops", B=3, F=16, D=5, t=8) == 2 * 3 * 16 * 5


def test_with_a_hidden_layer_four_times_as_wide_the_wrong_order_sends_four_and_a_half_times_as_much() -> (
    None
):
    assert at("row-column-excess", t=8, **GPT3, F=4 * 12288) == Fraction(9, 2)


# --- volumes --------------------------------------------------------------------------------------


@pytest.mark.parametrize("t", [2, 4, 8])
def test_a_layer_sends_the_elements_that_narayanan_et_al_count(t: int) -> None:
    # Section 3.2: 8bsh(t - 1)/t elements a layer, device and micro-batch, here b = 4
    elements = at("tp-layer-bytes", t=t, b_m=4, s=2048, c=1, D=12288, a=1)
    assert elements == Fraction(8 * 4 * 2048 * 12288 * (t - 1), t)


@settings(deadline=None, max_examples=30)
@given(t=degrees, b=degrees, s=degrees, d=degrees)
def test_sequence_parallelism_sends_exactly_what_tensor_parallelism_sends(
    t: int, b: int, s: int, d: int
) -> None:
    letters = {"t": t, "b_m": b, "s": s, "c": 1, "D": d, "a": 2}
    assert at("sp-layer-bytes", **letters) == at("tp-layer-bytes", **letters)


def test_practice_takes_ten_passes_against_eight_and_recomputation_four_more() -> None:
    unit = Fraction(7, 8) * 2 * 2048 * 12288
    passes = {
        id_: at(id_, t=8, **GPT3) / unit
        for id_ in (
            "tp-forward-bytes", "tp-layer-bytes", "tp-recompute-layer-bytes", "sp-layer-bytes",
            "sp-regather-layer-bytes", "sp-recompute-layer-bytes",
        )
    }  # fmt: skip
    assert list(passes.values()) == [4, 8, 12, 8, 10, 14]


def test_one_rank_sends_nothing() -> None:
    assert at("tp-layer-bytes", t=1, **GPT3) == 0
    assert at("tp-layer-latency", t=1, alpha=1) == 0


def test_context_parallel_ranks_share_the_volume() -> None:
    whole = at("tp-layer-bytes", t=8, **GPT3)
    assert 16 * at("tp-layer-bytes", t=8, **(GPT3 | {"c": 16})) == whole


def test_gpt3_on_8_stages_sends_4_2279_gb_a_micro_batch_and_stage() -> None:
    # The sizes of the 512-device example: 96 layers on 8 stages, tensor parallelism of 8, FP16
    letters = {name: n for name, n in GPT3.items() if name != "c"}
    volume = at("tp-volume", L_p=12, t=8, **letters)
    assert round(float(volume) / 10**9, 4) == 4.2279
    # two operations a layer instead of four all-reduces of two operations each
    assert at("sp-volume", L_p=12, N=8, **letters) == volume / 4


def test_a_step_sends_every_layer_of_the_fullest_stage_for_every_micro_batch() -> None:
    # 126 layers on 16 stages: the fullest has 8
    step = at("tp-step-bytes", t=8, **GPT3, L=126, p=16, m=5)
    assert step == 5 * 8 * at("tp-layer-bytes", t=8, **GPT3)


# --- compute against transfers --------------------------------------------------------------------


def test_llama_70b_may_go_to_about_13_ranks_on_nvlink_with_two_matrices() -> None:
    # How to Scale Your Model, part 12: Y < F*W/C, "about F / 2200", F = 28000, large ring
    limit = at("tp-ffn-degree-limit", t=8, **GPT3, F=28000, n_f=2, C=990 * 10**12, W_1=450 * 10**9)
    assert limit - 1 == Fraction(28000, 2200)


def test_tokens_do_not_move_the_limit_but_longer_sequences_do() -> None:
    def limit(b_m: int, s: int) -> Any:
        letters = LLAMA_405B | H100
        return at("tp-degree-limit", t=8, b_m=b_m, s=s, c=1, a=2, **letters)

    assert limit(1, 8192) == limit(7, 8192) < limit(1, 131072)


def test_llama_405b_s_transfers_take_29_percent_of_its_compute_on_8_ranks_forward() -> None:
    letters: Letters = {"t": 8, "b_m": 1, "s": 8192, "c": 1, "a": 2, **LLAMA_405B, **H100}
    ratio, limit = at("tp-comm-ratio", **letters), at("tp-degree-limit", **letters)
    assert round(float(ratio), 3) == 0.292
    # the ratio is 1 at the limit: both grow with t - 1
    assert ratio == (8 - 1) / (limit - 1)


def test_leaving_the_node_costs_nine_times_over_one_card_and_an_eighth_over_eight() -> None:
    # H100: 450 GB/s inside, 50 GB/s a card, 400 GB/s a node (How to Scale Your Model, part 12)
    letters = {"W_1": 450 * 10**9, "W_2": 50 * 10**9}
    assert at("tp-between-nodes", n_ring=1, **letters) == 9
    assert at("tp-between-nodes", n_ring=8, **letters) == Fraction(9, 8)


# --- what hides -----------------------------------------------------------------------------------


def test_whole_products_hide_at_most_half_and_with_sequence_parallelism_two_fifths() -> None:
    assert at("tp-backward-overlap", t=8, **GPT3) == Fraction(1, 2)
    assert at("sp-backward-overlap", t=8, **GPT3) == Fraction(2, 5)


@settings(deadline=None, max_examples=50)
@given(
    t=st.integers(min_value=2, max_value=20),
    work=st.fractions(min_value=Fraction(1, 100), max_value=10),
    hop=st.fractions(min_value=Fraction(1, 100), max_value=10),
)
def test_what_is_hidden_and_what_shows_make_up_the_transfer(
    t: int, work: Fraction, hop: Fraction
) -> None:
    letters: Letters = {"t": t, "T_chk": work, "T_hop": hop}
    shown = at("tp-exposed-time", **letters)
    assert shown + at("tp-hidden-share", **letters) * (t - 1) * hop == (t - 1) * hop
    assert at("tp-overlapped-time", **letters) == t * work + shown


def test_llama_405b_hides_93_percent_of_attention_s_scatter_on_8_h100() -> None:
    share = at("tp-output-hidden-share", t=8, b_m=1, s=8192, c=1, D=16384, a=2, H=128, d_h=128, **H100)
    assert round(float(share), 2) == 0.93


@pytest.mark.parametrize(("hiding", "share"), [(4, 0), (2, Fraction(1, 6)), (0, Fraction(2, 7))])
def test_less_hiding_compute_shows_more_of_the_transfers(hiding: int, share: Fraction) -> None:
    assert at("tp-exposed-share", T_V=4, T_G=hiding, T_C=10) == share


def test_more_compute_cannot_hide_than_there_is() -> None:
    with pytest.raises(DoesNotApplyError):
        at("tp-exposed-share", T_V=4, T_G=11, T_C=10)


# --- vocabulary, heads, norms ---------------------------------------------------------------------


def test_a_loss_of_gpt2_s_padded_vocabulary_saves_a_factor_of_8533() -> None:
    # Megatron-LM pads 50,257 to 51,200; b*s*v logits against values of b*s
    saving = at("vocab-loss-saving", t=8, b_m=1, s=1024, c=1, V=51200, w_l=4)
    assert int(saving) == 8533


@pytest.mark.parametrize(
    ("t", "heads", "copies"), [(1, 8, 1), (4, 2, 1), (8, 1, 1), (16, 1, 2), (128, 1, 16)]
)
def test_eight_key_and_value_heads_on_many_ranks(t: int, heads: int, copies: int) -> None:
    assert at("tp-kv-heads", t=t, H=128, K=8) == heads
    assert at("tp-kv-copies", t=t, H=128, K=8) == copies


def test_llama_70b_s_ranks_have_heads_of_their_own_up_to_eight() -> None:
    assert at("tp-own-kv-heads", t=4, H=64, K=8) == 8
    assert at("tp-kv-copies", t=8, H=64, K=8) == 1


def test_heads_that_do_not_go_round_are_refused() -> None:
    with pytest.raises(DoesNotApplyError):
        at("tp-kv-heads", t=6, H=48, K=8)


def test_beyond_its_key_and_value_heads_a_model_takes_more_parameters_in_all() -> None:
    whole = 2 * 16384 * 128 * (128 + 8)
    letters: Letters = {"H": 128, "K": 8, "D": 16384, "d_h": 128}
    assert 8 * at("tp-attention-parameters", t=8, **letters) == whole
    assert 16 * at("tp-attention-parameters", t=16, **letters) == whole + 2 * 16384 * 128 * 8


def test_the_norms_of_a_stage_are_small_beside_one_layer_s_activations() -> None:
    norms = at("sp-norm-gradient-bytes", t=8, L=96, p=8, n_n=2, D=12288, g=4)
    assert norms < at("sp-layer-bytes", t=8, **GPT3) / 100
