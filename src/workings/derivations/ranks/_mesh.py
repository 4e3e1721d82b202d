"""The letters of a mesh of ranks, and the mesh laid out."""

from itertools import count
from math import prod

from workings.simulate.grid import coordinates, rank_at
from workings.vocabulary.layout import CP, DP, NODE_DEVICES, STAGES, TP
from workings.vocabulary.ranks import (
    CP_INDEX,
    DP_BEFORE_PP,
    DP_INDEX,
    LOCAL_INDEX,
    NODE_INDEX,
    PP_INDEX,
    TP_INDEX,
)

ORDER = {"o_d": DP_BEFORE_PP}
SIZES = {"t": TP, "c": CP, "p": STAGES, "d": DP}
PLACE = {"i_t": TP_INDEX, "i_c": CP_INDEX, "i_p": PP_INDEX, "i_d": DP_INDEX}
ON_THE_MESH = ("i_t < t", "i_c < c", "i_p < p", "i_d < d")
DEVICE = {"i_n": NODE_INDEX, "i_l": LOCAL_INDEX, "n_node": NODE_DEVICES}
ON_THE_NODE = ("i_l < n_node",)
MOST = 15_000  # ranks an oracle lays out


ORDERED = (
    "`o_d` is 1 in the order tensor, context, data, pipeline, Megatron's default (tp-cp-ep-dp-pp), and 0 "
    "in tensor, context, pipeline, data, as in Llama 3 and under Megatron's --use-tp-pp-dp-mapping."
)


def sizes(t: int, c: int, p: int, d: int, o_d: int) -> dict[str, int]:
    """The axes in their order, the fastest first."""
    slow = {"dp": d, "pp": p} if o_d else {"pp": p, "dp": d}
    return {"tp": t, "cp": c, **slow}


def number_the_devices(i_n: int, i_l: int, n_node: int) -> int:
    """Devices numbered node after node; the number of this one."""
    places = ((node, local) for node in count() for local in range(n_node))
    return next(rank for rank, place in enumerate(places) if place == (i_n, i_l))


def place_on_the_fast_axes(device: tuple[int, int, int], t: int, c: int) -> dict[str, int]:
    """Where a device stands on a mesh with as many replicas as it takes to reach it."""
    rank = number_the_devices(*device)
    for d in count(1):
        if t * c * d > rank:
            return coordinates(rank, sizes(t, c, 1, d, 1))
    raise AssertionError("counting ended")


def place_of(device: tuple[int, int, int], mesh: dict[str, int]) -> dict[str, int] | None:
    """Where a device of the mesh stands; None where the mesh is too large to lay out."""
    too_large = prod(mesh.values()) > MOST
    return None if too_large else coordinates(number_the_devices(*device), mesh)


def steps_to_the_next(axis: str, mesh: dict[str, int]) -> int | None:
    """From the first rank of a mesh to the one that follows it on an axis, counted in ranks."""
    mesh = {**mesh, axis: 2}
    if prod(mesh.values()) > MOST:
        return None
    here = dict.fromkeys(mesh, 0)
    return rank_at({**here, axis: 1}, mesh) - rank_at(here, mesh)
