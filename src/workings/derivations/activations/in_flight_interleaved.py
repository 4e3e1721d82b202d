"""Interleaved 1F1B, on the first rank."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.activations._sources import INTERLEAVED_SCHEDULE
from workings.simulate.peak import in_flight, interleaved_order
from workings.units import ONE
from workings.vocabulary.layout import STAGES, VIRTUAL_STAGES
from workings.vocabulary.training import MICROBATCHES


def run_interleaved(m: int, p: int, v: int) -> Fraction | None:
    """The schedule run chunk by chunk on all ranks; the most chunks the first holds, over `v`."""
    if m * p * v > 1_000:
        return None
    return in_flight(interleaved_order, p, m, 0, v)


IN_FLIGHT_INTERLEAVED = derivation(
    "in-flight-interleaved",
    title="Micro-batches in flight on the first rank under interleaved 1F1B",
    unit=ONE,
    noun="micro-batches",
    fractional="a chunk in flight counts as `1/v` of a micro-batch",
    letters={"m": MICROBATCHES, "p": STAGES, "v": VIRTUAL_STAGES},
    given=("v > 1", "p divides m"),
    source=INTERLEAVED_SCHEDULE,
    oracle=run_interleaved,
    convention="A chunk keeps `1/v` of the rank's blocks.",
    chain="""
    n_i = min(m*v, 2*(p - 1) + (v - 1)*p + 1)/v
                       -- warm-up forwards of chunks, and the one before the first backward; in chunks
      = min(m*v, v*p + p - 1)/v      -- collect
      = min(m, p + (p - 1)/v)        -- divide both by the chunks of a rank
    """,
)
