"""What a stage keeps under 1F1B."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.activations._sources import PIPELINE_EQ_5
from workings.derivations.activations.in_flight_1f1b import IN_FLIGHT_1F1B
from workings.simulate.peak import Memory, one_f_one_b_order, peaks
from workings.units import BYTE
from workings.vocabulary.activations import KEPT_BY_BLOCK
from workings.vocabulary.layout import STAGES
from workings.vocabulary.model import BLOCKS
from workings.vocabulary.ranks import PP_INDEX
from workings.vocabulary.training import MICROBATCHES


def run_1f1b(A: Fraction, L: int, p: int, m: int, k: int) -> Fraction:
    """The schedule run task by task, a forward keeping what each block saves; the stage's peak."""
    forward = sum((A for block in range(L) if block % p == k), Fraction(0))
    orders = [one_f_one_b_order(p, stage, m) for stage in range(p)]
    return peaks(orders, [Memory(forward=forward)] * p)[k]


STAGE_ACTIVATIONS = derivation(
    "stage-activations",
    title="Activations of a stage under 1F1B",
    unit=BYTE,
    letters={"A": KEPT_BY_BLOCK, "L": BLOCKS, "p": STAGES, "m": MICROBATCHES, "k": PP_INDEX},
    uses={"n_f": IN_FLIGHT_1F1B.at()},
    given=("k < p", "p divides L"),
    source=PIPELINE_EQ_5,
    oracle=run_1f1b,
    leaves_out="Embedding and head.",
    chain="""
    A_k = sum(L/p*A, (i, 1, n_f))         -- each micro-batch in flight keeps what the stage's blocks save
      = n_f*L/p*A                         -- equal terms
      = min(m, p - k)*L/p*A               -- fewer on later stages
    """,
)
