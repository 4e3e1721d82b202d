"""Values that training keeps, and where parameters lie."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings.simulate.stage_placement import (
    deal_blocks,
    held_by_stage,
    mean_held,
    parameters_of,
    stage_parts,
)
from workings.simulate.stored_state import bytes_of, flat_shard, keep, keep_scales, mean, place, total

counts = st.integers(min_value=1, max_value=13)


def test_formats_take_the_bytes_their_bits_add_up_to() -> None:
    assert [bytes_of(kind) for kind in ("fp32", "bf16", "fp16", "fp8", "int8")] == [4, 2, 2, 1, 1]
    assert bytes_of(Fraction(1, 2)) == Fraction(1, 2)


def test_an_unknown_format_and_a_width_below_nothing_are_refused() -> None:
    with pytest.raises(KeyError):
        bytes_of("fp7")
    assert bytes_of(0) == 0
    with pytest.raises(ValueError, match="below 0"):
        bytes_of(-1)


def test_the_last_block_of_scales_may_be_short() -> None:
    assert len(keep_scales(7, 3, "scale", "fp32")) == 3
    assert len(keep_scales(6, 3, "scale", "fp32")) == 2


@given(parameters=counts, devices=counts, copies=st.integers(1, 3))
def test_sharding_keeps_one_value_a_group_and_no_value_is_lost(
    parameters: int, devices: int, copies: int
) -> None:
    values = keep(parameters, {"weight": "bf16", "moment": "fp32"})
    held = place(values, devices, ("moment",), copies)
    assert len(held) == devices * copies
    moments = [v for device in held for v in device if v.kind == "moment"]
    weights = [v for device in held for v in device if v.kind == "weight"]
    assert len(moments) == parameters * copies
    assert len(weights) == parameters * copies * devices
    assert mean(held) == 2 * parameters + Fraction(4 * parameters, devices)
    assert total(values) == 6 * parameters


@given(parameters=counts, devices=counts)
def test_a_flat_shard_is_the_smallest_that_covers_everything(parameters: int, devices: int) -> None:
    piece = flat_shard(parameters, devices)
    assert piece * devices >= parameters > (piece - 1) * devices


@given(blocks=st.integers(1, 40), stages=counts)
def test_stages_differ_by_at_most_one_block(blocks: int, stages: int) -> None:
    got = deal_blocks(blocks, stages)
    assert sum(got) == blocks
    assert max(got) - min(got) <= 1


def test_embedding_lies_first_and_norm_and_head_last() -> None:
    stages = stage_parts([1, 2, 1], 100, 7, 3)
    assert [parameters_of(parts) for parts in stages] == [121, 200, 124]
    assert [part.name for part in stages[2]] == ["block", "copied", "final norm", "head"]


def test_a_rank_has_the_most_rows_of_a_table_and_all_of_what_is_copied() -> None:
    stages = stage_parts([1, 0, 1], 100, 7, 3, copied=10, positions=2, shifts=1)
    assert [held_by_stage(stages, 4)[place] for place in (0, 2)] == [
        2 * 3 + 6 + 22.5 + 10,
        22.5 + 10 + 6 + 6,
    ]
    assert held_by_stage(stages, 1) == [parameters_of(parts) for parts in stages]


def test_one_stage_has_everything() -> None:
    (only,) = stage_parts([2], 100, 7, 3)
    assert parameters_of(only) == 21 + 200 + 3 + 21


@given(parameters=counts, t=st.integers(1, 5), d=st.integers(1, 4))
def test_only_splitting_axes_divide(parameters: int, t: int, d: int) -> None:
    assert mean_held(parameters, [(t, True), (d, False)]) == Fraction(parameters, t)
