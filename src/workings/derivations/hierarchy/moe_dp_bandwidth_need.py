"""Bandwidth that the gradients of a model with experts need, spread over a step."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.hierarchy._expert_gradients import (
    CONVENTION,
    GIVEN,
    LETTERS,
    USES,
    reduce_both_parts,
)
from workings.derivations.hierarchy._expert_work import expert_block
from workings.derivations.hierarchy._letters import PEAK
from workings.derivations.hierarchy._sources import MEGATRON_EXPERTS
from workings.derivations.hierarchy._work import duration
from workings.derivations.pipeline.interleaved import deal_out_chunks
from workings.simulate.interleaved import interleaved
from workings.units import BYTE, SECOND
from workings.vocabulary.kinds import EXPERT_BLOCKS, WITHOUT_LATENT
from workings.vocabulary.layout import STAGES, VIRTUAL_STAGES
from workings.vocabulary.training import MICROBATCHES

_TIME = ("b_m", "s", "c", "t", "D", "H", "K", "d_h", "n_f", "F_E", "E", "k_E", "E_s", "C")
STEP = {**LETTERS, "p": STAGES, "v": VIRTUAL_STAGES, "m": MICROBATCHES}


def reduce_both_within_a_step(p: int, v: int, m: int, **letters: Any) -> Fraction | None:
    """Both messages reduced; bytes sent over the time of the schedule, run task by task."""
    sizes = {name: value for name, value in letters.items() if name not in ("b_m", "s", "k_E", "C")}
    sent = reduce_both_parts(**sizes)
    if sent is None or p * m * v > 300:
        return None
    block = duration(expert_block(**{name: letters[name] for name in _TIME}))
    forward = block * deal_out_chunks(1, v, letters["L_E"])
    return sent / Fraction(interleaved(p, m, v, forward, forward + forward).makespan)


MOE_DP_BANDWIDTH_NEED = derivation(
    "moe-dp-bandwidth-need",
    title="Bandwidth of data parallelism with experts, averaged over a step",
    unit=BYTE / SECOND,
    letters=STEP,
    uses=USES,
    given=(*GIVEN, "p divides m", "L_E >= v"),
    source=MEGATRON_EXPERTS,
    oracle=reduce_both_within_a_step,
    convention=f"{CONVENTION} Every chunk is as long as the fullest. {PEAK}",
    leaves_out="That gradients are complete only at the end of a step, in its last backward.",
    holds_for={EXPERT_BLOCKS: "dp-bandwidth-need", WITHOUT_LATENT: ""},
    chain="""
    W_dpx = (V_out + V_in)/(3*(m*v + p - 1)*ceil(L_E/v)*T_m)      -- both reductions over a step
      = (2*(c*d - 1)/(c*d)*g*P_out + 2*(d_e - 1)/d_e*g*P_E)/(3*(m*v + p - 1)*ceil(L_E/v)*T_m)
                                                                -- the rings
    """,
)
