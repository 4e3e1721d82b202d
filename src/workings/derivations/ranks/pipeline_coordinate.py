"""Pipeline stage of a rank."""

from workings.derivation import derivation
from workings.derivations.ranks._mesh import DEVICE, place_of
from workings.derivations.ranks._sources import MEGATRON_GROUPS
from workings.derivations.ranks.device_rank import DEVICE_RANK
from workings.units import ONE
from workings.vocabulary.layout import CP, STAGES, TP


def read_the_third_wheel(i_n: int, i_l: int, n_node: int, t: int, c: int, p: int) -> int:
    """Ranks dealt out in order until this one; its place on the third axis."""
    return place_of((i_n, i_l, n_node), t, c, p)["pp"]


PIPELINE_COORDINATE = derivation(
    "pipeline-coordinate",
    title="Pipeline stage of a rank",
    unit=ONE,
    letters={**DEVICE, "t": TP, "c": CP, "p": STAGES},
    uses={"r": DEVICE_RANK.at()},
    source=MEGATRON_GROUPS,
    oracle=read_the_third_wheel,
    convention="Order [TP, CP, PP, DP], counted from 0.",
    chain="""
    j_p = floor((r - t*c*p*floor(r/(t*c*p)))/(t*c))
                                       -- within its replica of `t*c*p` ranks, in steps of `t*c`
      = floor(r/(t*c) - p*floor(r/(t*c*p)))       -- divide by `t*c`
      = floor(r/(t*c)) - p*floor(r/(t*c*p))       -- a whole number may leave the floor
    """,
)
