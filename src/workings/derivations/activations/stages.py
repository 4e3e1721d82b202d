"""Stages of a pipeline.

A stage has a part of the blocks and several micro-batches in flight, and the two effects cancel on the
first stage: it never keeps less than one device would with one micro-batch, however deep the pipeline.
Interleaving adds to that, and recomputation leaves inputs for all in flight and one block in full. A
footprint of ten tensors a block, as in exercises, is set against the ledger last. Every entry takes a
stage with as many blocks as the fullest. Schedules that split the backward come in the next section,
then embedding and head.
"""

from fractions import Fraction

from workings.derivation import derivation, like
from workings.derivations.activations._block import TOKEN_VALUES
from workings.derivations.activations._sources import FULL, PIPELINE_EQ_5, TENSOR_EQ_2, korthikanti
from workings.derivations.activations.in_flight import IN_FLIGHT_1F1B, IN_FLIGHT_INTERLEAVED
from workings.derivations.activations.recompute import BLOCK_ACTIVATIONS_FULL
from workings.derivations.pipeline.interleaved import LAYERS_PER_CHUNK, deal_out_chunks
from workings.derivations.ranks.shares import FULLEST_STAGE, deal_layers_to_stages
from workings.simulate.peak import (
    Memory,
    in_flight,
    interleaved_order,
    one_f_one_b_order,
    peaks,
)
from workings.units import BYTE, ONE
from workings.vocabulary.activations import KEPT_BY_BLOCK
from workings.vocabulary.layout import CP, STAGES, TP, VIRTUAL_STAGES
from workings.vocabulary.model import BLOCKS
from workings.vocabulary.ranks import PP_INDEX
from workings.vocabulary.training import MICROBATCHES

STAGED = {"A": KEPT_BY_BLOCK, "L": BLOCKS, "p": STAGES, "m": MICROBATCHES}


def run_1f1b(A: Fraction, L: int, p: int, m: int, k: int) -> Fraction:
    """The schedule run task by task, a forward keeping what the fullest stage's blocks save; the peak."""
    forward = sum((A for _ in range(deal_layers_to_stages(L, p))), Fraction(0))
    orders = [one_f_one_b_order(p, stage, m) for stage in range(p)]
    return peaks(orders, [Memory(forward=forward)] * p)[k]


