"""Recomputation."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.activations._block_letters import (
    GPT,
    GPT_CONVENTION,
    GPT_TP,
    HEADS_FIT,
    HEADS_SPLIT,
    LEAVES_OUT,
    TOKENS_SPLIT,
    gpt_block,
)
from workings.derivations.activations._block_rows import saved
from workings.derivations.activations._sources import _korthikanti
from workings.derivations.activations.in_flight import IN_FLIGHT_1F1B
from workings.derivations.ranks.shares import FULLEST_STAGE, deal_layers_to_stages
from workings.simulate.peak import one_f_one_b_order
from workings.units import BYTE
from workings.vocabulary.activations import KEPT_BY_BLOCK
from workings.vocabulary.kinds import GPT_SHAPED
from workings.vocabulary.layout import STAGES
from workings.vocabulary.model import BLOCKS, D_MODEL
from workings.vocabulary.training import ACTIVATION_WIDTH, MICROBATCH, MICROBATCHES, SEQUENCE_LENGTH

FULL = _korthikanti("section 5 and table 2")


def run_on_shapes(**letters: Any) -> object:
    """The block's forward run on shapes, the whole block checkpointed; what the tape keeps."""
    return gpt_block(**letters, recompute="full")


BLOCK_ACTIVATIONS_FULL = derivation(
    "block-activations-full",
    title="Activations a block saves with full recomputation",
    unit=BYTE,
    letters=GPT,
    given=(HEADS_FIT,),
    fixes={ACTIVATION_WIDTH: 2},
    source=FULL,
    oracle=run_on_shapes,
    convention="Every rank of a tensor-parallel group keeps the whole input; 2 bytes a value.",
    leaves_out=LEAVES_OUT,
    ledger=saved(recompute="full"),
    chain="""
    A_full = rows                             -- one row: everything else is run again
      = 2[byte]*s*b_m*D                       -- a block of any kind keeps its input
    """,
)


def run_on_every_rank(**letters: Any) -> object:
    """The block's forward on shapes on every rank, the whole block checkpointed; the fullest tape."""
    return gpt_block(**letters, sequence_parallel=True, recompute="full")


BLOCK_ACTIVATIONS_FULL_SP = derivation(
    "block-activations-full-sp",
    title="Activations a block saves under sequence parallelism with full recomputation",
    unit=BYTE,
    letters=GPT_TP,
    given=(HEADS_SPLIT, HEADS_FIT, TOKENS_SPLIT),
    fixes={ACTIVATION_WIDTH: 2},
    source=FULL,
    oracle=run_on_every_rank,
    convention="Each rank keeps its own tokens of the input, which are gathered again; 2 bytes a value.",
    leaves_out=LEAVES_OUT,
    ledger=saved(recompute="full", inside="t", outside="t"),
    chain="""
    A_fs = rows                               -- one row: everything else is run again
      = 2[byte]*s*b_m*D/t                     -- at the cost of one more all-gather a block
    """,
)


SELECTIVE_EQ_6 = _korthikanti("section 5, equation 6 and table 2")


def run_on_every_rank_of_block_activations_selective(**letters: Any) -> object:
    """The block's forward on shapes on every rank, the core checkpointed; the fullest rank's tape."""
    return gpt_block(**letters, sequence_parallel=True, recompute="selective")


BLOCK_ACTIVATIONS_SELECTIVE = derivation(
    "block-activations-selective",
    title="Activations a block saves under tensor and sequence parallelism with selective recomputation",
    unit=BYTE,
    letters=GPT_TP,
    given=(HEADS_SPLIT, HEADS_FIT, TOKENS_SPLIT),
    fixes={ACTIVATION_WIDTH: 2},
    source=SELECTIVE_EQ_6,
    oracle=run_on_every_rank_of_block_activations_selective,
    convention=GPT_CONVENTION
    + " Scores, softmax, its dropout and the sum over values are run again in the backward.",
    leaves_out=LEAVES_OUT,
    ledger=saved(recompute="selective", inside="t", outside="t"),
    holds_for={GPT_SHAPED: "block-activations-llama-mesh"},
    chain="""
    A_sel = rows                              -- add the rows
      = 34[byte]*s*b_m*D/t                    -- the number of heads no longer matters
    """,
)


def run_on_every_rank_of_block_activations_tp_selective(**letters: Any) -> object:
    """The block's forward on shapes on every rank, the core checkpointed; the fullest rank's tape."""
    return gpt_block(**letters, recompute="selective")


BLOCK_ACTIVATIONS_TP_SELECTIVE = derivation(
    "block-activations-tp-selective",
    title="Activations a block saves under tensor parallelism with selective recomputation",
    unit=BYTE,
    letters=GPT_TP,
    given=(HEADS_SPLIT, HEADS_FIT),
    fixes={ACTIVATION_WIDTH: 2},
    source=SELECTIVE_EQ_6,
    oracle=run_on_every_rank_of_block_activations_tp_selective,
    convention=GPT_CONVENTION
    + " Scores, softmax, its dropout and the sum over values are run again in the backward.",
    leaves_out=LEAVES_OUT,
    ledger=saved(recompute="selective", inside="t"),
    holds_for={GPT_SHAPED: "block-activations-llama-mesh"},
    chain="""
    A_tr = rows                                              -- add the rows
      = 10[byte]*s*b_m*D + 24[byte]*s*b_m*D/t                -- nothing grows with `s^2` any more
      = s*b_m*D*(10[byte] + 24[byte]/t)                      -- put `s*b_m*D` outside
    """,
)


def run_every_block(s: int, b_m: int, D: int, L: int) -> Fraction | None:
    """Every block's forward run on shapes, each checkpointed; what the tapes keep together."""
    kept = [gpt_block(s, b_m, D, 1, recompute="full") for _ in range(L)]
    return sum((one for one in kept if one is not None), Fraction(0))


CHECKPOINT_INPUTS = derivation(
    "checkpoint-inputs",
    title="Activations of a model with full recomputation",
    unit=BYTE,
    letters={"s": SEQUENCE_LENGTH, "b_m": MICROBATCH, "D": D_MODEL, "L": BLOCKS},
    uses={"A_full": BLOCK_ACTIVATIONS_FULL.at(H="1")},
    fixes={ACTIVATION_WIDTH: 2},
    source=FULL,
    oracle=run_every_block,
    convention="For one sequence, `2[byte]*s*D*L`: what introductions give as “the activation memory” "
    "is this, the inputs alone. Without recomputation a block saves at least 17 times as much.",
    leaves_out="The block that runs again (the peak of recomputation counts it); embedding and head.",
    chain="""
    A_in = sum(A_full, (i, 1, L))          -- each block keeps its input
      = 2[byte]*s*b_m*D*L                  -- equal terms
    """,
)


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
