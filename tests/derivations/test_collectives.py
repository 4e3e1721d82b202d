"""Collectives: published worked problems, and identities between results that are derived apart."""

from fractions import Fraction
from typing import TypeAlias

import pytest
from evaluated import at, true_at

from workings.derivation.evaluation import DoesNotApplyError
from workings.formula.interval import rational

Letters: TypeAlias = dict[str, int | Fraction]
GB, US = Fraction(10**9), Fraction(1, 10**6)
ALPHA, SLOW = Fraction(1, 10**6), Fraction(10**9)  # a latency and a bandwidth for comparisons


def near(found: Fraction, printed: str) -> bool:
    """Whether a value rounds to a printed one, to as many digits."""
    places = len(printed.partition(".")[2])
    return round(float(found), places) == float(printed)


# --- How to Scale Your Model, part 3 (TPU v4 and v5e: 4.5e10 bytes/s a link, one way) ---------------

LINK = 45 * GB


def test_a_gather_of_34_mb_over_a_ring_of_4_tpu_v5e_takes_about_377_us() -> None:
    # Pop quiz 2: bf16[2048, 8192]; the book divides 34e6 by 9e10
    time = at("torus-axis-time", n_ring=1, N=4, S=2 * 2048 * 8192, alpha=US, W=2 * LINK)
    assert near(time / US, "373")
    assert near(Fraction(34 * 10**6) / (2 * LINK) / US, "378")  # it prints 377


def test_without_a_link_round_the_end_three_hops_take_560_us() -> None:
    # The same quiz: "3 * 8.4e6 / 4.5e10 = 560us"
    time = at("ring-all-gather-time", N=4, S=2 * 2048 * 8192, alpha=0, W_b=LINK)
    assert near(time / US, "559")
    assert near(3 * Fraction(84 * 10**5) / LINK / US, "560")


def test_a_shard_below_45_kb_is_latency_bound_on_tpu_v5e() -> None:
    # "sending any buffer under 4.5e10 * 1e-6 = 45kB will be latency bound"
    assert at("latency-bound-message", N=4, S=1, alpha=US, W_b=LINK) == 4 * 45_000
    # Pop quiz 2, second part: bf16[256, 256] on 4 chips
    assert true_at("latency-bound-message", N=4, S=2 * 256 * 256, alpha=US, W_b=LINK)
    assert not true_at("latency-bound-message", N=4, S=2 * 2048 * 8192, alpha=US, W_b=LINK)


