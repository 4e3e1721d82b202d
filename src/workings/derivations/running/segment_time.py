"""The exact mean time of an interval in ticks."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.running._sources import DALY_MODEL
from workings.simulate.failures import ticks_to_finish
from workings.units import ONE
from workings.vocabulary.running import RESTART_TICKS, SEGMENT_TICKS, TICK_RISK


def solve_state_by_state(k_s: int, q: Fraction, r_s: int) -> Fraction:
    """Mean ticks from each state to the end, with failures back to the start, solved exactly."""
    return ticks_to_finish(k_s, q, r_s)


SEGMENT_TIME = derivation(
    "segment-time",
    title="Mean ticks until an interval has run through (exact)",
    unit=ONE,
    noun="ticks",
    fractional="the expected number",
    letters={"k_s": SEGMENT_TICKS, "q": TICK_RISK, "r_s": RESTART_TICKS},
    given=("q < 1",),
    source=DALY_MODEL,
    oracle=solve_state_by_state,
    convention="Time in ticks; in each the job fails with probability `q`, restarts and begins the "
    "interval again. With ever finer ticks the powers become exponentials, as in Daly's model.",
    chain="""
    E_k = sum((1 + q*r_s)*(1/(1 - q))^i, (i, 1, k_s))
                       -- each further tick multiplies what came before by `1/(1 - q)`
      = (1 + q*r_s)/q*((1/(1 - q))^k_s - 1)  -- a geometric series
    """,
)
