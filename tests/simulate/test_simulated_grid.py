"""Ranks laid out on a grid of axes, and the groups they fall into."""

from itertools import pairwise, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.simulate.grid import coordinates, groups, lay_out, nodes_of, rank_at

LLAMA = {"tp": 2, "cp": 2, "pp": 2, "dp": 2}
meshes = st.fixed_dictionaries({axis: st.integers(1, 4) for axis in ("tp", "cp", "pp", "dp")})
orders = st.sampled_from(list(permutations(("tp", "cp", "pp", "dp"))))


def test_llama_3s_figure_of_16_gpus_is_reproduced() -> None:
    # The Llama 3 Herd of Models, figure 5: order [TP, CP, PP, DP], each of size 2
    assert coordinates(0, LLAMA) == {"tp": 0, "cp": 0, "pp": 0, "dp": 0}
    assert coordinates(1, LLAMA) == {"tp": 1, "cp": 0, "pp": 0, "dp": 0}
    for axis, partner in (("tp", 1), ("cp", 2), ("pp", 4), ("dp", 8)):
        assert groups(axis, LLAMA)[0] == [0, partner]
        assert len(groups(axis, LLAMA)) == 8


def test_megatrons_example_of_16_gpus_is_reproduced() -> None:
    # megatron/core/parallel_state.py, initialize_model_parallel: tensor 2, data 2, pipeline 4
    sizes = {"tp": 2, "dp": 2, "pp": 4}
    assert groups("dp", sizes) == [
        [0, 2], [1, 3], [4, 6], [5, 7], [8, 10], [9, 11], [12, 14], [13, 15]
    ]  # fmt: skip
    assert groups("tp", sizes) == [[rank, rank + 1] for rank in range(0, 16, 2)]
    assert groups("pp", sizes) == [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15]]


def test_megatrons_groups_of_an_axis_in_the_middle_are_reproduced() -> None:
    # generate_masked_orthogonal_rank_groups: sizes [2, 3, 4] of tp, dp, pp
    found = groups("dp", {"tp": 2, "dp": 3, "pp": 4})
    assert found[0] == [0, 2, 4]
    assert found[1] == [1, 3, 5]
    assert found[7] == [19, 21, 23]


def test_megatrons_data_parallel_groups_in_the_order_tp_pp_dp_are_reproduced() -> None:
    found = groups("dp", {"tp": 2, "dp": 2, "pp": 2}, ("tp", "pp", "dp"))
    assert found == [[0, 4], [1, 5], [2, 6], [3, 7]]


def test_two_axes_can_be_taken_together() -> None:
    assert groups(("cp", "dp"), {"tp": 2, "cp": 2, "pp": 2, "dp": 2})[0] == [0, 2, 8, 10]


def test_expert_parallel_groups_of_mixtral_lie_side_by_side() -> None:
    # Order tp-cp-ep-dp-pp on 64 devices with EP 8 and PP 4: one node each, copies of an expert 8 apart
    sizes = {"tp": 1, "ep": 8, "dp": 2, "pp": 4}
    assert groups("ep", sizes)[:2] == [list(range(8)), list(range(8, 16))]
    assert groups("dp", sizes)[0] == [0, 8]


@settings(deadline=None, max_examples=40)
@given(sizes=meshes, order=orders)
def test_groups_of_an_axis_divide_the_ranks(sizes: dict[str, int], order: tuple[str, ...]) -> None:
    world = len(lay_out(sizes, order))
    for axis, size in sizes.items():
        found = groups(axis, sizes, order)
        assert sorted(rank for group in found for rank in group) == list(range(world))
        assert {len(group) for group in found} == {size}
        for group in found:
            steps = {after - before for before, after in pairwise(group)}
            assert len(steps) <= 1


@settings(deadline=None, max_examples=40)
@given(sizes=meshes, order=orders)
def test_ranks_and_coordinates_belong_to_each_other(
    sizes: dict[str, int], order: tuple[str, ...]
) -> None:
    for rank, place in enumerate(lay_out(sizes, order)):
        assert coordinates(rank, sizes, order) == place
        assert rank_at(place, sizes, order) == rank


@settings(deadline=None, max_examples=40)
@given(sizes=meshes, order=orders)
def test_the_first_axis_of_the_order_varies_fastest(
    sizes: dict[str, int], order: tuple[str, ...]
) -> None:
    assert groups(order[0], sizes, order)[0] == list(range(sizes[order[0]]))


def test_ranks_fill_one_node_after_the_other() -> None:
    assert nodes_of([0, 7], 8) == {0}
    assert nodes_of([7, 8], 8) == {0, 1}
    assert nodes_of(range(5), 2) == {0, 1, 2}
    assert nodes_of([], 8) == set()


@pytest.mark.parametrize("order", [("tp",), ("tp", "dp", "dp"), ("tp", "ep")])
def test_an_order_names_each_axis_once(order: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="once each"):
        lay_out({"tp": 2, "dp": 2}, order)


def test_sizes_ranks_and_axes_are_checked() -> None:
    with pytest.raises(ValueError, match="dp must be at least 1"):
        lay_out({"tp": 2, "dp": 0})
    with pytest.raises(ValueError, match="rank must be from 0 to 3"):
        coordinates(4, {"tp": 2, "dp": 2})
    with pytest.raises(ValueError, match="no rank stands at"):
        rank_at({"tp": 2, "dp": 0}, {"tp": 2, "dp": 2})
    with pytest.raises(ValueError, match="ep must be among tp, dp"):
        groups("ep", {"tp": 2, "dp": 2})
    with pytest.raises(ValueError, match="node_devices must be at least 1"):
        nodes_of([0], 0)
