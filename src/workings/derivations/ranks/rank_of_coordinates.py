"""The rank that stands at given coordinates."""

from workings.derivation import derivation
from workings.derivations.ranks._mesh import (
    MOST,
    ON_THE_MESH,
    ORDER,
    ORDERED,
    PLACE,
    SIZES,
    sizes,
)
from workings.derivations.ranks._sources import MEGATRON_GROUPS
from workings.derivations.ranks.data_stride import DATA_STRIDE
from workings.derivations.ranks.pipeline_stride import PIPELINE_STRIDE
from workings.simulate.grid import rank_at
from workings.units import ONE


def look_it_up(
    t: int, c: int, p: int, d: int, o_d: int, i_t: int, i_c: int, i_p: int, i_d: int
) -> int | None:
    """All ranks dealt out in order; the one with these coordinates."""
    if t * c * p * d > MOST:
        return None
    return rank_at({"tp": i_t, "cp": i_c, "pp": i_p, "dp": i_d}, sizes(t, c, p, d, o_d))


RANK_OF_COORDINATES = derivation(
    "rank-of-coordinates",
    title="Rank that stands at given coordinates",
    unit=ONE,
    letters={**SIZES, **ORDER, **PLACE},
    uses={"sigma_d": DATA_STRIDE.at(), "sigma_p": PIPELINE_STRIDE.at()},
    given=ON_THE_MESH,
    source=MEGATRON_GROUPS,
    oracle=look_it_up,
    convention=f"Everything is counted from 0. {ORDERED}",
    chain="""
    R = sum(1, (i, 1, i_t)) + sum(t, (i, 1, i_c)) + sum(sigma_d, (i, 1, i_d)) + sum(sigma_p, (i, 1, i_p))
                    -- the ranks that come before it: on each axis as many strides as its place says
      = i_t + t*i_c + sigma_d*i_d + sigma_p*i_p                     -- equal strides
      = i_t + t*(i_c + c*(p^(1 - o_d)*i_d + d^o_d*i_p))             -- put the strides in
    """,
)