@pytest.mark.parametrize(
    ("size", "printed"),
    [(2 * 1024 * 4096 // 4, "23"), (2 * 1024 * 4096 // 16, "5.8")],  # question 2, parts 1 and 4
)
def test_one_axis_of_tpu_v4_gathers_at_both_directions_bandwidth(size: int, printed: str) -> None:
    assert near(at("torus-axis-time", n_ring=1, N=4, S=size, alpha=US, W=2 * LINK) / US, printed)


def test_two_axes_gather_8_mb_in_46_us_or_a_little_less() -> None:
    # Question 2, part 3: 2*1024*4096/1.8e11 = 46 us, own chunks counted as if they were sent
    size = 2 * 1024 * 4096
    time = at("square-torus-time", n_ring=1, X_t=4, S=size, alpha=0, W=2 * LINK)
    assert near(time * Fraction(16, 15) / US, "46.6")


def test_256_bytes_on_4_chips_take_the_2_us_of_two_hops() -> None:
    assert at("torus-axis-time", n_ring=1, N=4, S=256, alpha=US, W=2 * LINK) == 2 * US  # question 3


def test_an_all_to_all_on_a_large_ring_costs_a_quarter_of_an_all_gather() -> None:
    assert at("all-to-all-against-all-gather", N=4096, S=7) == Fraction(4096, 4 * 4095)
    assert at("all-to-all-ring", N=8, S=8 * 10**6) == 16 * 10**6  # N^2/4 parts of S/N bytes


# --- How to Scale Your Model, part 12 (H100: 450 GB/s a GPU, 400 GB/s a node) ------------------------


@pytest.mark.parametrize(
    ("size", "microseconds"),
    [(4096 * 65536 * 2, "1044"), (2 * 1024 * 16384, "65")],  # quiz 2 question 3; pop quiz 1
)
def test_gathers_in_a_node_of_8_h100(size: int, microseconds: str) -> None:
    time = at("ring-all-gather-time", N=8, S=size, alpha=0, W_b=450 * GB)
    assert near(time / US, microseconds)


@pytest.mark.parametrize(
    ("children", "link", "printed"), [(8, 450, "514"), (32, 400, "413"), (4, 12_800, "17067")]
)
def test_the_gather_bandwidth_of_each_level_of_a_superpod(children: int, link: int, printed: str) -> None:
    time = at("ring-all-gather-time", N=children, S=GB, alpha=0, W_b=link * GB)
    assert near(GB / time / GB, printed)


def test_an_all_to_all_of_b_bytes_in_a_node_takes_7_64ths_of_b_over_w() -> None:
    b = 64 * 10**6  # the book's B is the whole array, of which each GPU holds an eighth
    assert at("all-to-all-time", N=8, S=b // 8, alpha=0, W_b=GB) == Fraction(7 * b, 64) / GB


def test_an_all_to_all_over_m_nodes_takes_m_less_1_over_m_squared_of_b_over_the_node() -> None:
    b, nodes, node = 64 * 10**6, 4, 400 * GB
    time = at("all-to-all-nodes-time", N=32, S=Fraction(b, 32), n_node=8, W_1=450 * GB, W_2=50 * GB)
    assert time == Fraction(b * (nodes - 1), nodes**2) / node


# --- NCCL tests ------------------------------------------------------------------------------------


def test_nccl_tests_bus_bandwidth_of_a_real_run() -> None:
    # all_reduce_perf on 4 A100: 4,218,900 bytes in 1,011.4 us, algbw 4.17, busbw 6.26 GB/s
    # (gist.github.com/kwen2501/89c28b6d12045b45ccf7e33816af2713)
    time = Fraction("1011.4") * US
    assert near(4218900 / time / GB, "4.17")
    assert near(at("bus-bandwidth-all-reduce", N=4, S=4218900, T=time) / GB, "6.26")


@pytest.mark.parametrize("ranks", [2, 3, 8, 1000])
def test_on_a_ring_without_latency_the_bus_bandwidth_is_that_of_the_link(ranks: int) -> None:
    size, link = 10**8, 50 * GB
    for kind in ("all-reduce", "all-gather"):
        time = at(f"ring-{kind}-time", N=ranks, S=size, alpha=0, W_b=link)
        assert at(f"bus-bandwidth-{kind}", N=ranks, S=size, T=time) == link


# --- identities -----------------------------------------------------------------------------------


@pytest.mark.parametrize("ranks", [1, 2, 3, 7, 64])
def test_ways_to_all_reduce_move_the_same_bytes(ranks: int) -> None:
    ring = at("ring-all-reduce", N=ranks, S=960)
    assert ring == at("all-reduce-in-two", N=ranks, S=960)
    if ranks & (ranks - 1) == 0:
        assert ring == at("halving-doubling-all-reduce", N=ranks, S=960)


@pytest.mark.parametrize(("ranks", "node"), [(8, 8), (16, 8), (6, 3), (5, 1), (1, 1)])
def test_two_levels_of_all_gather_send_what_one_ring_sends(ranks: int, node: int) -> None:
    two = at("hierarchical-all-gather", N=ranks, S=480, n_node=node)
    assert two == at("ring-all-gather", N=ranks, S=480)


def test_of_an_all_reduce_only_an_eighth_of_the_message_leaves_a_gpu_of_eight() -> None:
    between = at("hierarchical-all-reduce-between", N=1024, S=8 * GB, n_node=8)
    assert between == 2 * (1 - Fraction(1, 128)) * GB
    inside = at("hierarchical-all-reduce-inside", N=1024, S=8 * GB, n_node=8)
    assert inside == 14 * GB


def test_inside_one_node_nothing_goes_between_nodes() -> None:
    assert at("hierarchical-all-reduce-between", N=8, S=GB, n_node=8) == 0
    assert at("all-to-all-between", N=8, S=GB, n_node=8) == 0
    both = at("all-to-all-inside", N=32, S=GB, n_node=8) + at("all-to-all-between", N=32, S=GB, n_node=8)
    assert both == at("all-to-all", N=32, S=GB)


def test_doubling_needs_a_power_of_two_and_bruck_does_not() -> None:
    with pytest.raises(DoesNotApplyError):
        at("tree-all-gather-time", N=6, S=GB, alpha=ALPHA, W_b=SLOW)
    assert at("bruck-all-gather-time", N=6, S=6, alpha=1, W_b=1) == 3 + 5
    eight: Letters = {"N": 8, "S": GB, "alpha": ALPHA, "W_b": SLOW}
    assert at("tree-all-gather-time", **eight) == at("bruck-all-gather-time", **eight)


def test_the_mpich_costs_at_eight_ranks() -> None:
    # Its comments: lg p alpha + n (p-1)/p beta, 2 lg p alpha + 2 n (p-1)/p beta, lg p alpha + n lg p beta
    eight = {"N": 8, "S": 800, "alpha": 10, "W_b": 1}
    assert at("tree-all-gather-time", **eight) == 3 * 10 + 700
    assert at("halving-doubling-all-reduce-time", **eight) == 6 * 10 + 1400
    assert at("tree-broadcast-time", **eight) == 3 * (10 + 800)
    assert at("ring-all-gather-time", **eight) == 7 * 10 + 700


def test_a_chain_of_pieces_beats_a_tree_for_a_large_message_and_loses_for_a_small_one() -> None:
    for size, chain_wins in ((10**9, True), (10**3, False)):
        best = at("ring-broadcast-pieces", h_c=14, S=size, alpha=ALPHA, W_b=SLOW)
        tree = at("tree-broadcast-time", N=16, S=size, alpha=ALPHA, W_b=SLOW)
        assert (rational(best) < tree) is chain_wins


def test_broadcasts_of_whole_parts_gather_as_many_times_slower_as_there_are_ranks() -> None:
    # 8 parts of 1 MB, 7 hops each: 56 MB on one link after the other, against 7 on all links at once
    assert at("broadcast-all-gather-time", N=8, S=8 * 10**6, k_p=1, alpha=0, W_b=10**6) == 56
    assert at("ring-all-gather-time", N=8, S=8 * 10**6, alpha=0, W_b=10**6) == 7
    assert at("broadcasts-against-all-gather", N=8, S=1, k_p=1, W_b=1) == 8
    assert at("broadcasts-against-all-gather", N=8, S=1, k_p=994, W_b=1) == Fraction(8000, 6958)


def test_no_whole_number_of_pieces_is_faster_than_the_best_real_one() -> None:
    letters: Letters = {"S": 10**6, "alpha": ALPHA, "W_b": SLOW}
    best = at("ring-broadcast-pieces", h_c=10, **letters)
    times = [at("ring-broadcast-time", N=12, k_p=k, **letters) for k in range(1, 300)]
    # sqrt(10 * 1e6 / 1e3) = 100 pieces are a whole number
    assert min(times) == times[99]
    assert abs(rational(best) - times[99]) < Fraction(1, 10**50)


def test_the_ring_beats_the_tree_from_a_size_that_grows_with_the_ring() -> None:
    sizes = [at("ring-beats-tree", N=n, S=1, alpha=ALPHA, W_b=SLOW) for n in (4, 8, 64, 512)]
    assert sizes == sorted(sizes)
    # 64 ranks: 63 starts against 6, 63/64 of the message against 6 of it
    assert sizes[2] == Fraction(63 - 6) / (6 - Fraction(63, 64)) * 1000
    assert at("ring-beats-tree", N=2, S=1, alpha=ALPHA, W_b=SLOW) == 0


def test_one_rank_sends_nothing_and_takes_no_time() -> None:
    for id_ in ("ring-all-gather", "ring-reduce-scatter", "ring-all-reduce", "all-to-all"):
        assert at(id_, N=1, S=GB) == 0
        assert at(f"{id_}-time", N=1, S=GB, alpha=ALPHA, W_b=SLOW) == 0
    assert at("doubling-rounds", N=1) == 0
