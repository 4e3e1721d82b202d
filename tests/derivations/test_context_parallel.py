"""Context parallelism: published figures, and identities between results that are derived apart."""

from fractions import Fraction
from typing import TypeAlias

import pytest
from evaluated import at, true_at
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.derivation.evaluation import DoesNotApplyError

Letters: TypeAlias = dict[str, int | Fraction]
# Llama 3 405B on its long context: 8 key and value heads on 8 tensor-parallel ranks
LLAMA_KV: Letters = {"c": 16, "t": 8, "b_m": 1, "s": 131072, "K": 8, "d_h": 128, "a": 2}
A100: Letters = {"C": 312 * 10**12, "W_b": 300 * 10**9}

degrees = st.integers(min_value=1, max_value=32)


# --- bytes ----------------------------------------------------------------------------------------


def test_a_ring_passes_on_all_keys_and_values_but_its_own() -> None:
    hop = at("ring-hop-bytes", **LLAMA_KV)
    assert hop == 2 * 2 * 8192 * 1 * 128
    assert at("ring-forward-bytes", **LLAMA_KV) == 15 * hop
    assert at("gather-kv-forward-bytes", **LLAMA_KV) == 15 * hop


def test_backward_passes_twice_the_blocks_and_one_more() -> None:
    hop = at("ring-hop-bytes", **LLAMA_KV)
    assert at("ring-backward-bytes", **LLAMA_KV, g=2) == (15 + 16) * hop
    # gradients added up in FP32, as ring-flash-attention does
    assert at("ring-backward-bytes", **LLAMA_KV, g=4) == (15 + 2 * 16) * hop
    assert at("ring-layer-bytes", **LLAMA_KV, g=2) == (15 + 15 + 16) * hop


def test_gathering_saves_the_gradients_last_hop() -> None:
    gathered = at("gather-kv-layer-bytes", **LLAMA_KV, g=2)
    assert at("ring-layer-bytes", **LLAMA_KV, g=2) - gathered == at("ring-hop-bytes", **LLAMA_KV)


def test_one_rank_sends_nothing_forward_and_the_ring_backward_needs_two() -> None:
    assert at("ring-forward-bytes", **(LLAMA_KV | {"c": 1})) == 0
    with pytest.raises(DoesNotApplyError):
        at("ring-backward-bytes", **(LLAMA_KV | {"c": 1}), g=2)


@pytest.mark.parametrize("ranks", [2, 8, 32])
def test_an_all_to_all_sends_the_elements_that_ulysses_counts_but_those_a_rank_keeps(ranks: int) -> None:
    # Jacobs et al.: 4*N*h/P elements a link, for N tokens of width h on P ranks
    n, heads, width = 65536, 32, 128
    sent = at("ulysses-forward-bytes", c=ranks, t=1, b_m=1, s=n, H=heads, K=heads, d_h=width, a=1)
    assert sent == Fraction(4 * n * heads * width, ranks) * Fraction(ranks - 1, ranks)


def test_with_as_many_key_and_value_heads_the_all_to_all_wins_from_three_ranks() -> None:
    letters = {"t": 1, "b_m": 1, "s": 4896, "H": 32, "K": 32, "d_h": 128, "a": 2}  # 2, 3, 17, 18 divide s
    assert [true_at("ulysses-sends-less", c=c, **letters) for c in (2, 3)] == [False, True]
    # with 8 of 128 heads not before 18, more ranks than there are such heads
    shared = letters | {"H": 128, "K": 8}
    assert [true_at("ulysses-sends-less", c=c, **shared) for c in (17, 18)] == [False, True]


# --- what hides -----------------------------------------------------------------------------------


def test_a_rank_of_a100s_needs_1040_tokens_on_nvlink_and_24960_on_infiniband() -> None:
    # Ring Attention, section 3: block size c >= F/B, 312 TFLOP/s over 300 GB/s and over 12.5 GB/s;
    # its table 2 rounds six times these
    one = {"c": 1, "t": 1, "b_m": 1, "s": 1, "H": 32, "K": 32, "d_h": 128, "a": 2}
    assert at("ring-hides", **one, **A100) == 1040
    assert at("ring-hides", **one, **(A100 | {"W_b": Fraction(125 * 10**8)})) == 24960


