"""All that data parallelism moves at once in a model with experts."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.hierarchy._expert_gradients import CONVENTION, GIVEN
from workings.derivations.hierarchy._letters import PEAK
from workings.derivations.hierarchy._sources import MEGATRON_EXPERTS
from workings.derivations.hierarchy.moe_dp_bandwidth_need import (
    MOE_DP_BANDWIDTH_NEED,
    STEP,
    reduce_both_within_a_step,
)
from workings.simulate.grid import lay_out
from workings.units import BYTE, SECOND
from workings.vocabulary.kinds import EXPERT_BLOCKS, WITHOUT_LATENT


def add_up_every_rank_with_experts(**letters: Any) -> Fraction | None:
    """The mesh laid out; what each of its ranks sends, added up."""
    axes = {"tp": letters["t"], "cp": letters["c"], "pp": letters["p"], "dp": letters["d"]}
    each = reduce_both_within_a_step(**letters)
    if each is None or letters["t"] * letters["c"] * letters["p"] * letters["d"] > 4_000:
        return None
    return sum((each for _ in lay_out(axes)), Fraction(0))


MOE_DP_AGGREGATE_BANDWIDTH = derivation(
    "moe-dp-aggregate-bandwidth",
    title="Bandwidth of data parallelism with experts, averaged over a step, of all ranks together",
    unit=BYTE / SECOND,
    letters=STEP,
    uses={"W_dpx": MOE_DP_BANDWIDTH_NEED.at()},
    given=(*GIVEN, "p divides m", "L_E >= v"),
    source=MEGATRON_EXPERTS,
    oracle=add_up_every_rank_with_experts,
    convention=f"{CONVENTION} {PEAK}",
    holds_for={EXPERT_BLOCKS: "dp-aggregate-bandwidth", WITHOUT_LATENT: ""},
    chain="""
    W_sumx = sum(sum(W_dpx, (i, 1, c*d)), (j, 1, t*p))     -- groups of `c*d` ranks, `t*p` of them
      = t*c*p*d*W_dpx                                      -- equal ranks
    """,
)
