"""Activation checkpointing.

The blocks are cut into segments; only each segment's input is kept, and its blocks are run again when the
backward pass reaches them. Few segments mean many blocks at once, many segments many inputs. The first
two entries say what an input and a block weigh in the feed-forward stack; then come the memory for a
given number of segments, for any model's blocks and for the stack, and the number that keeps least, taken
as a real number. Running everything forward twice costs a third more compute.
"""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.compute.feed_forward import FFN_BACKWARD_FLOPS, FFN_FORWARD_FLOPS
from workings.derivations.sources import SUBLINEAR
from workings.simulate.checkpoint import run_segments
from workings.simulate.matmul import ffn_backward, ffn_forward, ffn_numbers
from workings.simulate.search import golden_bracket
from workings.simulate.tensors import saved_for_backward, total_bytes
from workings.units import BYTE, ONE
from workings.vocabulary.activations import KEPT_BY_BLOCK
from workings.vocabulary.kinds import ANY_MODEL, WITHOUT_ATTENTION
from workings.vocabulary.layout import CP, TP
from workings.vocabulary.memory import KEPT_BLOCK, KEPT_INPUT
from workings.vocabulary.model import BLOCKS, D_FF, D_MODEL
from workings.vocabulary.training import (
    ACTIVATION_WIDTH,
    MICROBATCH,
    SEGMENTS,
    SEGMENTS_REAL,
    SEQUENCE_LENGTH,
    TOKENS,
)


def first_tensor_on_the_tape(B: int, D: int, a: Fraction) -> Fraction:
    """The first tensor that a block's tape records: its input."""
    return saved_for_backward(1, D, 1, B, a)[0].bytes


BLOCK_INPUT = derivation(
    "block-input",
    title="Bytes of a block's input",
    phrases="MLP layer input size; aBD checkpoint; residual stream tensor memory; batch times sequence "
    "times hidden times 2 bytes; size of hidden states entering a layer; size of the tensor passed "
    "between layers; memory of one layer's incoming tensor; B s h times 2 bytes",
    unit=BYTE,
    letters={"B": TOKENS, "D": D_MODEL, "a": ACTIVATION_WIDTH},
    source=SUBLINEAR,
    oracle=first_tensor_on_the_tape,
    convention="The block of the feed-forward model: its input is all that a checkpoint keeps.",
    chain="""
    c = a*B*D                 -- bytes a value, tokens, values a token
    """,
)


def tape_one_block(B: int, D: int, F: int, a: Fraction) -> Fraction:
    """The tape of one block's forward pass, added up."""
    return total_bytes(saved_for_backward(1, D, F, B, a))


BLOCK_SAVED = derivation(
    "block-saved",
    title="Bytes one feed-forward block saves for its backward pass",
    phrases="MLP layer stored tensors; aB(D+F); autograd saved tensors of a single MLP; MLP hidden and "
    "input stored in bytes",
    unit=BYTE,
    letters={"B": TOKENS, "D": D_MODEL, "F": D_FF, "a": ACTIVATION_WIDTH},
    source=SUBLINEAR,
    oracle=tape_one_block,
    leaves_out="Activation function, norm and attention: the block is two linear layers.",
    holds_for={WITHOUT_ATTENTION: "block-activations-llama"},
    chain="""
    e = a*B*D + a*B*F         -- the inputs of both linears
      = a*B*(D + F)           -- collect
    """,
)


def run_segments_forward_and_back(
    L: int, k: int, A_b: Fraction, s: int, b_m: int, D: int, a: Fraction, t: int, N_c: int
) -> Fraction:
    """A tape run block by block, forward and back, freeing what is done; its fullest moment."""
    tokens = Fraction(sum(s for _ in range(b_m)), t * N_c)
    return run_segments(L, k, sum((tokens * a for _ in range(D)), Fraction(0)), A_b).peak


# Megatron-LM (arXiv:2104.04473), section 3.5, writes c*A_input + l/c*A_intermediate.
PUBLISHED_COUNT = (
    "The blocks being redone save their segment's input too, and it is one tensor with the one that was "
    "kept; the published `k*c + L/k*e` counts it twice."
)

