"""Place of a rank in its data-parallel group."""

from workings.derivation import derivation
from workings.derivations.ranks._mesh import DEVICE, place_of
from workings.derivations.ranks._sources import MEGATRON_GROUPS
from workings.derivations.ranks.device_rank import DEVICE_RANK
from workings.units import ONE
from workings.vocabulary.layout import CP, STAGES, TP


def read_the_last_wheel(i_n: int, i_l: int, n_node: int, t: int, c: int, p: int) -> int:
    """Ranks dealt out in order until this one; its place on the slowest axis."""
    return place_of((i_n, i_l, n_node), t, c, p)["dp"]


DATA_COORDINATE = derivation(
    "data-coordinate",
    title="Place of a rank in its data-parallel group",
    unit=ONE,
    letters={**DEVICE, "t": TP, "c": CP, "p": STAGES},
    uses={"r": DEVICE_RANK.at()},
    source=MEGATRON_GROUPS,
    oracle=read_the_last_wheel,
    convention="Order [TP, CP, PP, DP], counted from 0.",
    chain="""
    j_d = floor((r/(t*c))/p)      -- stages of `t*c` ranks before it, `p` to a replica, whole ones only
      = floor(r/(t*c*p))          -- the slowest axis needs no remainder
    """,
)
