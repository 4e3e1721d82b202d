"""The most that a rank of the first stage holds."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.activations._peak import CONVENTION, FIRST, LEAVES_OUT, SPLIT, stage_peaks
from workings.derivations.activations._sources import DEALLOCATION
from workings.derivations.activations.in_flight_1f1b import IN_FLIGHT_1F1B
from workings.derivations.state.stages import FIRST_STAGE_PARAMETERS
from workings.units import BYTE


def run_the_step(L_first: int, V: int, D: int, **rank: Any) -> Fraction:
    """The step run on every stage, memory taken and given back task by task; the first stage's peak."""
    return stage_peaks((L_first, 1, 1), V, D, **rank)[0]


PEAK_MEMORY_FIRST_STAGE = derivation(
    "peak-memory-first-stage",
    title="Peak memory of a rank of the first stage",
    unit=BYTE,
    letters=FIRST,
    uses={"P_first": FIRST_STAGE_PARAMETERS.at(), "n_f": IN_FLIGHT_1F1B.at(k="0")},
    given=(*SPLIT, "p > 1"),
    source=DEALLOCATION,
    oracle=run_the_step,
    convention=CONVENTION,
    leaves_out=LEAVES_OUT,
    chain="""
    M_first = max(w_s*P_first + n_f*L_first*A + M_back, w_s*P_first + M_step)
                                   -- the first backward, all micro-batches in flight; the optimizer step
      = w_s*P_first + max(n_f*L_first*A + M_back, M_step)        -- state is there at both moments
      = w_s*P_first + max(min(m, p)*L_first*A + M_back, M_step)  -- in flight on the first stage
    """,
)
