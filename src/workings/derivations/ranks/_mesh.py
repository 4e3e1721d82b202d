"""The letters of a mesh of ranks, and the mesh laid out."""

from itertools import count

from workings.simulate.grid import coordinates, rank_at
from workings.vocabulary.layout import CP, DP, NODE_DEVICES, STAGES, TP
from workings.vocabulary.ranks import (
    CP_INDEX,
    DP_INDEX,
    LOCAL_INDEX,
    NODE_INDEX,
    PP_INDEX,
    TP_INDEX,
)

SIZES = {"t": TP, "c": CP, "p": STAGES, "d": DP}
PLACE = {"i_t": TP_INDEX, "i_c": CP_INDEX, "i_p": PP_INDEX, "i_d": DP_INDEX}
ON_THE_MESH = ("i_t < t", "i_c < c", "i_p < p", "i_d < d")
DEVICE = {"i_n": NODE_INDEX, "i_l": LOCAL_INDEX, "n_node": NODE_DEVICES}
ON_THE_NODE = ("i_l < n_node",)
MOST = 15_000  # ranks an oracle lays out


def sizes(t: int, c: int, p: int, d: int) -> dict[str, int]:
    """The axes in their order, the fastest first."""
    return {"tp": t, "cp": c, "pp": p, "dp": d}


def number_the_devices(i_n: int, i_l: int, n_node: int) -> int:
    """Devices numbered node after node; the number of this one."""
    places = ((node, local) for node in count() for local in range(n_node))
    return next(rank for rank, place in enumerate(places) if place == (i_n, i_l))


def place_of(device: tuple[int, int, int], t: int, c: int, p: int) -> dict[str, int]:
    """Where a device stands on a mesh with as many replicas as it takes to reach it."""
    rank = number_the_devices(*device)
    for d in count(1):
        if t * c * p * d > rank:
            return coordinates(rank, sizes(t, c, p, d))
    raise AssertionError("counting ended")


def steps_to_the_next(axis: str, t: int, c: int, p: int, d: int) -> int:
    """From the first rank of a mesh to the one that follows it on an axis, counted in ranks."""
    mesh = sizes(t, c, p, d)
    here = dict.fromkeys(mesh, 0)
    return rank_at({**here, axis: 1}, mesh) - rank_at(here, mesh)
