"""What the first rank keeps under interleaved 1F1B."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.activations._sources import INTERLEAVED
from workings.derivations.activations.in_flight_interleaved import IN_FLIGHT_INTERLEAVED
from workings.simulate.peak import Memory, interleaved_order, peaks
from workings.units import BYTE
from workings.vocabulary.activations import KEPT_BY_BLOCK
from workings.vocabulary.layout import STAGES, VIRTUAL_STAGES
from workings.vocabulary.model import BLOCKS
from workings.vocabulary.training import MICROBATCHES


def run_interleaved(A: Fraction, L: int, p: int, v: int, m: int) -> Fraction | None:
    """The schedule run chunk by chunk, a forward keeping what a chunk's blocks save; the first's peak."""
    if m * p * v > 1_000 or L % (p * v):
        return None
    chunk = sum((A for block in range(L) if block % (p * v) == 0), Fraction(0))
    orders = [interleaved_order(p, rank, m, v) for rank in range(p)]
    return peaks(orders, [Memory(forward=chunk)] * p, v)[0]


INTERLEAVED_ACTIVATIONS = derivation(
    "interleaved-activations",
    title="Activations of the first rank under interleaved 1F1B",
    unit=BYTE,
    letters={
        "A": KEPT_BY_BLOCK, "L": BLOCKS, "p": STAGES, "v": VIRTUAL_STAGES, "m": MICROBATCHES,
    },
    uses={"n_i": IN_FLIGHT_INTERLEAVED.at()},
    given=("v > 1", "p divides m", "p divides L", "v divides L"),
    source=INTERLEAVED,
    oracle=run_interleaved,
    leaves_out="Embedding and head.",
    chain="""
    A_i = n_i*(L/p)*A                              -- in flight, each with a rank's blocks
      = min(m, p + (p - 1)/v)*(L/p)*A              -- chunks in flight, counted in ranks
      = min(m*L/p, L*(1 + (p - 1)/(p*v)))*A        -- more than the layers of the whole model
    """,
)  # fmt: skip
