"""All that data parallelism moves at once."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.hierarchy._letters import PEAK, STAGE, TIMED
from workings.derivations.hierarchy._sources import MEGATRON_DATA
from workings.derivations.hierarchy.dp_bandwidth_need import DP_BANDWIDTH_NEED, reduce_within_a_step
from workings.simulate.grid import lay_out
from workings.units import BYTE, SECOND
from workings.vocabulary.kinds import WITHOUT_EXPERTS
from workings.vocabulary.layout import DP, VIRTUAL_STAGES
from workings.vocabulary.training import MICROBATCHES, REDUCE_WIDTH


def add_up_every_rank(c: int, t: int, p: int, d: int, **sizes: Any) -> Fraction | None:
    """The mesh laid out; what each of its ranks sends, added up."""
    if c * t * p * d > 4_000:
        return None
    each = reduce_within_a_step(c=c, t=t, p=p, d=d, **sizes)
    ranks = lay_out({"tp": t, "cp": c, "pp": p, "dp": d})
    return None if each is None else sum((each for _ in ranks), Fraction(0))


DP_AGGREGATE_BANDWIDTH = derivation(
    "dp-aggregate-bandwidth",
    title="Bandwidth of data parallelism, averaged over a step, of all ranks together",
    unit=BYTE / SECOND,
    letters={
        **TIMED,
        **STAGE,
        "v": VIRTUAL_STAGES,
        "m": MICROBATCHES,
        "d": DP,
        "g": REDUCE_WIDTH,
    },
    uses={"W_dp": DP_BANDWIDTH_NEED.at()},
    given=("p divides m", "c*t divides s", "t divides H", "t divides K", "t divides F", "L >= p*v"),
    source=MEGATRON_DATA,
    oracle=add_up_every_rank,
    convention=f"One way. {PEAK}",
    holds_for={WITHOUT_EXPERTS: "moe-dp-aggregate-bandwidth"},
    chain="""
    W_sum = sum(sum(W_dp, (i, 1, c*d)), (j, 1, t*p))     -- groups of `c*d` ranks, `t*p` of them
      = sum(c*d*W_dp, (j, 1, t*p))                       -- equal ranks
      = t*c*p*d*W_dp                                     -- equal groups
    """,
)
