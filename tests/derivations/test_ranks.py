"""Ranks: published meshes, and the identities of their sizes."""

from itertools import product
from typing import Any

import pytest
from evaluated import at

from workings import catalogue
from workings.derivation.evaluation import DoesNotApplyError, value_of
from workings.scenario import ScenarioError, load_scenario
from workings.values.binding import bind


def here(id_: str, scenario: str, **settings: str) -> Any:
    what = catalogue.get(id_)
    bound = bind(what, load_scenario(scenario, settings), settings)
    return value_of(what, bound.values, bound.pinned)


DATA_STRIDE = catalogue.get("data-stride")
LLAMA = {"t": 2, "c": 2, "p": 2, "d": 2, "o_d": 0}
PLACE = {"i_t": 0, "i_c": 0, "i_p": 0, "i_d": 0}
COORDINATES = {"i_t": "tensor", "i_c": "context", "i_p": "pipeline", "i_d": "data"}


# --- numbers and places -------------------------------------------------------------------------


@pytest.mark.parametrize(("axis", "rank"), [("i_t", 1), ("i_c", 2), ("i_p", 4), ("i_d", 8)])
def test_gpu_0s_partners_on_each_axis_are_those_of_llama_3s_figure_5(axis: str, rank: int) -> None:
    assert at("rank-of-coordinates", **LLAMA, **{**PLACE, axis: 1}) == rank


def test_a_place_outside_the_mesh_has_no_rank() -> None:
    with pytest.raises(DoesNotApplyError, match="i_t < t"):
        at("rank-of-coordinates", **LLAMA, **{**PLACE, "i_t": 2})


def test_the_coordinates_of_a_rank_lead_back_to_it_in_either_order() -> None:
    for rank, o_d in product(range(16), (0, 1)):
        device, mesh = {"i_n": rank // 8, "i_l": rank % 8, "n_node": 8}, {**LLAMA, "o_d": o_d}
        found = {i: at(f"{axis}-coordinate", **device, **mesh) for i, axis in COORDINATES.items()}
        assert at("device-rank", **device) == rank
        assert at("rank-of-coordinates", **mesh, **found) == rank


def test_a_device_beyond_the_mesh_has_no_place_on_its_slow_axes() -> None:
    for axis in ("data", "pipeline"):
        with pytest.raises(DoesNotApplyError, match=r"needs r < N\*sigma\*n_s"):
            at(f"{axis}-coordinate", i_n=2, i_l=0, n_node=8, **LLAMA)


def test_a_rank_may_be_given_instead_of_node_and_device() -> None:
    # 16 · 8 ranks make a replica of Llama 3 405B: rank 1,000 is in replica 7, stage 13, place 0
    assert here("data-coordinate", "llama3-405b-16k", r="1000") == 7
    assert here("pipeline-coordinate", "llama3-405b-16k", r="1000") == 13
    assert here("tensor-coordinate", "llama3-405b-16k", r="1000") == 0


def test_strides_are_the_sizes_of_the_faster_axes() -> None:
    assert here("context-stride", "llama3-405b-128k") == 8
    assert here("pipeline-stride", "llama3-405b-128k") == 8 * 16
    assert here("data-stride", "llama3-405b-128k") == 8 * 16 * 16


def test_without_a_word_on_the_order_it_is_megatrons_and_replicas_vary_faster_than_stages() -> None:
    mesh = {"t": "4", "c": "1", "d": "8", "p": "2"}
    for id_, by_default, stages_first in (("data-stride", 4, 8), ("pipeline-stride", 32, 4)):
        what = catalogue.get(id_)
        wanted = {n: text for n, text in mesh.items() if n in what.letters}
        for settings, stride in (
            (wanted, by_default),
            ({**wanted, "order": "tp-cp-pp-dp"}, stages_first),
        ):
            bound = bind(what, None, settings)
            assert value_of(what, bound.values) == stride
    assert here("data-stride", "gpt3-512") == 8
    assert here("pipeline-stride", "gpt3-512") == 8 * 8


def test_the_order_of_a_scenario_is_a_setting_like_others() -> None:
    assert here("pipeline-stride", "gpt3-512", order="tp-cp-pp-dp") == 8
    assert here("data-stride", "gpt3-512", order="TP-CP-EP-PP-DP") == 8 * 8
    assert here("data-stride", "llama3-405b-16k", order="tp-cp-ep-dp-pp") == 8
    for order in ("tp-dp-cp-pp", "tp-cp-dp", "tp-tp-cp-dp-pp", "", "tp cp dp pp"):
        for scenario in ("llama3-405b-128k", None):
            given = {"order": order}
            with pytest.raises(ScenarioError, match=r"order: .*found .*, expected tp-cp-ep-dp-pp"):
                bind(DATA_STRIDE, load_scenario(scenario, given) if scenario else None, given)


# --- groups and nodes ---------------------------------------------------------------------------


def test_llama_3_keeps_tensor_parallelism_inside_a_server_and_spreads_the_rest() -> None:
    assert here("tensor-group-nodes", "llama3-405b-16k") == 1
    assert here("pipeline-group-nodes", "llama3-405b-16k") == 16
    assert here("data-group-nodes", "llama3-405b-16k") == 128


def test_a_pipeline_of_four_stages_of_four_ranks_spans_two_nodes_where_stages_are_neighbours() -> None:
    assert here("pipeline-group-nodes", "llama3-70b-64") == 4
    assert here("pipeline-group-nodes", "llama3-70b-64", order="tp-cp-pp-dp") == 2
    assert here("data-group-nodes", "llama3-70b-64") == 2
    assert here("data-group-nodes", "llama3-70b-64", order="tp-cp-pp-dp") == 4


def test_a_group_of_neighbours_spans_as_few_nodes_as_it_fits() -> None:
    spans = [at("group-nodes", N=n, sigma=1, n_node=8) for n in (1, 2, 8, 9, 16, 17)]
    assert spans == [1, 1, 1, 2, 2, 3]
    assert at("group-nodes", N=4, sigma=100, n_node=8) == 4


def test_tensor_parallelism_stays_inside_a_node_up_to_its_devices() -> None:
    assert here("tensor-inside-node", "gpt3-512") == 8


def test_an_axis_of_eight_divides_512_ranks_into_64_groups() -> None:
    assert at("groups-of-an-axis", n=512, N=8) == 64


# --- the world ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scenario", "devices"),
    [
        ("llama3-8b-8", 8),
        ("llama3-70b-64", 64),
        ("gpt3-512", 512),
        ("gpt3-2048", 2048),
        ("moe-1024", 1024),
        ("deepseek-v3-2048", 2048),
        ("llama3-405b-16k", 16_384),  # The Llama 3 Herd of Models, table 4
        ("llama3-405b-128k", 16_384),
    ],
)
def test_the_degrees_of_every_scenario_multiply_to_its_devices(scenario: str, devices: int) -> None:
    assert here("world-size", scenario) == devices
    assert here("expert-world", scenario) == devices


