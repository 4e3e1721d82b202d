"""Bandwidth of groups: ranks put on nodes and pods, their messages timed on the ports these share."""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, product

import pytest
from awkward import Letter, Values, awkward
from grouped import GROUPS, groups
from looping import each

ORDERS = (1, 0)  # replicas vary faster than stages, or stages faster
REACHED = {"W_1": "eta_1", "W_2": "eta_2", "W_3": "eta_2"}
Message = tuple[int, int, Fraction]


def messages(v: Values, axis: str) -> Iterator[Message]:
    """Sender, receiver and size, such that each rank that sends sends one byte in all."""
    for ranks in groups(v, axis):
        following = [*ranks[1:], ranks[0]]
        if len(ranks) == 1:
            continue
        if GROUPS[axis][2] == "ring":
            yield from ((one, other, Fraction(1)) for one, other in zip(ranks, following, strict=True))
        else:
            for one in ranks:
                others = [other for other in ranks if other != one]
                yield from ((one, other, Fraction(1, len(others))) for other in others)


def seconds_of(v: Values, sent: list[Message], pooled: bool) -> list[Fraction]:
    """How long each message takes, all on their way at once; the busiest port on it decides.

    A port is a device's share of what leaves a node or a pod. `pooled`: a node's ports serve whatever
    leaves it; a pod's always do.
    """
    load = defaultdict[tuple[str, int], Fraction](Fraction)
    for message in sent:
        for port in ports(v, message, pooled):
            load[port] += message[2]
    many = {"W_1": 1, "W_2": v["n_node"] if pooled else 1, "W_3": v["n_pod"]}
    speed = {tier: many[tier] * v[tier] * v[REACHED[tier]] for tier in many}
    return [max(load[port] / speed[port[0]] for port in ports(v, message, pooled)) for message in sent]


def ports(v: Values, message: Message, pooled: bool) -> Iterator[tuple[str, int]]:
    """What a message goes through, by tier: its device's link, a way out of its node, one of its pod."""
    one, other, _ = message
    node, pod = int(v["n_node"]), int(v["n_pod"])
    yield "W_1", one
    if one // node != other // node:
        yield "W_2", one // node if pooled else one
    if one // pod != other // pod:
        yield "W_3", one // pod


def bandwidth(v: Values, axis: str) -> Fraction:
    """What a rank sends in a second, the groups of all ranks at work."""
    sent = list(messages(v, axis))
    if not sent:
        return v["eta_1"] * v["W_1"]
    pooled = GROUPS[axis][2] == "ring"
    total = defaultdict[int, Fraction](Fraction)
    for message in sent:
        total[message[0]] += message[2]
    assert set(total.values()) == {1}
    return 1 / max(seconds_of(v, sent, pooled))


