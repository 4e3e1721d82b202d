"""What a stage keeps under 1F1B."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.activations._sources import PIPELINE_EQ_5
from workings.derivations.activations.in_flight_1f1b import IN_FLIGHT_1F1B
from workings.derivations.ranks.fullest_stage import FULLEST_STAGE, deal_layers_to_stages
from workings.simulate.peak import Memory, one_f_one_b_order, peaks
from workings.units import BYTE
from workings.vocabulary.activations import KEPT_BY_BLOCK
from workings.vocabulary.layout import STAGES
from workings.vocabulary.model import BLOCKS
from workings.vocabulary.ranks import PP_INDEX
from workings.vocabulary.training import MICROBATCHES


def run_1f1b(A: Fraction, L: int, p: int, m: int, k: int) -> Fraction:
    """The schedule run task by task, a forward keeping what the fullest stage's blocks save; the peak."""
    forward = sum((A for _ in range(deal_layers_to_stages(L, p))), Fraction(0))
    orders = [one_f_one_b_order(p, stage, m) for stage in range(p)]
    return peaks(orders, [Memory(forward=forward)] * p)[k]


STAGE_ACTIVATIONS = derivation(
    "stage-activations",
    title="Activations of a stage under 1F1B",
    unit=BYTE,
    letters={"A": KEPT_BY_BLOCK, "L": BLOCKS, "p": STAGES, "m": MICROBATCHES, "k": PP_INDEX},
    uses={"n_f": IN_FLIGHT_1F1B.at(), "L_p": FULLEST_STAGE.at()},
    given=("k < p",),
    source=PIPELINE_EQ_5,
    oracle=run_1f1b,
    convention="A stage with as many blocks as the fullest.",
    leaves_out="Embedding and head.",
    chain="""
    A_k = sum(L_p*A, (i, 1, n_f))         -- each micro-batch in flight keeps what the stage's blocks save
      = n_f*L_p*A                         -- equal terms
      = min(m, p - k)*ceil(L/p)*A         -- fewer on later stages
    """,
)
