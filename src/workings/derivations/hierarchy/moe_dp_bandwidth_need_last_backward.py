"""Bandwidth at which the gradients of a model with experts hide behind the last backward."""

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
from workings.units import BYTE, SECOND
from workings.vocabulary.kinds import EXPERT_BLOCKS, WITHOUT_LATENT

_TIME = ("b_m", "s", "c", "t", "D", "H", "K", "d_h", "n_f", "F_E", "E", "k_E", "E_s", "C")


def reduce_both_within_the_last_backward(**letters: Any) -> Fraction | None:
    """Both messages reduced; bytes sent over the listed matmuls of the stage's last backward."""
    sizes = {name: value for name, value in letters.items() if name not in ("b_m", "s", "k_E", "C")}
    sent = reduce_both_parts(**sizes)
    forward = expert_block(**{name: letters[name] for name in _TIME})
    backward = [*forward, *forward] * letters["L_E"]
    return None if sent is None else sent / duration(backward)


MOE_DP_BANDWIDTH_NEED_LAST_BACKWARD = derivation(
    "moe-dp-bandwidth-need-last-backward",
    title="Bandwidth at which gradients hide behind the last micro-batch's backward, with experts",
    unit=BYTE / SECOND,
    letters=LETTERS,
    uses=USES,
    given=GIVEN,
    source=MEGATRON_EXPERTS,
    oracle=reduce_both_within_the_last_backward,
    convention=f"{CONVENTION} {PEAK}",
    leaves_out="The first bucket's wait and the last one's tail.",
    holds_for={EXPERT_BLOCKS: "dp-bandwidth-need-last-backward", WITHOUT_LATENT: ""},
    chain="""
    W_lastx = (V_out + V_in)/(L_E*(2*T_m))      -- bytes over the backward of a stage's layers
      = ((c*d - 1)/(c*d)*g*P_out + (d_e - 1)/d_e*g*P_E)/(L_E*T_m)      -- the rings
    """,
)
