"""Places in the groups."""

from itertools import count
from math import prod

from workings.derivation import derivation
from workings.derivations.ranks._mesh import (
    DEVICE,
    MOST,
    ORDER,
    ORDERED,
    SIZES,
    number_the_devices,
    sizes,
)
from workings.derivations.ranks._sources import MEGATRON_GROUPS
from workings.derivations.ranks.numbering import AXIS_COORDINATE, DEVICE_RANK
from workings.simulate.grid import coordinates
from workings.units import ONE
from workings.vocabulary.layout import CP, TP


def place_on_the_fast_axes(device: tuple[int, int, int], t: int, c: int) -> dict[str, int]:
    """Where a device stands on a mesh with as many replicas as it takes to reach it."""
    rank = number_the_devices(*device)
    for d in count(1):
        if t * c * d > rank:
            return coordinates(rank, sizes(t, c, 1, d, 1))
    raise AssertionError("counting ended")


def read_the_first_wheel(i_n: int, i_l: int, n_node: int, t: int) -> int:
    """Ranks dealt out in order until this one; its place on the fastest axis."""
    return place_on_the_fast_axes((i_n, i_l, n_node), t, 1)["tp"]


TENSOR_COORDINATE = derivation(
    "tensor-coordinate",
    title="Place of a rank in its tensor-parallel group",
    phrases="TP rank index; rank mod tp",
    unit=ONE,
    letters={**DEVICE, "t": TP},
    uses={"r": DEVICE_RANK.at()},
    source=MEGATRON_GROUPS,
    oracle=read_the_first_wheel,
    convention="Tensor parallelism varies fastest; places are counted from 0.",
    chain="""
    j_t = r - t*floor(r/t)             -- what is left after all whole groups of `t` before it
      = t*(r/t - floor(r/t))           -- the remainder of `r` by `t`
    """,
)


def read_the_second_wheel(i_n: int, i_l: int, n_node: int, t: int, c: int) -> int:
    """Ranks dealt out in order until this one; its place on the second axis."""
    return place_on_the_fast_axes((i_n, i_l, n_node), t, c)["cp"]


CONTEXT_COORDINATE = derivation(
    "context-coordinate",
    title="Place of a rank in its context-parallel group",
    phrases="CP rank index; position in CP group",
    unit=ONE,
    letters={**DEVICE, "t": TP, "c": CP},
    uses={"r": DEVICE_RANK.at()},
    source=MEGATRON_GROUPS,
    oracle=read_the_second_wheel,
    convention="Tensor parallelism varies fastest and context parallelism next; places are "
    "counted from 0.",
    chain="""
    j_c = floor((r - t*c*floor(r/(t*c)))/t)       -- within its block of `t*c` ranks, in steps of `t`
      = floor(r/t - c*floor(r/(t*c)))             -- divide by `t`
      = floor(r/t) - c*floor(r/(t*c))             -- a whole number may leave the floor
    """,
)


def place_of(device: tuple[int, int, int], mesh: dict[str, int]) -> dict[str, int] | None:
    """Where a device of the mesh stands; None where the mesh is too large to lay out."""
    too_large = prod(mesh.values()) > MOST
    return None if too_large else coordinates(number_the_devices(*device), mesh)


def read_its_wheel(
    i_n: int, i_l: int, n_node: int, t: int, c: int, p: int, d: int, o_d: int
) -> int | None:
    """Ranks dealt out in order; the place on this axis of the one on this device."""
    place = place_of((i_n, i_l, n_node), sizes(t, c, p, d, o_d))
    return place["dp"] if place else None


DATA_COORDINATE = derivation(
    "data-coordinate",
    title="Place of a rank in its data-parallel group",
    phrases="DP rank index; position in DP group",
    unit=ONE,
    letters={**DEVICE, **SIZES, **ORDER},
    uses={"j": AXIS_COORDINATE.at(N="d", sigma="t*c*p^(1 - o_d)", n_s="p^o_d")},
    source=MEGATRON_GROUPS,
    oracle=read_its_wheel,
    convention=f"Places are counted from 0. {ORDERED}",
    chain="""
    j_d = j         -- its group has `d` members, `t*c*p^(1 - o_d)` ranks apart
    """,
)


def read_its_wheel_of_pipeline_coordinate(
    i_n: int, i_l: int, n_node: int, t: int, c: int, p: int, d: int, o_d: int
) -> int | None:
    """Ranks dealt out in order; the place on this axis of the one on this device."""
    place = place_of((i_n, i_l, n_node), sizes(t, c, p, d, o_d))
    return place["pp"] if place else None


PIPELINE_COORDINATE = derivation(
    "pipeline-coordinate",
    title="Pipeline stage of a rank",
    phrases="PP rank index; stage id of a rank",
    unit=ONE,
    letters={**DEVICE, **SIZES, **ORDER},
    uses={"j": AXIS_COORDINATE.at(N="p", sigma="t*c*d^o_d", n_s="d^(1 - o_d)")},
    source=MEGATRON_GROUPS,
    oracle=read_its_wheel_of_pipeline_coordinate,
    convention=f"Places are counted from 0. {ORDERED}",
    chain="""
    j_p = j         -- its group has `p` members, `t*c*d^o_d` ranks apart
    """,
)
