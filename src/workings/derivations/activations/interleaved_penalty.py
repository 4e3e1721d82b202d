"""What interleaving costs in activations."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.activations._sources import INTERLEAVED
from workings.simulate.peak import in_flight, interleaved_order, one_f_one_b_order
from workings.units import ONE
from workings.vocabulary.layout import STAGES, VIRTUAL_STAGES


def run_both(p: int, v: int) -> Fraction:
    """Both schedules run on twice as many micro-batches as stages; what the first rank holds, divided."""
    interleaved = in_flight(interleaved_order, p, 2 * p, 0, v)
    return interleaved / in_flight(one_f_one_b_order, p, 2 * p, 0)


INTERLEAVED_PENALTY = derivation(
    "interleaved-penalty",
    title="Activations of the first rank under interleaved 1F1B, over those under 1F1B",
    unit=ONE,
    letters={"p": STAGES, "v": VIRTUAL_STAGES},
    given=("v > 1",),
    source=INTERLEAVED,
    oracle=run_both,
    convention="At least two micro-batches for each stage. The paper writes `m` for the chunks of a "
    "rank.",
    chain="""
    x_v = (p + (p - 1)/v)/p             -- in flight, against `p` without interleaving
      = 1 + (p - 1)/(p*v)               -- divide
      <= 1 + 1/v                        -- more chunks cost less memory: half as much more with 2
    """,
)