STAGE_ACTIVATIONS = derivation(
    "stage-activations",
    title="Activations of a stage under 1F1B",
    phrases="activation memory of pipeline stage k; 1F1B stash per stage; (p-k) microbatches times "
    "layers; stored results on stage i with one-forward-one-backward; memory imbalance across PP ranks; "
    "which PP stage needs less activation memory; layers per stage times outstanding microbatches",
    unit=BYTE,
    letters={**STAGED, "k": PP_INDEX},
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


def run_first_stage(A: Fraction, L: int, p: int, m: int) -> Fraction:
    """The schedule run task by task, a forward keeping what each block saves; the first stage's peak."""
    return run_1f1b(A, L, p, m, 0)


FIRST_STAGE_ACTIVATIONS = like(
    "first-stage-activations",
    STAGE_ACTIVATIONS,
    title="Activations of the first stage under 1F1B",
    phrases="stage 0 activation memory; worst-stage activations of 1F1B; first pipeline rank holds p "
    "microbatches; sbhL/t(34+5as/h) on stage 0; first GPU runs out of memory in pipeline; stage zero "
    "intermediate results; p times L/p layers of activations; why does the first pipeline GPU use most "
    "memory; first pipeline stage stores L layers worth",
    letters=STAGED,
    uses={"n_f": IN_FLIGHT_1F1B.at(k="0"), "L_p": FULLEST_STAGE.at()},
    given=("m >= p",),
    oracle=run_first_stage,
    convention="A first stage with as many blocks as the fullest: `L*A` where `p` divides `L`.",
    chain="""
    A_first = n_f*L_p*A            -- micro-batches in flight, each with the stage's blocks
      = min(m, p)*ceil(L/p)*A      -- the first stage has `p - 1` stages behind it
      = p*ceil(L/p)*A              -- with at least `p` micro-batches
      >= L*A                       -- never less than one device would keep, however many the stages
    """,
)


INTERLEAVED = korthikanti("section 4.2.3, after equation 5")


def run_interleaved(A: Fraction, L: int, p: int, v: int, m: int) -> Fraction | None:
    """The schedule run chunk by chunk, a forward keeping the fullest chunk's blocks; the first's peak."""
    if m * p * v > 1_000:
        return None
    chunk = sum((A for _ in range(deal_out_chunks(p, v, L))), Fraction(0))
    orders = [interleaved_order(p, rank, m, v) for rank in range(p)]
    return peaks(orders, [Memory(forward=chunk)] * p, v)[0]


INTERLEAVED_ACTIVATIONS = derivation(
    "interleaved-activations",
    title="Activations of the first rank under interleaved 1F1B",
    phrases="activation memory with virtual pipeline; VPP first-rank stash; interleaved schedule "
    "activation bytes; sbhL/t(34+5as/h)(1+(p-1)/pm) interleaved; L(1 + (p-1)/pv) activations; stored "
    "results on first card with model chunks",
    unit=BYTE,
    letters={"A": KEPT_BY_BLOCK, "L": BLOCKS, "p": STAGES, "v": VIRTUAL_STAGES, "m": MICROBATCHES},
    uses={"n_i": IN_FLIGHT_INTERLEAVED.at(), "L_c": LAYERS_PER_CHUNK.at()},
    given=("v > 1", "p divides m", "L >= p*v"),
    source=INTERLEAVED,
    oracle=run_interleaved,
    convention="Chunks as full as the fullest: `L*(1 + (p - 1)/(p*v))*A` where `p*v` divides `L` and "
    "there are more than `p` micro-batches.",
    leaves_out="Embedding and head.",
    chain="""
    A_i = v*n_i*L_c*A                              -- chunks in flight, each with its blocks
      = v*min(m, p + (p - 1)/v)*L_c*A              -- a chunk is a `v`-th of a micro-batch
      = min(v*m, v*p + p - 1)*ceil(L/(p*v))*A      -- more than the layers of the whole model
    """,
)


def run_both(p: int, v: int) -> Fraction:
    """Both schedules run on twice as many micro-batches as stages; what the first rank holds, divided."""
    interleaved = in_flight(interleaved_order, p, 2 * p, 0, v)
    return interleaved / in_flight(one_f_one_b_order, p, 2 * p, 0)


INTERLEAVED_PENALTY = derivation(
    "interleaved-penalty",
    title="Activations of the first rank under interleaved 1F1B, over those under 1F1B",
    phrases="factor of activation memory with an interleaved schedule; "
    "virtual pipeline memory overhead factor; 1 + (p-1)/(pv); activation increase from "
    "interleaving; VPP memory ratio; how much more memory does interleaving need; extra memory of "
    "virtual pipeline stages",
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
    phrases="stage 0 activations with full recompute; 1F1B checkpoint memory plus one live layer; peak "
    "under full gradient checkpointing in a pipeline; checkpointed inputs in flight plus one expanded "
    "layer; highest activation memory of checkpointed pipeline at stage zero; layer inputs stored for "
    "all microbatches plus one layer",
    unit=BYTE,
    letters={**STAGED, **TOKEN_VALUES},
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


def deal_ten_tensors(s: int, b_m: int, D: int, L: int, p: int, t: int, c: int) -> Fraction:
    """Ten tensors for each block of the fullest stage, positions dealt to its ranks; the fullest."""
    held = [0] * (t * c)
    for _ in range(10 * deal_layers_to_stages(L, p)):
        for position in range(s):
            held[position % (t * c)] += 2 * b_m * D
    return Fraction(max(held))


TEN_TENSOR_ACTIVATIONS = derivation(
    "ten-tensor-activations",
    title="Activations of a rank by the footprint of ten tensors a block",
    phrases="ten activations per layer rule of thumb; 20sbh estimate; rough activation footprint "
    "exercise; JAX scaling book style activation estimate; back-of-the-envelope activation memory; "
    "quick activation estimate 10 tensors per layer",
    unit=BYTE,
    letters={**TOKEN_VALUES, "L": BLOCKS, "p": STAGES, "t": TP, "c": CP},
    given=("t*c divides s",),
    source=TENSOR_EQ_2,
    oracle=deal_ten_tensors,
    convention="An exercise's footprint: ten tensors of `s*b_m*D` values in 2 bytes, all shared by "
    "`t*c` ranks, for one micro-batch. The source's ledger has sixteen such tensors and two masks, "
    "`34[byte]*s*b_m*D`, of which tensor parallelism alone leaves 10 whole, and scores besides; so "
    "`20[byte]*s*b_m*D` is 10/17 of it without scores. The exercise's sequence-parallel degree is an "
    "axis of its own, here `c`. The fullest stage.",
    leaves_out="The scores, masks, embedding and head; that 1F1B keeps up to `p` micro-batches in "
    "flight on the first stage, `p` times as much.",
    chain="""
    A_10 = ceil(L/p)*(10*2[byte]*s*b_m*D)/(t*c)    -- a stage's blocks, ten tensors each, shared by ranks
      = 20[byte]*s*b_m*D*ceil(L/p)/(t*c)           -- collect
    """,
)