def test_causal_attention_needs_twice_the_tokens_and_backward_four_fifths() -> None:
    letters = {"c": 8, "t": 1, "b_m": 1, "s": 16, "H": 32, "K": 8, "d_h": 128, "a": 2, **A100}
    full = at("ring-hides", **letters)
    assert at("ring-hides-zig-zag", **letters) == 2 * full
    assert at("ring-backward-hides", **letters, g=2) == full * Fraction(4, 5)


def test_sharing_key_and_value_heads_shortens_the_sequence_that_hides() -> None:
    letters = {"c": 8, "t": 1, "b_m": 1, "s": 16, "d_h": 128, "a": 2, **A100}
    assert at("ring-hides", H=128, K=128, **letters) == 16 * at("ring-hides", H=128, K=8, **letters)


def test_llama_405b_s_gather_takes_28_percent_of_its_attention_at_peak() -> None:
    # 16 context-parallel ranks, 128 K tokens, 50 GB/s between nodes, H100
    ratio = at("gather-kv-exposed", **LLAMA_KV, H=128, C=Fraction(9894 * 10**11), W_b=50 * 10**9)
    assert round(float(ratio), 2) == 0.28


def test_a_step_that_outlasts_its_hop_hides_it() -> None:
    assert at("ring-time", c=8, T_blk=3, T_kv=2) == 24
    assert at("ring-time", c=8, T_blk=2, T_kv=3) == 16 + 7


# --- balance --------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=40)
@given(c=degrees, chunk=degrees)
def test_zig_zag_gives_every_rank_the_mean(c: int, chunk: int) -> None:
    assert {at("zig-zag-imbalance", c=c, s=2 * c * chunk, i_c=rank) for rank in range(c)} == {1}


@settings(deadline=None, max_examples=40)
@given(c=degrees, each=degrees)
def test_tokens_in_order_are_less_even_than_stripes(c: int, each: int) -> None:
    in_order, stripes = (at(f"{k}-imbalance", c=c, s=c * each) for k in ("contiguous", "striped"))
    assert 1 <= stripes <= in_order < 2


def test_long_sequences_in_order_tend_to_two_less_one_over_the_ranks() -> None:
    # 16 ranks: 31/16 = 1.9375; striped attention can speed attention up "by up to a factor of 2"
    assert round(float(at("contiguous-imbalance", c=16, s=131072)), 4) == 1.9375
    assert round(float(at("striped-imbalance", c=16, s=131072)), 4) == 1.0001


def test_chunks_that_are_not_equal_are_refused() -> None:
    with pytest.raises(DoesNotApplyError):
        at("zig-zag-imbalance", c=4, s=12, i_c=0)


# --- memory ---------------------------------------------------------------------------------------


def test_llama_3_s_longest_context_takes_16_ranks_of_8192_tokens() -> None:
    # Section 3.3.2 and table 4: 8 K tokens fit a device, 131,072 are trained on 16 ranks
    assert at("cp-degree", s=131072, s_max=8192) == 16


def test_ring_attention_s_six_blocks_take_12_bytes_a_value_not_6() -> None:
    # Section 3, "Memory Requirement", prints 6bch bytes; its blocks take 2 bytes a value elsewhere
    held = at("ring-blocks-bytes", c=4, t=1, b_m=1, s=4096, H=32, K=32, d_h=128, a=2)
    assert held == 12 * 1024 * 32 * 128


def test_a_gather_needs_room_for_every_rank_s_keys_and_values() -> None:
    room = at("gather-kv-buffer-bytes", **LLAMA_KV)
    assert room == 16 * at("ring-hop-bytes", **LLAMA_KV)
    assert at("gather-kv-buffer-bytes", **(LLAMA_KV | {"c": 2})) == room


def test_ranks_share_the_activations() -> None:
    assert at("cp-activations", c=16, b_m=1, s=131072, A_1=34 * 16384) == 8192 * 34 * 16384
