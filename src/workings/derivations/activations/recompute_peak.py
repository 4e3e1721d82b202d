"""Full recomputation, while one block runs again."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.activations._sources import FULL
from workings.derivations.activations.block_activations_full import BLOCK_ACTIVATIONS_FULL
from workings.derivations.activations.in_flight_1f1b import IN_FLIGHT_1F1B
from workings.derivations.ranks.fullest_stage import FULLEST_STAGE, deal_layers_to_stages
from workings.simulate.peak import one_f_one_b_order
from workings.units import BYTE
from workings.vocabulary.activations import KEPT_BY_BLOCK
from workings.vocabulary.layout import STAGES
from workings.vocabulary.model import BLOCKS, D_MODEL
from workings.vocabulary.training import MICROBATCH, MICROBATCHES, SEQUENCE_LENGTH


def run_blocks_again(A: Fraction, L: int, p: int, m: int, s: int, b_m: int, D: int) -> Fraction:
    """The fullest stage's tasks, block by block: inputs pile up, a backward fills one at a time."""
    inputs = [Fraction(2 * s * b_m * D) for _ in range(deal_layers_to_stages(L, p))]
    held = peak = Fraction(0)
    for task in one_f_one_b_order(p, 0, m):
        for kept in inputs:
            if task.phase == "F":
                held += kept
            else:
                peak = max(peak, held - kept + A)  # the block again with all it saves
                held -= kept
        peak = max(peak, held)
    return peak


RECOMPUTE_PEAK = derivation(
    "recompute-peak",
    title="Activations of the first stage under 1F1B with full recomputation",
    unit=BYTE,
    letters={
        "A": KEPT_BY_BLOCK, "L": BLOCKS, "p": STAGES, "m": MICROBATCHES, "s": SEQUENCE_LENGTH,
        "b_m": MICROBATCH, "D": D_MODEL,
    },
    uses={
        "n_f": IN_FLIGHT_1F1B.at(k="0"), "L_p": FULLEST_STAGE.at(),
        "A_full": BLOCK_ACTIVATIONS_FULL.at(H="1"),
    },
    given=("A >= A_full",),
    source=FULL,
    oracle=run_blocks_again,
    convention="`A` is all a block saves, its input included. Block by block: a group of blocks "
    "checkpointed together keeps fewer inputs and fills all its blocks at once. A first stage with as "
    "many blocks as the fullest.",
    chain="""
    A_re = n_f*L_p*A_full - A_full + A        -- at the first backward one input has become a whole block
      = (n_f*L_p - 1)*A_full + A              -- inputs of all other blocks
      = (min(m, p)*ceil(L/p) - 1)*2[byte]*s*b_m*D + A   -- put in what they are
    """,
)  # fmt: skip
