"""Recomputation.

What is not saved can be run again in the backward pass: memory is paid for with time. Full recomputation
keeps a block's input alone, and what one block needs in full it needs only while it runs. Selective
recomputation runs only attention's core again, whose scores are large and cheap to find, so that nothing
grows with the square of the sequence any more. Each is a reading of the block's ledger in which rows are
missing, with tensor parallelism alone or with sequence parallelism on top. What selective recomputation
saves is a share that grows with the sequence, and more than half from some length on.
"""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation, like
from workings.derivations.activations._block import (
    GPT_CONVENTION,
    GPT_TP,
    HEADS_FIT,
    TOKEN_VALUES,
    gpt_block,
    saved,
)
from workings.derivations.activations._sources import FULL, korthikanti
from workings.derivations.activations.block import BLOCK_ACTIVATIONS
from workings.derivations.activations.split_block import BLOCK_ACTIVATIONS_TP, BLOCK_ACTIVATIONS_TP_SP
from workings.units import BYTE, ONE
from workings.vocabulary.kinds import GPT_SHAPED
from workings.vocabulary.model import BLOCKS, D_MODEL, HEADS
from workings.vocabulary.training import ACTIVATION_WIDTH, SEQUENCE_LENGTH


def run_checkpointed(**letters: Any) -> object:
    """The block's forward run on shapes, the whole block checkpointed; what the tape keeps."""
    return gpt_block(**letters, recompute="full")


BLOCK_ACTIVATIONS_FULL = like(
    "block-activations-full",
    BLOCK_ACTIVATIONS,
    title="Activations a block saves with full recomputation",
    phrases="full activation recomputation per layer; 2sbh; only layer input kept; full gradient "
    "checkpointing of one layer; hidden state at layer boundary only; gradient_checkpointing_enable "
    "memory per layer; keep the layer input and rerun the rest; recompute-granularity full memory per "
    "layer",
    source=FULL,
    oracle=run_checkpointed,
    convention="Every rank of a tensor-parallel group keeps the whole input; 2 bytes a value.",
    ledger=saved(recompute="full"),
    holds_for={},  # a block of any kind
    chain="""
    A_full = rows                             -- one row: everything else is run again
      = 2[byte]*s*b_m*D                       -- a block of any kind keeps its input
    """,
)


def run_checkpointed_tokens(**letters: Any) -> object:
    """The block's forward on shapes on every rank, the whole block checkpointed; the fullest tape."""
    return gpt_block(**letters, sequence_parallel=True, recompute="full")


BLOCK_ACTIVATIONS_FULL_SP = like(
    "block-activations-full-sp",
    BLOCK_ACTIVATIONS_FULL,
    title="Activations a block saves under sequence parallelism with full recomputation",
    phrases="full recomputation with sequence-sharded input; 2sbh/t; checkpointed layer input under SP; "
    "distribute-saved-activations; checkpointed layer input sharded over TP ranks",
    letters=GPT_TP,
    given=BLOCK_ACTIVATIONS_TP_SP.given,
    oracle=run_checkpointed_tokens,
    convention="Each rank keeps its own tokens of the input, which are gathered again; 2 bytes a value.",
    ledger=saved(recompute="full", inside="t", outside="t"),
    chain="""
    A_fs = rows                               -- one row: everything else is run again
      = 2[byte]*s*b_m*D/t                     -- at the cost of one more all-gather a block
    """,
)


CORE_AGAIN = (
    GPT_CONVENTION
    + " Scores, softmax, its dropout and the sum over values are run again in the backward."
)


def run_checkpointed_core_tokens(**letters: Any) -> object:
    """The block's forward on shapes, tokens dealt to ranks, the core checkpointed; the fullest tape."""
    return gpt_block(**letters, sequence_parallel=True, recompute="selective")


BLOCK_ACTIVATIONS_SELECTIVE = like(
    "block-activations-selective",
    BLOCK_ACTIVATIONS_TP_SP,
    title="Activations a block saves under tensor and sequence parallelism with selective recomputation",
    phrases="selective recomputation with TP and SP; 34sbh/t; selective activation checkpointing "
    "sequence parallel; attention core recomputed stash; layer memory dropping softmax results, TP plus "
    "SP; Reducing Activation Recomputation table last row",
    source=korthikanti("section 5, equation 6 and table 2"),
    oracle=run_checkpointed_core_tokens,
    convention=CORE_AGAIN,
    ledger=saved(recompute="selective", inside="t", outside="t"),
    chain="""
    A_sel = rows                              -- add the rows
      = 34[byte]*s*b_m*D/t                    -- the number of heads no longer matters
    """,
)


def run_checkpointed_core(**letters: Any) -> object:
    """The block's forward on shapes on every rank, the core checkpointed; the fullest rank's tape."""
    return gpt_block(**letters, recompute="selective")


