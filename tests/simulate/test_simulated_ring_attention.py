"""Attention round a ring gives what attention on one rank gives, forward and backward."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.simulate.ring_attention import (
    Heads,
    Layout,
    Mask,
    causal,
    contiguous,
    full,
    head,
    ring_backward,
    ring_forward,
    rotate,
    striped,
    whole_forward,
    zig_zag,
)

tokens = st.integers(min_value=1, max_value=9)
ranks = st.integers(min_value=1, max_value=7)
deals = st.sampled_from([contiguous, zig_zag, striped])
masks = st.sampled_from([causal, full])


@given(count=tokens, among=ranks, deal=deals)
def test_every_token_is_dealt_once(count: int, among: int, deal: object) -> None:
    layout: Layout = deal(count, among)  # type: ignore[operator]
    assert sorted(token for own in layout for token in own) == list(range(count))
    assert len(layout) == among


@settings(deadline=None, max_examples=40)
@given(count=tokens, among=ranks, deal=deals, mask=masks)
def test_the_ring_computes_the_whole_attention(count: int, among: int, deal: object, mask: Mask) -> None:
    one, layout = head(count, 2), deal(count, among)  # type: ignore[operator]
    whole = whole_forward(one, mask)
    for own, found in zip(layout, ring_forward(one, layout, mask), strict=True):
        assert found == [whole[token] for token in own]


@settings(deadline=None, max_examples=20)
@given(count=tokens, among=ranks, deal=deals, mask=masks)
def test_gradients_that_travelled_are_those_of_one_rank(
    count: int, among: int, deal: object, mask: Mask
) -> None:
    one = head(count, 2)
    alone = ring_backward(one, contiguous(count, 1), mask)
    found = ring_backward(one, deal(count, among), mask)  # type: ignore[operator]
    assert (found.queries, found.keys, found.values) == (alone.queries, alone.keys, alone.values)


def test_the_gradient_of_a_value_is_the_change_of_the_output() -> None:
    one = head(4, 2)
    found = ring_backward(one, contiguous(4, 1), causal).values
    before = _loss(one, causal)
    for token in range(4):
        for column in range(2):
            rows = [list(row) for row in one.values.rows]
            rows[token][column] += 1  # the output is linear in the values
            moved = Heads(one.queries, one.keys, type(one.values)(tuple(map(tuple, rows)), 2), one.grads)
            assert _loss(moved, causal) - before == found[token][column]


def _loss(one: Heads, mask: Mask) -> Fraction:
    return sum(
        (
            g * o
            for grads, outs in zip(one.grads.rows, whole_forward(one, mask), strict=True)
            for g, o in zip(grads, outs, strict=True)
        ),
        Fraction(0),
    )


@pytest.mark.parametrize("among", [1, 2, 3, 5])
def test_blocks_take_one_hop_less_than_ranks_and_gradients_one_more_to_come_home(among: int) -> None:
    assert rotate(contiguous(10, among), full).kv_hops == (among - 1,) * among
    travel = ring_backward(head(among, 1), contiguous(among, among), full).travel
    assert travel.kv_hops == (among - 1,) * among
    assert travel.grad_hops == ((among if among > 1 else 0),) * among


def test_what_is_sent_is_a_key_and_a_value_for_each_token_of_each_block() -> None:
    assert rotate(contiguous(6, 3), full, width=5).sent == (2 * 2 * (5 + 5),) * 3


def test_llama_3_deals_chunk_i_and_its_mirror_to_rank_i() -> None:
    assert zig_zag(12, 3) == [[0, 1, 10, 11], [2, 3, 8, 9], [4, 5, 6, 7]]


@given(among=ranks, chunk=st.integers(1, 4))
def test_zig_zag_is_even_in_every_step(among: int, chunk: int) -> None:
    pairs = rotate(zig_zag(2 * among * chunk, among), causal).pairs
    assert len(set(pairs)) == 1


@given(among=ranks, each=st.integers(1, 4))
def test_full_attention_is_even_however_tokens_are_dealt(among: int, each: int) -> None:
    for deal in (contiguous, striped):
        pairs = rotate(deal(among * each, among), full).pairs
        assert {n for steps in pairs for n in steps} == {each * each}
