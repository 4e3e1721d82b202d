"""Place of a rank in its data-parallel group."""

from workings.derivation import derivation
from workings.derivations.ranks._mesh import DEVICE, ORDER, ORDERED, SIZES, place_of, sizes
from workings.derivations.ranks._sources import MEGATRON_GROUPS
from workings.derivations.ranks.axis_coordinate import AXIS_COORDINATE
from workings.units import ONE


def read_its_wheel(
    i_n: int, i_l: int, n_node: int, t: int, c: int, p: int, d: int, o_d: int
) -> int | None:
    """Ranks dealt out in order; the place on this axis of the one on this device."""
    place = place_of((i_n, i_l, n_node), sizes(t, c, p, d, o_d))
    return place["dp"] if place else None


DATA_COORDINATE = derivation(
    "data-coordinate",
    title="Place of a rank in its data-parallel group",
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
