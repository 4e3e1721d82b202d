"""Links: the sums that data sheets and lectures print, each at its own figure."""

from fractions import Fraction
from typing import TypeAlias

import pytest
from evaluated import at

from workings.derivation.evaluation import DoesNotApplyError

Letters: TypeAlias = dict[str, int | Fraction]
GB = Fraction(10**9)


def test_400_gigabits_a_second_are_50_gigabytes_a_second() -> None:
    assert at("port-rate", r_b=400 * 10**9) == 50 * GB
    assert at("port-rate", r_b=200 * 10**9) == 25 * GB


# links, GB/s a link one way, GB/s of the data sheet (both ways): A100, H100, B200
@pytest.mark.parametrize(("links", "each", "sheet"), [(12, 25, 600), (18, 25, 900), (18, 50, 1800)])
def test_data_sheets_print_both_ways_of_all_links_of_one_gpu(links: int, each: int, sheet: int) -> None:
    assert at("device-links-both-ways", n_l=links, W_l=each * GB) == sheet * GB
    assert at("device-links", n_l=links, W_l=each * GB) == sheet * GB / 2


def test_the_lectures_900_gb_s_are_of_a_whole_node_and_both_ways() -> None:
    # "75 GB/s * 6 * 2 = 900 GB/s"
    assert at("mesh-pairs", n_node=4) == 6
    assert at("mesh-node-bandwidth", n_node=4, W_p=75 * GB) == 900 * GB
    assert at("mesh-device-bandwidth", n_node=4, W_p=75 * GB) == 225 * GB


def test_an_h100_in_a_node_of_four_has_150_gb_s_to_each_peer_and_its_900_to_itself() -> None:
    pair = at("pair-bandwidth", n_l=18, W_l=25 * GB, n_peer=3)
    assert pair == 150 * GB
    assert 2 * at("mesh-device-bandwidth", n_node=4, W_p=pair) == 900 * GB
    assert at("mesh-node-bandwidth", n_node=4, W_p=pair) == 1800 * GB


def test_links_that_cannot_be_shared_evenly_are_refused() -> None:
    with pytest.raises(DoesNotApplyError, match="n_l to be divisible by n_peer"):
        at("pair-bandwidth", n_l=18, W_l=GB, n_peer=7)


def test_a_dgx_h100_sends_400_gb_s_and_each_gpu_50() -> None:
    # How to Scale Your Model, part 12: "each node has 8x400Gbps": 400 GB/s
    assert at("node-egress", n_port=8, W_port=50 * GB) == 400 * GB
    assert at("device-share-of-ports", n_port=8, W_port=50 * GB, n_node=8) == 50 * GB


def test_a_tpu_v5e_has_3_125_gb_s_of_its_hosts_two_ports() -> None:
    # Google: 2 x 100 Gbps a host of 8 chips; How to Scale Your Model, part 2: 3.125e9 bytes/s a TPU
    port = at("port-rate", r_b=100 * 10**9)
    assert at("device-share-of-ports", n_port=2, W_port=port, n_node=8) == Fraction("3.125") * GB


def test_narvals_33_to_7_is_4_7_to_1() -> None:
    # docs.alliancecan.ca, Narval: "a maximum blocking factor of 33:7 (4.7:1)"
    ratio = at("oversubscription", n_down=33, n_up=7, W_port=25 * GB)
    assert round(float(ratio), 1) == 4.7


def test_at_2_to_1_a_50_gb_s_port_leaves_25_and_spare_uplinks_add_nothing() -> None:
    assert at("oversubscribed-bandwidth", n_down=2, n_up=1, W_port=50 * GB) == 25 * GB
    assert at("oversubscribed-bandwidth", n_down=32, n_up=32, W_port=50 * GB) == 50 * GB
    assert at("oversubscribed-bandwidth", n_down=16, n_up=32, W_port=50 * GB) == 50 * GB


def test_a_flat_ring_through_nodes_runs_at_the_speed_of_the_network() -> None:
    letters: Letters = {"N": 16, "S": 16 * GB, "n_node": 8, "W_1": 450 * GB, "W_2": 50 * GB}
    assert at("slowest-tier-bandwidth", **letters) == 50 * GB
    time = at("ring-across-nodes-time", alpha_1=0, alpha_2=0, **letters)
    assert time == Fraction(15, 50)  # 15 hops of 1 GB
    with pytest.raises(DoesNotApplyError):
        at("slowest-tier-bandwidth", **{**letters, "N": 8})  # one node: no network hop


def test_eight_groups_over_one_port_take_eight_times_as_long() -> None:
    alone = at("shared-port-time", N=4, S=GB, n_g=1, W_port=50 * GB)
    assert at("shared-port-time", N=4, S=GB, n_g=8, W_port=50 * GB) == 8 * alone


def test_a_pod_of_tpu_v5e_has_1_6_tb_s_of_bisection_bandwidth() -> None:
    # cloud.google.com/tpu/docs/v5e: 256 chips, 2D torus, 400 GBps a chip both ways over 4 ports
    link = Fraction(400, 4 * 2) * GB
    assert at("torus-bisection", n=256, X_c=16, W_l=link) == 1600 * GB


def test_the_longest_axis_of_a_torus_is_where_the_fewest_links_are_cut() -> None:
    cuts = [at("torus-bisection", n=8 * 8 * 16, X_c=side, W_l=GB) for side in (8, 16)]
    assert cuts == [256 * GB, 128 * GB]


def test_a_fat_tree_of_eight_h100_has_3_6_tb_s_across_the_middle_both_ways() -> None:
    # How to Scale Your Model, part 12, quiz 2, question 2; and its 1,024 GPUs: 51.2 TB/s at the spine
    assert 2 * at("fat-tree-bisection", n=8, W_port=450 * GB) == 3600 * GB
    assert 2 * at("fat-tree-bisection", n=1024, W_port=50 * GB) == 51_200 * GB
