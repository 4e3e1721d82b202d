"""Place of a rank in its group along any axis."""

from workings.derivation import derivation
from workings.derivations.ranks._mesh import DEVICE, number_the_devices
from workings.derivations.ranks._sources import MEGATRON_GROUPS
from workings.derivations.ranks.device_rank import DEVICE_RANK
from workings.simulate.grid import coordinates
from workings.units import ONE
from workings.vocabulary.collectives import GROUP
from workings.vocabulary.ranks import SLOWER, STRIDE


def read_the_wheel(i_n: int, i_l: int, n_node: int, N: int, sigma: int, n_s: int) -> int:
    """Ranks dealt out over what varies faster, this axis and the rest; its place on this axis."""
    rank = number_the_devices(i_n, i_l, n_node)
    return coordinates(rank, {"faster": sigma, "here": N, "slower": n_s})["here"]


AXIS_COORDINATE = derivation(
    "axis-coordinate",
    title="Place of a rank in its group along an axis",
    unit=ONE,
    letters={**DEVICE, "N": GROUP, "sigma": STRIDE, "n_s": SLOWER},
    uses={"r": DEVICE_RANK.at()},
    given=("r < N*sigma*n_s",),
    source=MEGATRON_GROUPS,
    oracle=read_the_wheel,
    convention="Places are counted from 0; members of a group are one stride apart.",
    chain="""
    j = floor((r - N*sigma*floor(r/(N*sigma)))/sigma)
                               -- within its block of `N*sigma` ranks, in steps of `sigma`
      = floor(r/sigma - N*floor(r/(N*sigma)))     -- divide by `sigma`
      = floor(r/sigma) - N*floor(r/(N*sigma))     -- a whole number may leave the floor
    """,
)
