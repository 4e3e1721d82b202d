"""What a stage saves by giving back its outputs once they are sent."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.activations._sources import DEALLOCATION
from workings.derivations.activations.in_flight_1f1b import IN_FLIGHT_1F1B
from workings.simulate.peak import Memory, one_f_one_b_order, peaks
from workings.units import BYTE
from workings.vocabulary.layout import STAGES
from workings.vocabulary.model import D_MODEL
from workings.vocabulary.ranks import PP_INDEX
from workings.vocabulary.training import ACTIVATION_WIDTH, MICROBATCH, MICROBATCHES, SEQUENCE_LENGTH


def run_with_and_without(s: int, b_m: int, D: int, a: Fraction, p: int, m: int, k: int) -> Fraction:
    """The schedule run with outputs kept and with outputs given back; what the peaks differ by."""
    orders = [one_f_one_b_order(p, stage, m) for stage in range(p)]
    saved = Fraction(17)  # whatever else a micro-batch keeps
    output = sum((a for _ in range(s) for _ in range(b_m) for _ in range(D)), Fraction(0))
    kept = peaks(orders, [Memory(forward=saved + output)] * p)[k]
    return kept - peaks(orders, [Memory(forward=saved)] * p)[k]


OUTPUT_DEALLOCATION = derivation(
    "output-deallocation",
    title="Bytes a stage saves by giving back its outputs once they are sent",
    unit=BYTE,
    letters={
        "s": SEQUENCE_LENGTH, "b_m": MICROBATCH, "D": D_MODEL, "a": ACTIVATION_WIDTH, "p": STAGES,
        "m": MICROBATCHES, "k": PP_INDEX,
    },
    uses={"n_f": IN_FLIGHT_1F1B.at()},
    given=("k < p",),
    source=DEALLOCATION,
    oracle=run_with_and_without,
    convention="1F1B; outputs are whole on each rank, under sequence parallelism they are a `t`-th. Not "
    "for the last stage, whose output is the loss.",
    chain="""
    M_out = sum(a*s*b_m*D, (i, 1, n_f))      -- a stage's own backward never reads its output
      = min(m, p - k)*a*s*b_m*D              -- one for each micro-batch in flight
    """,
)  # fmt: skip
