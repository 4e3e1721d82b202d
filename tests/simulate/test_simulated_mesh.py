"""The forward pass of one block on a mesh of FSDP by tensor parallel."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.simulate import mesh
from workings.simulate.matmul import ffn_forward, ffn_numbers
from workings.simulate.mesh import MeshCount, forward_block

lengths = st.integers(min_value=1, max_value=7)
axes = st.integers(min_value=1, max_value=5)


def test_a_mesh_of_2_by_4_counted_by_hand() -> None:
    # Per device: gathered W_in (8, 4) and W_out (4, 8), input and partial sums (4, 8).
    # Along X half of the weights is sent, along Y three quarters of each message.
    count = forward_block(8, 8, 16, 2, 4, bytes_weight=2, bytes_activation=1)
    assert count == MeshCount(
        flops=Fraction(2 * 4 * 8 * 4 + 2 * 4 * 4 * 8),
        sent_x=Fraction(2 * (16 + 16)),
        sent_y=Fraction(24 + 24),
        whole_x=Fraction(2 * (32 + 32)),
        whole_y=Fraction(32 + 32),
    )


def test_one_device_sends_nothing_and_does_the_whole_work() -> None:
    whole = ffn_forward(ffn_numbers(3, 5, 0), ffn_numbers(5, 7, 0), ffn_numbers(7, 5, 0))
    count = forward_block(3, 5, 7, 1, 1, 2, 2)
    assert count.flops == whole.flops
    assert count.sent_x == count.sent_y == 0
    assert count.whole_x == 2 * (35 + 35)
    assert count.whole_y == 2 * (15 + 15)


@settings(deadline=None, max_examples=60)
@given(tokens=lengths, d_model=lengths, d_ff=lengths, x=axes, y=axes)
def test_the_devices_share_the_flops_of_one_device(
    tokens: int, d_model: int, d_ff: int, x: int, y: int
) -> None:
    alone = forward_block(tokens, d_model, d_ff, 1, 1, 2, 2)
    assert forward_block(tokens, d_model, d_ff, x, y, 2, 2).flops * x * y == alone.flops


@settings(deadline=None, max_examples=30)
@given(tokens=lengths, d_model=lengths, d_ff=lengths, x=axes, y=axes)
def test_sizes_that_do_not_divide_count_as_a_share_of_multiples_that_do(
    tokens: int, d_model: int, d_ff: int, x: int, y: int
) -> None:
    count = forward_block(tokens, d_model, d_ff, x, y, 2, 3)
    blown_up = forward_block(tokens * x, d_model, d_ff, x, y, 2, 3)
    assert (blown_up.flops, blown_up.sent_y) == (count.flops * x, count.sent_y * x)
    assert (blown_up.sent_x, blown_up.whole_x) == (count.sent_x, count.whole_x)
    blown_up = forward_block(tokens, d_model, d_ff * y, x, y, 2, 3)
    assert (blown_up.flops, blown_up.sent_x) == (count.flops * y, count.sent_x * y)
    assert (blown_up.sent_y, blown_up.whole_y) == (count.sent_y, count.whole_y)
    blown_up = forward_block(tokens, d_model * x * y, d_ff, x, y, 2, 3)
    assert blown_up.flops == count.flops * x * y
    assert (blown_up.sent_x, blown_up.whole_x) == (count.sent_x * x * y, count.whole_x * x * y)
    assert (blown_up.sent_y, blown_up.whole_y) == (count.sent_y * x * y, count.whole_y * x * y)


@settings(deadline=None, max_examples=40)
@given(tokens=lengths, d_model=lengths, d_ff=lengths, x=axes, y=axes)
def test_less_is_sent_than_is_present_and_nothing_on_an_axis_of_one(
    tokens: int, d_model: int, d_ff: int, x: int, y: int
) -> None:
    count = forward_block(tokens, d_model, d_ff, x, y, 2, 3)
    assert count.sent_x < count.whole_x
    assert count.sent_y < count.whole_y
    assert (count.sent_x == 0) == (x == 1)
    assert (count.sent_y == 0) == (y == 1)


def test_bytes_per_value_scale_their_own_axis_only() -> None:
    plain = forward_block(4, 4, 8, 2, 2, 1, 1)
    heavy = forward_block(4, 4, 8, 2, 2, 3, Fraction(1, 2))
    assert (heavy.flops, heavy.sent_x, heavy.whole_x) == (
        plain.flops,
        3 * plain.sent_x,
        3 * plain.whole_x,
    )
    assert (heavy.sent_y, heavy.whole_y) == (plain.sent_y / 2, plain.whole_y / 2)


def test_a_wrong_sum_does_not_go_unnoticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mesh, "_add", lambda a, b: a)
    with pytest.raises(AssertionError, match="differs from the unsharded one"):
        forward_block(2, 2, 2, 1, 2, 2, 2)


@pytest.mark.parametrize("place", range(7))
def test_sizes_below_one_are_refused(place: int) -> None:
    arguments = [2] * 7
    arguments[place] = 0
    with pytest.raises(ValueError, match="must be"):
        forward_block(*arguments)
