"""Place of a rank in its context-parallel group."""

from workings.derivation import derivation
from workings.derivations.ranks._mesh import DEVICE, place_on_the_fast_axes
from workings.derivations.ranks._sources import MEGATRON_GROUPS
from workings.derivations.ranks.device_rank import DEVICE_RANK
from workings.units import ONE
from workings.vocabulary.layout import CP, TP


def read_the_second_wheel(i_n: int, i_l: int, n_node: int, t: int, c: int) -> int:
    """Ranks dealt out in order until this one; its place on the second axis."""
    return place_on_the_fast_axes((i_n, i_l, n_node), t, c)["cp"]


CONTEXT_COORDINATE = derivation(
    "context-coordinate",
    title="Place of a rank in its context-parallel group",
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
