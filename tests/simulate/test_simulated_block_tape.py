"""The tape, and blocks run forwards on shapes."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.simulate.block_forward import Block, Experts, Mesh, fullest_rank, received_rows, run_block
from workings.simulate.block_tape import Active, Tape, WeightsTape, mine

small = st.integers(min_value=1, max_value=5)
degrees = st.integers(min_value=1, max_value=7)


def tensor(*shape: int, width: int = 2) -> Active:
    return Active("x", shape, Fraction(width))


def names(tape: Tape) -> list[str]:
    return [saved.name for saved in tape.saved]


def test_two_matrices_with_one_input_keep_it_once() -> None:
    tape, x = Tape(), tensor(3, 4)
    tape.linear(x, 5, "a")
    tape.linear(x, 6, "b")
    assert tape.saved == [x]
    assert tape.bytes == 3 * 4 * 2


def test_for_weights_a_product_keeps_its_input_and_its_output_s_gradient() -> None:
    tape, x = WeightsTape(), tensor(3, 4)
    a, b = tape.linear(x, 5, "a"), tape.linear(x, 6, "b")
    tape.gate(a, tape.curve(b, "curved"), "gated")
    tape.softmax(tape.matmul(a, b, (5, 6), "scores"), "shares")
    assert names(tape) == ["x", "gradient of a", "gradient of b"]
    assert tape.bytes == 3 * (4 + 5 + 6) * 2


def test_equal_tensors_that_are_not_the_same_are_kept_both() -> None:
    tape = Tape()
    tape.linear(tensor(3, 4), 5, "a")
    tape.linear(tensor(3, 4), 5, "b")
    assert tape.bytes == 2 * 3 * 4 * 2


def test_softmax_keeps_its_output_and_dropout_a_byte_a_value() -> None:
    tape = Tape()
    shares = tape.softmax(tensor(2, 5), "shares")
    dropped = tape.dropout(shares, "dropped", on=True)
    assert dropped is not shares
    assert tape.bytes == 10 * 2 + 10 * 1


def test_dropout_that_is_off_does_nothing() -> None:
    tape, x = Tape(), tensor(2, 5)
    assert tape.dropout(x, "dropped", on=False) is x
    assert tape.saved == []


def test_a_recomputed_region_keeps_its_inputs_only() -> None:
    tape, x = Tape(), tensor(2, 5)
    output = tape.recomputed(lambda a: tape.curve(tape.linear(a, 7, "h"), "g"), x)
    assert tape.saved == [x]
    assert output.shape == (2, 7)
    tape.norm(output, "after")
    assert tape.saved == [x, output]


def test_flash_attention_keeps_inputs_output_and_a_number_a_query() -> None:
    tape = Tape()
    q, k, v = tensor(4, 6), tensor(4, 2), tensor(4, 2)
    out = tape.flash_attention(q, k, v, (4, 6), (3, 4))
    tape.linear(out, 6, "projected")
    assert tape.bytes == 2 * 4 * (6 + 2 + 2 + 6) + 4 * 12


@given(length=st.integers(1, 40), ways=degrees)
def test_things_are_dealt_out_completely_or_refused(length: int, ways: int) -> None:
    if length % ways:
        with pytest.raises(ValueError, match="evenly"):
            mine(length, ways, 0)
    else:
        dealt = [i for rank in range(ways) for i in mine(length, ways, rank)]
        assert dealt == list(range(length))


GPT = Block(6, 1, 12, 3, 3, 4, 48)


def test_a_gpt_block_tensor_by_tensor() -> None:
    assert names(run_block(GPT, Mesh())) == [
        "block input", "normed 1", "queries", "keys", "shares", "dropped shares mask", "dropped shares",
        "values", "attention output", "residual mask", "sum", "normed 2", "up", "hidden", "residual mask",
    ]  # fmt: skip


def test_tensor_parallelism_needs_sequence_parallelism_to_divide_everything() -> None:
    whole = run_block(GPT, Mesh()).bytes
    alone = fullest_rank(GPT, Mesh(3))
    with_it = fullest_rank(GPT, Mesh(3, sequence_parallel=True))
    assert alone is not None
    assert with_it == whole / 3 < alone < whole


def test_heads_that_do_not_divide_are_refused() -> None:
    assert fullest_rank(GPT, Mesh(2)) is None


def test_ranks_that_share_a_key_and_value_head_keep_it_each() -> None:
    shared = Block(6, 1, 12, 6, 2, 2, 48, gated=True, dropout=False, flash=True)
    tape = run_block(shared, Mesh(3, sequence_parallel=True), tensor=1)
    keys = [t for t in tape.saved if t.name == "keys"]
    assert keys[0].shape == (6, 1, 4)  # query heads 2 and 3 read heads 0 and 1


def test_full_recomputation_keeps_one_tensor() -> None:
    assert names(run_block(GPT, Mesh(), recompute="full")) == ["block input"]


def test_selective_recomputation_keeps_all_but_the_scores() -> None:
    kept = names(run_block(GPT, Mesh(), recompute="selective"))
    assert {"queries", "keys", "values", "attention output"} <= set(kept)
    assert not {"shares", "dropped shares"} & set(kept)


@settings(deadline=None)
@given(t=degrees, c=degrees, tokens=small, batch=small, head=small)
def test_all_ranks_together_keep_what_one_device_would(
    t: int, c: int, tokens: int, batch: int, head: int
) -> None:
    block = Block(
        tokens * t * c, batch, 2 * t * head, 2 * t, 2 * t, head, 3 * t, dropout=True, flash=True
    )
    whole = run_block(block, Mesh()).bytes
    mesh = Mesh(t, c, sequence_parallel=True)
    ranks = [run_block(block, mesh, i, j).bytes for i in range(t) for j in range(c)]
    assert sum(ranks) == whole
    assert len(set(ranks)) == 1


@given(tokens=st.integers(1, 9), experts=st.integers(1, 7), active=st.integers(1, 4))
def test_balanced_experts_receive_what_their_rank_sends(tokens: int, experts: int, active: int) -> None:
    assert received_rows(tokens, Experts(experts, active, 4)) == tokens * active


def test_room_for_more_tokens_makes_only_the_experts_larger() -> None:
    def bytes_with(room: Fraction) -> Fraction:
        experts = Experts(4, 2, 6, room=room)
        block = Block(4, 1, 8, 2, 2, 4, experts=experts, dropout=False, flash=True)
        return run_block(block, Mesh()).bytes

    rows = 4 * 2
    assert bytes_with(Fraction(3, 2)) - bytes_with(Fraction(1)) == rows * (
        2 * (8 + 3 * 6) + 4
    ) / Fraction(2)
