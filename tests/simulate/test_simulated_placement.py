"""Placing tensors on the devices of an FSDP group."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.simulate.placement import is_sharded, place_fsdp, smallest_group

amounts = st.lists(st.fractions(min_value=0, max_value=1000), max_size=8)


def test_state_is_sharded_and_every_second_block_is_whole() -> None:
    assert place_fsdp([8, 4], [20, 20], 4) == (Fraction(2 + 1 + 5 + 20),) * 4


def test_the_first_of_an_odd_number_of_blocks_is_sharded() -> None:
    assert [is_sharded(block) for block in range(3)] == [True, False, True]
    assert place_fsdp([], [30, 30, 30], 3) == (Fraction(10 + 30 + 10),) * 3


def test_shares_need_not_be_whole_bytes() -> None:
    assert place_fsdp([1], [], 3) == (Fraction(1, 3),) * 3


@settings(deadline=None, max_examples=50)
@given(state=amounts, activations=amounts)
def test_one_device_holds_everything(state: list[Fraction], activations: list[Fraction]) -> None:
    assert place_fsdp(state, activations, 1) == (sum(state + activations, Fraction(0)),)


@settings(deadline=None, max_examples=50)
@given(state=amounts, activations=amounts, devices=st.integers(1, 40))
def test_all_devices_together_hold_shards_once_and_whole_blocks_once_each(
    state: list[Fraction], activations: list[Fraction], devices: int
) -> None:
    placed = place_fsdp(state, activations, devices)
    sharded = [size for block, size in enumerate(activations) if is_sharded(block)]
    whole = [size for block, size in enumerate(activations) if not is_sharded(block)]
    assert len(set(placed)) == 1
    assert sum(placed) == sum(state) + sum(sharded) + devices * sum(whole)


def test_the_smallest_group_is_the_first_number_that_fits() -> None:
    assert smallest_group(lambda devices: devices >= 7, 100) == 7
    assert smallest_group(lambda devices: devices % 6 == 5, 100) == 5


def test_the_limit_is_tried_too_and_nothing_beyond_it() -> None:
    assert smallest_group(lambda devices: devices >= 7, 7) == 7
    assert smallest_group(lambda devices: devices >= 7, 6) is None


def test_senseless_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="devices must be at least 1"):
        place_fsdp([1], [1], 0)
    with pytest.raises(ValueError, match="must not be below 0"):
        place_fsdp([-1], [1], 1)
    with pytest.raises(ValueError, match="must not be below 0"):
        place_fsdp([1], [1, -1], 1)
    with pytest.raises(ValueError, match="limit must be at least 1"):
        smallest_group(lambda devices: True, 0)
