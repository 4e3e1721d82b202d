"""The rank that stands at given coordinates."""

from workings.derivation import derivation
from workings.derivations.ranks._mesh import MOST, ON_THE_MESH, PLACE, SIZES, sizes
from workings.derivations.ranks._sources import LLAMA3_MESH
from workings.simulate.grid import rank_at
from workings.units import ONE


def look_it_up(t: int, c: int, p: int, d: int, i_t: int, i_c: int, i_p: int, i_d: int) -> int | None:
    """All ranks dealt out in order; the one with these coordinates."""
    if t * c * p * d > MOST:
        return None
    return rank_at({"tp": i_t, "cp": i_c, "pp": i_p, "dp": i_d}, sizes(t, c, p, d))


RANK_OF_COORDINATES = derivation(
    "rank-of-coordinates",
    title="Rank that stands at given coordinates",
    unit=ONE,
    letters={**SIZES, **PLACE},
    given=ON_THE_MESH,
    source=LLAMA3_MESH,
    oracle=look_it_up,
    convention="Everything is counted from 0; the order is [TP, CP, PP, DP], the first varies fastest.",
    chain="""
    R = i_d*(t*c*p) + i_p*(t*c) + i_c*t + i_t    -- the ranks that come before it
      = i_t + i_c*t + i_p*(t*c) + i_d*(t*c*p)    -- the fastest axis first
      = i_t + t*(i_c + c*(i_p + p*i_d))          -- nested: digits of a number in mixed bases
    """,
)