CHECKPOINT_BLOCKS_MEMORY = derivation(
    "checkpoint-blocks-memory",
    title="Activations of a model's blocks under checkpointing in `k` segments",
    phrases="memory by number of activation checkpoints in a stage; "
    "transformer memory with k remat segments; segment-wise gradient checkpointing any model; "
    "save every n-th layer input; torch.utils.checkpoint_sequential memory; activation memory when "
    "splitting layers in groups; recompute-method uniform recompute-num-layers memory; sqrt(L) "
    "checkpointing footprint; storing activations only every k layers; memory with every few layers "
    "checkpointed",
    unit=BYTE,
    letters={
        "L": BLOCKS, "k": SEGMENTS, "A_b": KEPT_BY_BLOCK, "s": SEQUENCE_LENGTH, "b_m": MICROBATCH,
        "D": D_MODEL, "a": ACTIVATION_WIDTH, "t": TP, "N_c": CP,
    },
    given=("k divides L", "t*N_c divides s", "A_b >= a*s*b_m*D/(t*N_c)"),
    source=SUBLINEAR,
    oracle=run_segments_forward_and_back,
    convention="One micro-batch, equal blocks; a rank keeps its own tokens of a segment's input. "
    f"`A_b` is all that a block saves, its input included. {PUBLISHED_COUNT}",
    leaves_out="Embedding and head.",
    chain="""
    A_seg = sum(a*s*b_m*D/(t*N_c), (i, 1, k - 1)) + sum(A_b, (j, 1, L/k))
                                 -- inputs of the other segments, blocks of the one being redone
      = (k - 1)*a*s*b_m*D/(t*N_c) + L/k*A_b      -- equal terms
    """,
)  # fmt: skip


def run_forward_and_backward(L: int, k: int, B: int, D: int, F: int, a: Fraction) -> Fraction:
    """A tape run block by block, forward and back, freeing what is done; its fullest moment."""
    given, saved = first_tensor_on_the_tape(B, D, a), tape_one_block(B, D, F, a)
    return run_segments(L, k, given, saved).peak


CHECKPOINT_MEMORY = derivation(
    "checkpoint-memory",
    title="Activations of a feed-forward stack under checkpointing in `k` segments",
    phrases="MLP stack memory with k remat segments; kc + (L/k)e; sublinear memory cost on a toy MLP; "
    "Chen et al segments on an MLP tower; stacked MLP storing only some layer inputs; MLP stack with "
    "checkpoint_sequential, memory",
    unit=BYTE,
    letters={"L": BLOCKS, "k": SEGMENTS, "B": TOKENS, "D": D_MODEL, "F": D_FF, "a": ACTIVATION_WIDTH},
    uses={"c": BLOCK_INPUT.at(), "e": BLOCK_SAVED.at()},
    given=("k divides L",),
    source=SUBLINEAR,
    oracle=run_forward_and_backward,
    convention=PUBLISHED_COUNT,
    holds_for={WITHOUT_ATTENTION: "checkpoint-blocks-memory"},
    chain="""
    A_k = sum(c, (i, 1, k - 1)) + sum(e, (j, 1, L/k))
                                 -- inputs of the other segments, blocks of the one being redone
      = (k - 1)*c + L/k*e        -- equal terms
    """,
)


def held_by_real_segments(L: int, segments: Fraction, c: Fraction, e: Fraction) -> Fraction:
    """What is held when the number of segments need not be whole; blocks are added up one by one."""
    return segments * c - c + sum((e for _ in range(L)), Fraction(0)) / segments


def close_in_on_the_fewest_bytes(
    L: int, k: Fraction, c: Fraction, e: Fraction
) -> tuple[Fraction, Fraction]:
    """A range of segment counts halved by whether twice as many hold less than half as many."""
    low, high = Fraction(1, 10**9), Fraction(10**9)
    while high - low > low / 10**8:
        middle = (low + high) / 2
        more, fewer = (held_by_real_segments(L, n, c, e) for n in (2 * middle, middle / 2))
        low, high = (middle, high) if more < fewer else (low, middle)
    return low, high


