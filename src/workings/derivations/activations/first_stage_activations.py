"""The first stage keeps as much as the whole model would."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.activations._sources import PIPELINE_EQ_5
from workings.derivations.activations.in_flight_1f1b import IN_FLIGHT_1F1B
from workings.derivations.activations.stage_activations import run_1f1b
from workings.derivations.ranks.fullest_stage import FULLEST_STAGE
from workings.units import BYTE
from workings.vocabulary.activations import KEPT_BY_BLOCK
from workings.vocabulary.layout import STAGES
from workings.vocabulary.model import BLOCKS
from workings.vocabulary.training import MICROBATCHES


def run_first_stage(A: Fraction, L: int, p: int, m: int) -> Fraction:
    """The schedule run task by task, a forward keeping what each block saves; the first stage's peak."""
    return run_1f1b(A, L, p, m, 0)


FIRST_STAGE_ACTIVATIONS = derivation(
    "first-stage-activations",
    title="Activations of the first stage under 1F1B",
    unit=BYTE,
    letters={"A": KEPT_BY_BLOCK, "L": BLOCKS, "p": STAGES, "m": MICROBATCHES},
    uses={"n_f": IN_FLIGHT_1F1B.at(k="0"), "L_p": FULLEST_STAGE.at()},
    given=("m >= p",),
    source=PIPELINE_EQ_5,
    oracle=run_first_stage,
    convention="A first stage with as many blocks as the fullest: `L*A` where `p` divides `L`.",
    leaves_out="Embedding and head.",
    chain="""
    A_first = n_f*L_p*A            -- micro-batches in flight, each with the stage's blocks
      = min(m, p)*ceil(L/p)*A      -- the first stage has `p - 1` stages behind it
      = p*ceil(L/p)*A              -- with at least `p` micro-batches
      >= L*A                       -- never less than one device would keep, however many the stages
    """,
)
