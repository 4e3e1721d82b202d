"""The most that a rank of a stage between the ends holds."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.activations._peak import CONVENTION, LEAVES_OUT, MIDDLE, SPLIT, stage_peaks
from workings.derivations.activations._sources import DEALLOCATION
from workings.derivations.activations.in_flight_1f1b import IN_FLIGHT_1F1B
from workings.derivations.state.stages import MIDDLE_STAGE_PARAMETERS
from workings.units import BYTE


def run_the_step(L_mid: int, **rank: Any) -> Fraction:
    """The step run on every stage, memory given and taken task by task; the most between the ends."""
    return max(stage_peaks((1, L_mid, 1), 1, 1, **rank)[1:-1])


PEAK_MEMORY_MIDDLE_STAGE = derivation(
    "peak-memory-middle-stage",
    title="Peak memory of a rank of the fullest stage between the ends",
    unit=BYTE,
    letters=MIDDLE,
    uses={"P_mid": MIDDLE_STAGE_PARAMETERS.at(), "n_f": IN_FLIGHT_1F1B.at(k="1")},
    given=(*SPLIT, "p > 2"),
    source=DEALLOCATION,
    oracle=run_the_step,
    convention=CONVENTION + " All stages between the ends are alike; the second has the most in flight.",
    leaves_out=LEAVES_OUT,
    chain="""
    M_mid = max(w_s*P_mid + n_f*L_mid*A + M_back, w_s*P_mid + M_step)
                                   -- the first backward, all micro-batches in flight; the optimizer step
      = w_s*P_mid + max(n_f*L_mid*A + M_back, M_step)            -- state is there at both moments
      = w_s*P_mid + max(min(m, p - 1)*L_mid*A + M_back, M_step)  -- in flight on the second stage
    """,
)
