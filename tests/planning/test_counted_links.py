"""Bandwidth of groups: ranks put on nodes and pods, their messages timed on the ports these share."""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

import pytest
from awkward import Letter, Values, awkward, mesh

DENSE, ROUTED = ("t", "c", "d", "p"), ("t_e", "e", "d_e", "p")
# What varies within a group, on which mesh, and how its ranks send.
GROUPS = {
    "t": (DENSE, ("t",), "ring"), "c": (DENSE, ("c",), "ring"), "d": (DENSE, ("c", "d"), "ring"),
    "e": (ROUTED, ("e",), "all-to-all"), "x": (ROUTED, ("d_e",), "ring"),
    "p": (DENSE, ("p",), "boundary"),
}  # fmt: skip
Message = tuple[int, int, Fraction]


def groups(v: Values, axis: str) -> list[list[int]]:
    """The ranks of each group in order; a rank's number is its place in the cluster."""
    axes, within, _ = GROUPS[axis]
    found: dict[tuple[int, ...], list[int]] = {}
    for rank, place in enumerate(mesh(v, *axes)):
        found.setdefault(tuple(place[a] for a in axes if a not in within), []).append(rank)
    return list(found.values())


def messages(v: Values, axis: str) -> Iterator[Message]:
    """Sender, receiver and size, such that each rank that sends sends one byte in all."""
    for ranks in groups(v, axis):
        following = [*ranks[1:], ranks[0]]
        if len(ranks) == 1:
            continue
        if GROUPS[axis][2] == "ring":
            yield from ((one, other, Fraction(1)) for one, other in zip(ranks, following, strict=True))
        elif GROUPS[axis][2] == "boundary":
            yield from ((one, other, Fraction(1)) for one, other in pairwise(ranks))
        else:
            for one in ranks:
                others = [other for other in ranks if other != one]
                yield from ((one, other, Fraction(1, len(others))) for other in others)


def seconds_a_byte(v: Values, sent: list[Message], pooled: bool) -> Fraction:
    """When the last byte has left; `pooled`: a node's ports serve whatever leaves it.

    A pod's ports always do. A port is a device's share of what leaves a node or a pod.
    """
    load = {tier: defaultdict[int, Fraction](Fraction) for tier in ("W_1", "W_2", "W_3")}
    node, pod = int(v["n_node"]), int(v["n_pod"])
    for one, other, size in sent:
        load["W_1"][one] += size
        if one // node != other // node:
            load["W_2"][one // node if pooled else one] += size
        if one // pod != other // pod:
            load["W_3"][one // pod] += size
    ports = {"W_1": 1, "W_2": node if pooled else 1, "W_3": pod}
    busiest = {tier: max(loads.values(), default=Fraction(0)) for tier, loads in load.items()}
    return max(busiest[tier] / (ports[tier] * v[tier]) for tier in load)


def bandwidth(v: Values, axis: str) -> Fraction:
    """What a rank sends in a second, the groups of all ranks at work."""
    sent = list(messages(v, axis))
    if not sent:
        return v["eta_w"] * v["W_1"]
    return v["eta_w"] / seconds_a_byte(v, sent, pooled=GROUPS[axis][2] == "ring")


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


@pytest.mark.parametrize("speeds", SPEEDS)
@pytest.mark.parametrize("shape", [shape for shape in SHAPES if "edges" not in shape])
def test_groups_are_as_fast_as_their_busiest_port(shape: str, speeds: str) -> None:
    v = awkward(**{**ALONE, **SHAPES[shape], **SPEEDS[speeds]})
    assert {axis: v[f"W_{axis}"] for axis in GROUPS} == {axis: bandwidth(v, axis) for axis in GROUPS}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_group_leaves_a_node_or_pod_where_two_of_its_ranks_lie_in_two(shape: str) -> None:
    v = awkward(**{**ALONE, **SHAPES[shape]})
    for letter, size in (("q", v["n_node"]), ("y", v["n_pod"])):
        apart = {
            axis: any(len({rank // size for rank in ranks}) > 1 for ranks in groups(v, axis))
            for axis in GROUPS
        }
        assert {axis: v[f"{letter}_{axis}"] for axis in GROUPS} == apart
