"""The letters of a mesh of ranks, and the mesh laid out."""

from itertools import count
from math import prod

from workings.vocabulary.layout import CP, DP, NODE_DEVICES, STAGES, TP
from workings.vocabulary.ranks import DP_BEFORE_PP, LOCAL_INDEX, NODE_INDEX

ORDER = {"o_d": DP_BEFORE_PP}
SIZES = {"t": TP, "c": CP, "p": STAGES, "d": DP}
DEVICE = {"i_n": NODE_INDEX, "i_l": LOCAL_INDEX, "n_node": NODE_DEVICES}
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


def too_large(mesh: dict[str, int]) -> bool:
    """Whether a mesh has more ranks than an oracle lays out."""
    return prod(mesh.values()) > MOST