BLOCK_ACTIVATIONS_TP_SELECTIVE = like(
    "block-activations-tp-selective",
    BLOCK_ACTIVATIONS_SELECTIVE,
    title="Activations a block saves under tensor parallelism with selective recomputation",
    phrases="selective recomputation with TP only; sbh(10 + 24/t); TP activation memory without s² "
    "term; selective recompute with TP but no sequence parallel; layer memory with selective "
    "checkpointing, TP without SP",
    given=BLOCK_ACTIVATIONS_TP.given,
    oracle=run_checkpointed_core,
    ledger=saved(recompute="selective", inside="t"),
    chain="""
    A_tr = rows                                              -- add the rows
      = 10[byte]*s*b_m*D + 24[byte]*s*b_m*D/t                -- nothing grows with `s^2` any more
      = s*b_m*D*(10[byte] + 24[byte]/t)                      -- put `s*b_m*D` outside
    """,
)


def run_with_and_without_core(s: int, D: int, H: int) -> Fraction | None:
    """The block's forward run on shapes, whole and with the core checkpointed; the share not kept."""
    all_of_it, left = gpt_block(s, 1, D, H), gpt_block(s, 1, D, H, recompute="selective")
    return None if all_of_it is None or left is None else 1 - left / all_of_it


SELECTIVE_RECOMPUTE_SAVING = derivation(
    "selective-recompute-saving",
    title="Share of a block's activations that selective recomputation saves",
    phrases="how much memory does selective recomputation save; (5as/h)/(34 + 5as/h); 70 percent of "
    "activations for GPT-3; fraction of activation memory dropped when attention core is rerun; memory "
    "gain of recompute-granularity selective; activation reduction by selective checkpointing",
    unit=ONE,
    letters={"s": SEQUENCE_LENGTH, "D": D_MODEL, "H": HEADS},
    uses={
        "A_1": BLOCK_ACTIVATIONS.at(b_m="1"),
        "A_sel": BLOCK_ACTIVATIONS_SELECTIVE.at(b_m="1", t="1"),
    },
    given=(HEADS_FIT,),
    source=korthikanti("section 5"),
    oracle=run_with_and_without_core,
    convention=GPT_CONVENTION + " Tensor and sequence parallelism divide what is kept and what is not "
    "alike, and so do micro-batches. With tensor parallelism alone the share is smaller, as 10 of the 34 "
    "stay whole.",
    holds_for={GPT_SHAPED: ""},
    chain="""
    x_sel = (A_1 - A_sel)/A_1                     -- what is not kept, over all
      = (5*H*s/D)/(34 + 5*H*s/D)                  -- put both in, divide by `s*b_m*D`
    """,
)


def see_whether_less_than_half_is_kept(s: int, D: int, H: int) -> bool | None:
    """The block's forward run on shapes, whole and with the core checkpointed; whether half is gone."""
    share = run_with_and_without_core(s, D, H)
    return None if share is None else share > Fraction(1, 2)


SELECTIVE_RECOMPUTE_HALF = like(
    "selective-recompute-half",
    SELECTIVE_RECOMPUTE_SAVING,
    title="Sequence from which selective recomputation saves more than half of a block's activations",
    phrases="when is selective recomputation worth it; 5as/h > 34; sequence length where scores dominate "
    "activation memory; from what context is more than half the activation memory scores; "
    "break-even sequence for selective checkpointing; attention part larger than the rest of the stash",
    noun="tokens",
    oracle=see_whether_less_than_half_is_kept,
    chain="""
    A_1 - A_sel > A_sel                           -- more is dropped than kept
      <=> 5*H*s/D > 34                            -- put both in, divide by `s*b_m*D`
      <=> s > 34*D/(5*H)                          -- solve for the sequence
    """,
)


def run_every_block(s: int, b_m: int, D: int, L: int) -> Fraction | None:
    """Every block's forward run on shapes, each checkpointed; what the tapes keep together."""
    kept = [gpt_block(s, b_m, D, 1, recompute="full") for _ in range(L)]
    return sum((one for one in kept if one is not None), Fraction(0))


CHECKPOINT_INPUTS = derivation(
    "checkpoint-inputs",
    title="Activations of a model with full recomputation",
    phrases="stored layer inputs under full checkpointing; 2sbhL; checkpointed hidden states of all "
    "layers; minimum activation memory with full remat; how much does activation checkpointing save "
    "overall; nothing_saveable policy footprint; torch.utils.checkpoint every layer, memory; memory "
    "left after gradient_checkpointing_enable; 2sbh times L",
    unit=BYTE,
    letters={**TOKEN_VALUES, "L": BLOCKS},
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