CHECKPOINT_SEGMENTS = derivation(
    "checkpoint-segments",
    title="Segments with the least activations",
    phrases="optimal number of remat segments; sqrt(L) checkpoints; Chen et al.; how many checkpoints "
    "should I place; sqrt(n) rule for gradient checkpointing; best number of chunks for "
    "checkpoint_sequential; how many layers per checkpoint group; how often to checkpoint activations; "
    "Chen sublinear memory",
    unit=ONE,
    noun="segments",
    fractional="the best of all real numbers; a model takes a divisor of its blocks beside it",
    letters={"L": BLOCKS, "k": SEGMENTS_REAL, "c": KEPT_INPUT, "e": KEPT_BLOCK},
    source=SUBLINEAR,
    oracle=close_in_on_the_fewest_bytes,
    convention="The number of segments taken as a real number; `c = e` gives the published `sqrt(L)`. "
    "The memory is `(k - 1)*c + L/k*e`; the published `k*c + L/k*e` is least at the same number.",
    chain="""
    c = L*e/k^2                  -- one more input weighs what smaller segments save: the derivative is 0
      <=> k^2 = L*e/c              -- multiply by `k^2/c`
      <=> k = sqrt(L*e/c)          -- `k` is positive
    """,
)


def search_segment_counts(L: int, k: Fraction, c: Fraction, e: Fraction) -> tuple[Fraction, Fraction]:
    """A search over the number of segments; inputs and blocks are added up one by one."""

    def held(segments: Fraction) -> Fraction:
        return held_by_real_segments(L, segments, c, e)

    return golden_bracket(held, 0, Fraction(10**9), 200)


CHECKPOINT_OPTIMUM = derivation(
    "checkpoint-optimum",
    title="Least activations under checkpointing",
    phrases="minimal remat memory; 2 sqrt(L c e); sublinear memory cost; Chen 2016 best-case memory; "
    "minimum activation memory by rerunning segments; O(sqrt n) activation memory; lowest memory "
    "possible with gradient checkpointing",
    unit=BYTE,
    letters={"L": BLOCKS, "k": SEGMENTS_REAL, "c": KEPT_INPUT, "e": KEPT_BLOCK},
    given=("e >= c",),
    source=SUBLINEAR,
    oracle=search_segment_counts,
    convention="The number of segments taken as a real number. The published count has the redone "
    "segment's input twice: with `c = e` it gives `2*sqrt(L)`, one more.",
    chain="""
    A_best = (k - 1)*c + L/k*e     -- inputs of all segments but one, blocks of that one
      minimise over k at sqrt(L*e/c) = 2*sqrt(L*c*e) - c
                                   -- least where one more input weighs what smaller segments save
    """,
)


def count_runs_and_flops(L: int, k: int, B: int, D: int, F: int) -> Fraction:
    """Forward and backward runs counted on a checkpointing tape, FLOPs of each by nested loops."""
    x, w_in, w_out = ffn_numbers(B, D, 1), ffn_numbers(D, F, 2), ffn_numbers(F, D, 3)
    forward = ffn_forward(x, w_in, w_out)
    backward = ffn_backward(x, forward.hidden, w_in, w_out, ffn_numbers(B, D, 4)).flops
    run = run_segments(L, k, 1, 1)
    redone = run.forward_runs * forward.flops + run.backward_runs * backward
    return Fraction(redone, L * (forward.flops + backward))


RECOMPUTE_OVERHEAD = derivation(
    "recompute-overhead",
    title="Compute with full recomputation over compute without",
    phrases="4/3 compute of remat; 33 percent extra; gradient checkpointing slowdown; how much slower "
    "is gradient_checkpointing=True; 8ND against 6ND; one extra forward on top of three; cost of "
    "rerunning the forward; activation checkpointing speed penalty; four thirds",
    unit=ONE,
    letters={"L": BLOCKS, "k": SEGMENTS, "B": TOKENS, "D": D_MODEL, "F": D_FF},
    uses={"f_fwd": FFN_FORWARD_FLOPS.at(), "f_bwd": FFN_BACKWARD_FLOPS.at()},
    given=("k divides L",),
    source=SUBLINEAR,
    oracle=count_runs_and_flops,
    convention="Every segment is run forward again, the last one too.",
    holds_for={ANY_MODEL: ""},
    chain="""
    r_redo = L*(f_fwd + f_fwd + f_bwd)/(L*(f_fwd + f_bwd))   -- forward twice, backward once
      = (2*f_fwd + 2*f_fwd)/(f_fwd + 2*f_fwd)           -- backward costs two forward passes
      = 4/3                                             -- an extra third
    """,
)
