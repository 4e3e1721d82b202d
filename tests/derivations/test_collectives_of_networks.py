"""Networks of several axes and levels: published worked problems of part 3 and part 12 of the book."""

from fractions import Fraction

import pytest
from evaluated import at, true_at

from workings.derivation.evaluation import DoesNotApplyError

GB, US = Fraction(10**9), Fraction(1, 10**6)
AXIS = 90 * GB  # a TPU's axis, both directions: 2 × 45 GB/s


# --- Tori (part 3, question 2: bf16[1024, 4096] on TPU v4) ---------------------------------------------


def test_three_axes_gather_8_mb_in_31_us_and_two_gather_a_quarter_of_it_in_less_than_12() -> None:
    size = 2 * 1024 * 4096
    three = at("torus-axes-time", S=size, M=3, X_sum=12, alpha=US, W=AXIS, n_ring=1)
    two = at("torus-axes-time", S=size // 4, M=2, X_sum=8, alpha=US, W=AXIS, n_ring=1)
    assert round(float(three / US)) == 31
    assert round(float(two / US), 1) == 11.7  # printed 11.5


def test_a_gather_over_one_axis_is_that_of_the_axis() -> None:
    for size in (256, 10**8):
        several = at("torus-axes-time", S=size, M=1, X_sum=8, alpha=US, W=AXIS, n_ring=1)
        assert several == at("torus-axis-time", S=size, N=8, alpha=US, W=AXIS, n_ring=1)


def test_few_bytes_take_3_us_along_a_line_of_4_and_2_us_round_a_ring_of_4() -> None:
    assert at("line-starts-time", N=4, alpha=US) == 3 * US  # pop quiz 2 (b)
    assert at("ring-starts-time", N=4, alpha=US) == 2 * US  # question 3


def test_a_ring_of_16_is_8_hops_across_and_a_line_of_16_has_15() -> None:
    assert (at("ring-hops", N=16), at("line-hops", N=16)) == (8, 15)


def test_an_all_to_all_over_several_axes_takes_as_long_as_over_the_longest() -> None:
    # V bytes on a 4 × 16 torus: V*16/(4*64*W), and a single ring of 16 that starts with as much
    whole = 64 * 10**6
    time = at("torus-all-to-all-time", S=whole // 64, X_l=16, W=AXIS, n_ring=1)
    assert time == Fraction(whole * 16, 4 * 64) / AXIS
    assert time == at("all-to-all-ring", N=16, S=whole // 64) / AXIS


def test_an_all_to_all_one_way_sends_half_of_a_one_way_all_gather() -> None:
    for ranks in (2, 5, 8):
        gathered = at("ring-all-gather", N=ranks, S=ranks * 1000)
        assert at("all-to-all-one-way", N=ranks, S=1000) == gathered / 2


def test_a_cube_of_4_sends_63_of_64_parts_over_its_axes_as_on_one_ring() -> None:
    cube = {"S": 64, "n_1": 4, "n_2": 4, "n_3": 4}
    assert at("torus-reduce-scatter", **cube) == 48 + 12 + 3 == at("ring-reduce-scatter", N=64, S=64)
    assert at("torus-reduce-scatter", **{**cube, "n_3": 1}) == 48 + 12
    # V bytes over 3 axes take V/(3*W) on large tori (part 3): a device's bytes over its six links
    time = at("torus-axes-time", S=GB, M=3, X_sum=60, alpha=0, W=AXIS, n_ring=1)
    sent = at("torus-reduce-scatter", S=GB, n_1=20, n_2=20, n_3=20)
    assert time * Fraction(999, 1000) < sent / (3 * AXIS) < time


# --- Levels of switches (part 12, quizzes 2 to 4: H100) ------------------------------------------------

EGRESS = 400 * GB


def test_two_nodes_gather_at_514_gigabytes_a_second_inside() -> None:
    # Quiz 4, question 5: B*7/(8*450e9) inside, B/(2*400e9) between
    time = at("overlapped-all-gather-time", N=16, S=GB, n_node=8, W_1=450 * GB, W_2=EGRESS / 8)
    assert time == max(GB * 7 / (8 * 450 * GB), GB / (2 * EGRESS))
    assert round(float(GB / time / GB)) == 514


def test_levels_that_overlap_are_never_slower_than_levels_one_after_the_other() -> None:
    links = {"W_1": 450 * GB, "W_2": 50 * GB}
    after = at("hierarchical-all-gather-time", N=64, S=GB, n_node=8, alpha_1=0, alpha_2=0, **links)
    together = at("overlapped-all-gather-time", N=64, S=GB, n_node=8, **links)
    assert after / 2 <= together < after


def test_an_inner_axis_saves_time_inside_nodes_and_none_between_them() -> None:
    slow_inside: dict[str, int | Fraction] = {
        "N": 64,
        "S": GB,
        "n_node": 8,
        "W_1": 10 * GB,
        "W_2": 50 * GB,
    }
    whole = at("overlapped-all-gather-time", **slow_inside)
    assert at("split-array-gather-time", Y=1, **slow_inside) == whole
    assert at("split-array-gather-time", Y=2, **slow_inside) == Fraction(3, 4) * GB / (2 * 10 * GB)
    network = (1 - Fraction(1, 8)) * GB / EGRESS
    assert at("split-array-gather-time", Y=8, **slow_inside) == network


def test_an_inner_axis_that_straddles_nodes_is_refused() -> None:
    with pytest.raises(DoesNotApplyError, match="leaves a ring of"):
        at("split-array-gather-time", N=64, S=GB, n_node=8, Y=16, W_1=GB, W_2=GB)


def test_the_switches_of_a_node_send_8_times_the_array_and_the_spine_once_for_every_other_node() -> None:
    assert at("node-switch-bytes", N=32, S=GB, n_node=8) == 8 * GB  # quiz 4, question 1: N*B
    assert at("spine-switch-bytes", N=32, S=GB, n_node=8) == 3 * GB  # (M - 1)*B


def test_levels_of_a_superpod_carry_what_the_book_prints() -> None:
    node = at("switch-level-bandwidth", n_sw=4, n_sp=64, W_port=25 * GB)
    leaves = at("switch-level-bandwidth", n_sw=8, n_sp=32, W_port=50 * GB)
    spine = at("switch-level-bandwidth", n_sw=32, n_sp=32, W_port=50 * GB)
    assert [level / GB for level in (node, leaves, spine)] == [6400, 12_800, 51_200]
    usable = at("usable-level-bandwidth", n_sw=4, n_sp=64, W_port=25 * GB, n_lev=8, W_1=450 * GB)
    assert usable == 3600 * GB


def test_1024_h100_take_560_switches() -> None:
    assert at("fat-tree-switches", n=1024, n_node=8, n_ns=4, k_sw=64) == 560


def test_a_fat_tree_of_two_levels_reaches_2048_devices_with_64_ports() -> None:
    assert at("fat-tree-switches", n=2048, n_node=8, n_ns=4, k_sw=64) == 1024 + 96
    with pytest.raises(DoesNotApplyError, match="reaches no more"):
        at("fat-tree-switches", n=4096, n_node=8, n_ns=4, k_sw=64)


# --- What hides behind products (parts 1, 3 and 12) -----------------------------------------------------


def test_two_tpu_v5e_hide_the_sum_of_a_product_from_an_inner_width_of_8756() -> None:
    chip: dict[str, int | Fraction] = {
        "X": 2,
        "B": 512,
        "F": 4096,
        "a": 2,
        "C": 197 * 10**12,
        "W": 45 * GB,
    }
    assert not true_at("sum-hiding-width", D=8755, **chip)
    assert true_at("sum-hiding-width", D=8756, **chip)


def test_the_width_and_the_devices_of_a_sum_that_hides_are_one_condition() -> None:
    for devices in (2, 3, 9):
        for width in (5100, 10_199, 10_201, 40_900):
            sizes: dict[str, int | Fraction] = {
                "X": devices,
                "D": width,
                "B": 8,
                "F": 4,
                "a": 2,
                "C": 2550 * GB,
                "W": GB,
            }
            assert true_at("sum-hiding-width", **sizes) == true_at("sum-hiding-devices", **sizes)


def test_a_feed_forward_of_28000_is_sliced_over_two_nodes_and_not_over_three() -> None:
    group: dict[str, int | Fraction] = {
        "b_m": 1,
        "s": 4096,
        "c": 1,
        "D": 8192,
        "a": 2,
        "n_f": 2,
        "n_node": 8,
        "C": 990 * 10**12,
    }
    assert true_at("tp-nodes-degree-limit", t=16, F=28_000, W_2=50 * GB, **group)
    assert not true_at("tp-nodes-degree-limit", t=24, F=28_000, W_2=50 * GB, **group)
    assert not true_at("tp-nodes-ffn-width", t=16, F=19_800, W_2=50 * GB, **group)  # 2475 * (16 - 8)
    assert true_at("tp-nodes-ffn-width", t=16, F=19_801, W_2=50 * GB, **group)


def test_padding_3_by_5_to_tiles_of_2_by_2_takes_1_6_times_the_memory() -> None:
    assert at("padding-growth", r_a=3, c_a=5, t_r=2, t_c=2) == Fraction(24, 15)
    assert at("padded-size", r_a=129, t_r=128) == 256
    assert at("padding-growth", r_a=8, c_a=128, t_r=8, t_c=128) == 1
