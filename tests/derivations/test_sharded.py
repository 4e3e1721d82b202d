"""Sharded arrays and products: published answers, and what each case of a product sends."""

from fractions import Fraction

import pytest
from evaluated import rational_at as at

from workings.derivation.evaluation import DoesNotApplyError

PALM = {"D": 18_432, "F": 73_728, "n_f": 2}


def test_the_scaling_books_pop_quiz_has_16_kib_on_a_device_and_512_kib_in_all() -> None:
    quiz = {"D": 128, "F": 2048, "w": 1, "X": 2 * 8, "Y": 1}
    assert at("shard-bytes", **quiz) == 16 * 1024
    assert at("mesh-array-bytes", **quiz, Z=2) == 512 * 1024


def test_an_array_cut_along_four_of_64_devices_takes_16_copies() -> None:
    whole = {"D": 64, "F": 3, "w": 2}
    assert at("mesh-array-bytes", **whole, X=4, Y=1, Z=8 * 2) == 16 * (64 * 3 * 2)


def test_the_fullest_device_has_a_row_more_where_the_axis_does_not_divide_the_rows() -> None:
    assert at("shard-bytes", D=10, F=1, w=1, X=4, Y=1) == 3
    with pytest.raises(DoesNotApplyError):
        at("mesh-array-bytes", D=10, F=1, w=1, X=4, Y=1, Z=1)


def test_an_axis_of_one_device_sends_nothing() -> None:
    sizes = {"B": 6, "D": 4, "F": 8, "X": 1, "a": 2}
    for id_ in (
        "gather-then-multiply-bytes",
        "multiply-then-reduce-bytes",
        "multiply-then-scatter-bytes",
    ):
        assert at(id_, **sizes) == 0
    assert at("outer-sharded-bytes", **sizes, w=2) == 0


def test_all_reduce_and_gather_send_the_same_where_the_result_is_half_as_wide_as_the_operand() -> None:
    sizes = {"B": 6, "D": 8, "F": 4, "X": 4, "a": 2}
    gathered, summed = (
        at("gather-then-multiply-bytes", **sizes),
        at("multiply-then-reduce-bytes", **sizes),
    )
    assert gathered == summed == 72


def test_summing_pays_from_5100_inner_values_on_a_tpu_v5p_as_published() -> None:
    """C/W_ici is taken as 2,550 there, and the ring as large."""
    letters = {"B": 1, "D": 1, "F": 1, "X": 10**6, "a": 2, "C": 2550 * 180, "W": 180}
    assert abs(at("summing-beats-repeating", **letters) - 5100) < 1


def test_along_a_ring_a_quarter_of_the_array_passes_each_device() -> None:
    for devices in (2, 4, 16):
        assert at("resharding-ring-bytes", B=64, D=64, X=devices, a=2) == 64 * 64 * 2 / 4


def test_over_a_switch_less_is_sent_to_reshard_the_more_devices_there_are() -> None:
    sent = [at("resharding-bytes", B=64, D=64, X=devices, a=1) for devices in (2, 4, 8)]
    assert sent == [1024, 768, 448]


def test_two_axes_pay_from_17_devices_on_where_the_hidden_width_is_four_times_the_models() -> None:
    assert at("two-axes-devices", B=1, X=1, n=1, a=1, **PALM) == 16


def test_on_64_chips_palms_feed_forward_moves_one_b_by_d_array_of_activations() -> None:
    """8BLE over the root of the chips, as published."""
    assert at("weight-stationary-least", B=512, X=1, n=64, a=2, **PALM) == 2 * 512 * 18_432


def test_the_best_shape_is_half_the_root_along_the_models_width() -> None:
    def whole(x: int) -> Fraction:
        y = 64 // x
        messages = {"B": 512, "a": 2, "X": x, "Y": y, **PALM}
        return at("weight-stationary-bytes", **messages)

    assert min((1, 2, 4, 8, 16, 32, 64), key=whole) == 4


def test_weights_are_gathered_for_a_long_prompt_and_stay_for_decoding() -> None:
    tokens = at("weight-gathered-tokens", B=1, X=4, Y=16, a=2, w=2, **PALM)
    assert 512 < tokens < 512 * 2048


def test_half_of_an_array_moves_for_one_device_more_and_nearly_all_for_twice_as_many() -> None:
    # 4 devices of 10 bytes: with 5, of 8, they keep 8, 6, 4 and 2; with 8, of 5, the first keeps its 5
    assert at("regrouped-bytes", S=40, N_1=4, N_2=5) == 20 == at("regrouped-bytes", S=40, N_1=5, N_2=4)
    assert at("regrouped-bytes", S=40, N_1=4, N_2=8) == 35
    assert at("regrouped-bytes", S=40, N_1=4, N_2=4) == 0


def test_the_last_device_of_the_smaller_group_is_the_busiest() -> None:
    # It hands on 8 of its 10 bytes, or takes in 8 of 10; where the number doubles, all of its 10
    assert at("regrouping-time", S=40, N_1=4, N_2=5, W_b=2) == 4
    assert at("regrouping-time", S=40, N_1=5, N_2=4, W_b=2) == 4
    assert at("regrouping-time", S=40, N_1=4, N_2=8, W_b=2) == 5
