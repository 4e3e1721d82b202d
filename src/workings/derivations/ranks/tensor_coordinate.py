"""Place of a rank in its tensor-parallel group."""

from workings.derivation import derivation
from workings.derivations.ranks._mesh import DEVICE, place_on_the_fast_axes
from workings.derivations.ranks._sources import MEGATRON_GROUPS
from workings.derivations.ranks.device_rank import DEVICE_RANK
from workings.units import ONE
from workings.vocabulary.layout import TP


def read_the_first_wheel(i_n: int, i_l: int, n_node: int, t: int) -> int:
    """Ranks dealt out in order until this one; its place on the fastest axis."""
    return place_on_the_fast_axes((i_n, i_l, n_node), t, 1)["tp"]


TENSOR_COORDINATE = derivation(
    "tensor-coordinate",
    title="Place of a rank in its tensor-parallel group",
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