SPEEDS: dict[str, dict[str, Letter]] = {
    "ever slower": {"W_1": 37 * 10**6, "W_2": 10**6, "W_3": 3 * 10**4},
    "ports faster than links": {"W_1": 10**6, "W_2": 7 * 10**5, "W_3": 5 * 10**5},
    "pods slow only": {"W_1": 10**6, "W_2": 10**6, "W_3": 10**3},
    "links slow only": {"W_1": 10**2, "W_2": 10**5, "W_3": 10**6},
}
ALONE = {"t": 1, "c": 1, "p": 1, "v": 1, "e": 1, "t_e": 1, "z_s": 0}
SHAPES: dict[str, dict[str, Letter]] = {
    "groups in nodes": {"t": 4, "c": 2, "p": 4, "e": 2, "t_e": 4, "n": 64, "n_node": 8, "n_pod": 32},
    "groups as large as nodes": {"t": 8, "c": 2, "p": 2, "e": 8, "n": 64, "n_node": 8, "n_pod": 16},
    "groups across nodes": {"t": 16, "c": 4, "p": 2, "e": 8, "t_e": 4, "n": 256, "n_node": 8,
                            "n_pod": 64},
    "groups across pods": {"t": 2, "c": 16, "p": 4, "e": 8, "t_e": 4, "n": 256, "n_node": 4,
                           "n_pod": 16},
    "pods of a node": {"t": 8, "c": 4, "p": 4, "e": 4, "t_e": 2, "n": 128, "n_node": 4, "n_pod": 4},
    "a device a node": {"t": 2, "c": 2, "p": 2, "e": 2, "t_e": 2, "n": 16, "n_node": 1, "n_pod": 2},
    "a device a pod": {"t": 2, "c": 2, "p": 2, "e": 2, "n": 16, "n_node": 1, "n_pod": 1},
    "replicas only": {"n": 64, "n_node": 8, "n_pod": 16},
    "experts on all": {"e": 64, "n": 64, "n_node": 8, "n_pod": 16},
    "stages only": {"p": 32, "n": 32, "n_node": 4, "n_pod": 8},
    "a tensor group on all": {"t": 64, "n": 64, "n_node": 4, "n_pod": 16},
    "a context group on all": {"c": 64, "t_e": 64, "n": 64, "n_node": 4, "n_pod": 16},
    "all in one node": {"t": 2, "c": 2, "e": 2, "t_e": 2, "n": 8, "n_node": 8, "n_pod": 8},
    "stages of one node": {"t": 2, "c": 2, "p": 2, "e": 2, "n": 8, "n_node": 8, "n_pod": 8},
    "all in one pod": {"t": 2, "c": 2, "p": 2, "e": 2, "t_e": 2, "n": 16, "n_node": 8, "n_pod": 16},
    "experts of a pod": {"e": 8, "n": 16, "n_node": 4, "n_pod": 8},
    "experts split over pods": {"t": 8, "e": 4, "t_e": 8, "n": 64, "n_node": 2, "n_pod": 4},
    "two contexts": {"c": 2, "n": 2, "n_node": 1, "n_pod": 1},
    "two expert ranks": {"e": 2, "n": 2, "n_node": 1, "n_pod": 1},
    "two stages": {"p": 2, "n": 2, "n_node": 1, "n_pod": 1},
    "groups over the edges of nodes": {"t": 6, "c": 2, "n": 48, "n_node": 8, "n_pod": 48},
    "a group on a part of a node": {"t": 6, "n": 6, "n_node": 8, "n_pod": 48},
    "one of each": {"n": 1, "n_node": 8, "n_pod": 8},
}  # fmt: skip


@each("speeds", SPEEDS)
@each("shape", [shape for shape in SHAPES if "edges" not in shape])
def test_groups_are_as_fast_as_their_busiest_port(shape: str, speeds: str) -> None:
    for order in ORDERS:
        v = awkward(**{**ALONE, **SHAPES[shape], **SPEEDS[speeds], "o_d": order})
        assert {axis: v[f"W_{axis}"] for axis in GROUPS} == {axis: bandwidth(v, axis) for axis in GROUPS}


def from_both_ends(**changed: Letter) -> dict[str, Fraction]:
    """A job under DualPipe, of two micro-batches a stage."""
    replicas = int(changed["n"]) // (int(changed["t"]) * int(changed["c"]) * int(changed["p"]))
    found = awkward(**changed, z_bi=1, b_m=1, b=2 * int(changed["p"]) * replicas)
    assert found["x_bi"] == 1
    return found


MIRRORED: dict[str, dict[str, Letter]] = {
    **{name: shape for name, shape in SHAPES.items() if shape.get("p", 1) != 1},
    "two stages a node": {"p": 4, "e": 2, "n": 16, "n_node": 8, "n_pod": 16},
    "four replicas a node": {"t": 2, "p": 4, "e": 4, "n": 128, "n_node": 32, "n_pod": 64},
    "half a pipeline a node": {
        "t": 2,
        "c": 2,
        "p": 4,
        "e": 2,
        "t_e": 2,
        "n": 32,
        "n_node": 8,
        "n_pod": 16,
    },
}


