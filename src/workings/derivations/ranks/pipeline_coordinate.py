"""Pipeline stage of a rank."""

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
    return place["pp"] if place else None


PIPELINE_COORDINATE = derivation(
    "pipeline-coordinate",
    title="Pipeline stage of a rank",
    unit=ONE,
    letters={**DEVICE, **SIZES, **ORDER},
    uses={"j": AXIS_COORDINATE.at(N="p", sigma="t*c*d^o_d", n_s="d^(1 - o_d)")},
    source=MEGATRON_GROUPS,
    oracle=read_its_wheel,
    convention=f"Places are counted from 0. {ORDERED}",
    chain="""
    j_p = j         -- its group has `p` members, `t*c*d^o_d` ranks apart
    """,
)
