"""Tokens on their way to experts: fewer bytes, fewer copies between nodes, hidden behind compute."""

from fractions import Fraction

import pytest
from awkward import awkward

CROSSING = {"n_node": 2, "e": 8, "t_e": 1}  # of eight ranks two lie in a node, as t_e is 1


def test_tokens_of_one_byte_take_three_quarters_there_and_back() -> None:
    """Two ways out of four go to experts; there a value has one byte instead of two."""
    ways = (("there", 1), ("back", 2), ("gradients there", 1), ("gradients back", 2))
    narrow, wide = awkward(w_dsp=1), awkward(w_dsp=2)
    assert narrow["V_e"] / wide["V_e"] == Fraction(sum(width for _, width in ways), 4 * 2)


@pytest.mark.parametrize("nodes", [1, 2, 3])
def test_what_is_sent_once_a_node_crosses_the_network_so_much_faster(nodes: int) -> None:
    """Token by token: a copy for each of three experts elsewhere, or one for each node."""
    each, once = awkward(**CROSSING), awkward(**CROSSING, k_nod=nodes)
    copies = {"each": len(["first", "second", "third"]), "once": nodes}
    network = each["W_e"] * Fraction(copies["each"], copies["once"])
    assert once["W_e"] == sorted([network, once["eta_1"] * once["W_1"]])[0]
    assert once["V_e"] == each["V_e"]


def test_no_more_copies_cross_than_there_are_nodes() -> None:
    """Eight ranks in two nodes: a token that may go to three is sent to two."""
    wide = {**CROSSING, "n_node": 4, "W_1": 10**12}
    assert awkward(**wide, k_nod=3)["W_e"] == awkward(**wide, k_nod=2)["W_e"]
    assert awkward(**wide, k_nod=1)["W_e"] == 2 * awkward(**wide, k_nod=2)["W_e"]


def test_inside_a_node_nothing_is_sent_once_for_several() -> None:
    assert awkward(k_nod=1)["W_e"] == awkward()["W_e"]


@pytest.mark.parametrize("share", [Fraction(0), Fraction(1, 3), Fraction(1)])
def test_traffic_of_experts_hides_behind_a_block_and_no_longer(share: Fraction) -> None:
    """A network so slow that a block's compute does not cover it, and one that it does."""
    for speed in (10**3, 10**9):
        v = awkward(**CROSSING, h_e=share, W_2=speed, W_1=speed)
        whole, compute = v["T_ea"] + v["T_et"], v["T_fwd"] + v["T_bwd"]
        hidden = sorted([share * whole, compute])[0]
        assert v["T_e"] == whole - hidden


def test_what_is_kept_in_8_bits_takes_half() -> None:
    none, some = awkward(), awkward(x_8=Fraction(1, 4))
    for kept in ("A_kept", "A_kept_x"):
        assert some[kept] == none[kept] * Fraction(7, 8)
    assert awkward(x_8=1, z_f=1)["A_kept"] == awkward(z_f=1)["A_kept"]