@each("speeds", SPEEDS)
@each("shape", MIRRORED)
def test_ranks_that_hold_a_stage_and_its_mirror_image_share_over_their_busiest_port(
    shape: str, speeds: str
) -> None:
    for order in ORDERS:
        v = from_both_ends(**{**ALONE, **MIRRORED[shape], **SPEEDS[speeds], "o_d": order})
        for axis in ("d", "x"):
            assert v[f"W_{axis}"] == bandwidth(v, axis)
            for letter, place in (("q", "n_node"), ("y", "n_pod")):
                apart = any(len({rank // v[place] for rank in ranks}) > 1 for ranks in groups(v, axis))
                assert v[f"{letter}_{axis}"] == apart


@pytest.mark.parametrize("shape", SHAPES)
def test_a_group_leaves_a_node_or_pod_where_two_of_its_ranks_lie_in_two(shape: str) -> None:
    for order, letter in product(ORDERS, ("q", "y")):
        v = awkward(**{**ALONE, **SHAPES[shape], "o_d": order})
        size = v[{"q": "n_node", "y": "n_pod"}[letter]]
        apart = {
            axis: any(len({rank // size for rank in ranks}) > 1 for ranks in groups(v, axis))
            for axis in GROUPS
        }
        assert {axis: v[f"{letter}_{axis}"] for axis in GROUPS} == apart


def ways(v: Values) -> list[list[tuple[int, int]]]:
    """Every pipeline's boundaries, from chunk to chunk: the ranks before and behind each."""
    found = []
    for ranks in groups(v, "p"):
        way = [rank for _ in range(int(v["v"])) for rank in ranks]
        found.append(list(pairwise(way)))
    return found


CHUNKED: dict[str, dict[str, Letter]] = {
    "three chunks in nodes": {"p": 8, "v": 3, "n": 8, "n_node": 8, "n_pod": 8},
    "three chunks over nodes": {"t": 2, "p": 8, "v": 3, "n": 32, "n_node": 8, "n_pod": 32},
    "three chunks over pods": {"t": 2, "p": 8, "v": 3, "n": 64, "n_node": 8, "n_pod": 24},
    "two chunks, stages of nodes": {"t": 8, "p": 16, "v": 2, "n": 512, "n_node": 8, "n_pod": 96},
    "a part of a pod": {"p": 5, "n": 20, "n_node": 4, "n_pod": 16},
    "stages that pods cut": {"t": 5, "p": 12, "n": 120, "n_node": 2, "n_pod": 24},
}
LAID = {**SHAPES, **CHUNKED}


@pytest.mark.parametrize("shape", LAID)
def test_boundaries_that_leave_a_node_or_pod_are_counted_on_a_micro_batch_s_way(shape: str) -> None:
    for order, letter in product(ORDERS, ("q", "y")):
        v = awkward(**{**ALONE, **LAID[shape], "o_d": order})
        size = v[{"q": "n_node", "y": "n_pod"}[letter]]
        left = [sum(one // size != other // size for one, other in way) for way in ways(v)]
        assert v[f"x_{letter}"] * (v["p"] * v["v"] - 1) == max(left)
        assert v[f"{letter}_p"] == (max(left) > 0)


@each("speeds", SPEEDS)
@each("shape", [shape for shape in LAID if LAID[shape].get("p", 1) != 1])
def test_a_micro_batch_s_way_takes_the_time_of_all_its_messages(shape: str, speeds: str) -> None:
    for order in ORDERS:
        v = awkward(**{**ALONE, **LAID[shape], **SPEEDS[speeds], "o_d": order})
        ranks = sorted((v["n_pod"], v["p"] * v["sigma_p"]))
        if order or not ranks[1] % ranks[0]:  # as the statement of W_y assumes
            _of_all_messages(v)


def _of_all_messages(v: Values) -> None:
    size = v["T_r"] / v["t"] * v["D"] * v["a"]
    sent = [(one, other, size) for one, other in {pair for way in ways(v) for pair in way}]
    takes = {}
    for (one, other, _), seconds in zip(sent, seconds_of(v, sent, pooled=False), strict=True):
        apart = one // v["n_node"] != other // v["n_node"]
        takes[one, other] = seconds + (v["alpha_2"] if apart else v["alpha_1"])
    longest = max(sum(takes[pair] for pair in way) for way in ways(v))
    assert v["T_hop"] * (v["p"] * v["v"] - 1) == longest
    assert v["T_far"] == max(takes.values())
    start = v["x_q"] * v["alpha_2"] + (1 - v["x_q"]) * v["alpha_1"]
    assert v["T_hop"] == start + size / v["W_p"]