def test_512_devices_leave_eight_replicas_of_eight_by_eight() -> None:
    assert at("data-parallel-degree", n=512, t=8, c=1, p=8) == 8


def test_the_seeds_1024_devices_are_those_of_its_experts_mesh() -> None:
    # TP 4 · PP 4 · EP 8 · DP 8: with EP inside DP the dense part has 64 replicas, each expert 8 copies
    assert here("expert-replicas", "moe-1024") == 8
    assert at("expert-world", t_e=4, e=8, d_e=8, p=4) == 1024
    assert here("gradient-group", "moe-1024") == 64
    assert here("experts-per-rank", "moe-1024") == 8


def test_read_as_dense_replicas_the_seeds_dp_of_8_makes_128_devices_and_no_copies_of_experts() -> None:
    assert at("world-size", t=4, c=1, p=4, d=8) == 128
    assert at("expert-replicas", t=4, c=1, d=8, t_e=4, e=8) == 1


def test_deepseek_v3_has_two_copies_of_each_expert() -> None:
    # How to Scale Your Model, chapter on GPUs: EP 64, PP 16, "2-way ZeRO-1 Data Parallelism"
    assert here("expert-replicas", "deepseek-v3-2048") == 2


def test_context_parallel_ranks_join_the_reduction_of_gradients() -> None:
    # Table 4, rows 2 and 3: DP 128 becomes CP 16 · DP 8, and the group stays as large
    assert here("gradient-group", "llama3-405b-16k") == here("gradient-group", "llama3-405b-128k") == 128


# --- what the degrees must meet -----------------------------------------------------------------


def test_126_layers_on_16_stages_are_eight_on_the_fullest() -> None:
    assert here("fullest-stage", "llama3-405b-16k") == 8
    assert here("fullest-stage", "gpt3-512") == 12


def test_layers_and_chunks_bound_the_stages() -> None:
    assert here("pipeline-depth-limit", "gpt3-512") == 48
    assert here("pipeline-depth-limit", "llama3-405b-16k") == 126


def test_micro_batches_follow_from_batch_and_replicas_alone() -> None:
    # The seed writes 128 = 8 PP · 8 DP · 2 virtual; its number is a batch of 1,024 over 8 replicas
    assert here("replica-microbatches", "gpt3-512") == 128
    assert here("replica-microbatches", "llama3-405b-16k") == 16  # table 4, batch size/DP


def test_heads_and_experts_are_not_split() -> None:
    assert here("heads-per-rank", "gpt3-512") == 12
    with pytest.raises(DoesNotApplyError, match="H to be divisible by t"):
        at("heads-per-rank", H=12, t=8)
    with pytest.raises(DoesNotApplyError, match="E to be divisible by e"):
        at("experts-per-rank", E=64, e=48)
