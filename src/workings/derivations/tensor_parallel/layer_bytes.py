"""What a layer sends.

Each layer has two sums forward and two backward, and each is a ring all-reduce of the activation of a
micro-batch. One account lists them all; the entries read its forward part, both passes, and both with
full recomputation, where the layer runs forward once more. A stage's volume and a whole step's bytes
follow by adding up layers and micro-batches. More ranks do not send less: the bytes near a bound that
does not depend on them. Models with experts have entries of their own.
"""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation, like, only_if
from workings.derivation.chain import under
from workings.derivations.tensor_parallel._collectives import ALL_REDUCE, ROWS
from workings.derivations.tensor_parallel._layer import bytes_sent, run
from workings.derivations.tensor_parallel._letters import SPLIT_ACTIVATION, STAGE_VOLUME
from workings.derivations.tensor_parallel._sources import MEGATRON_SPLIT, MEGATRON_VOLUME, POPE_PARALLEL
from workings.simulate.block_matrices import add, cut_columns, cut_rows, multiply, numbers, spans
from workings.simulate.tensor_layer import Options
from workings.simulate.tensor_ranks import Ranks
from workings.units import BYTE
from workings.vocabulary.kinds import WITHOUT_EXPERTS
from workings.vocabulary.layout import STAGES, TP
from workings.vocabulary.model import BLOCKS
from workings.vocabulary.training import MICROBATCHES


def run_the_layer_forward(a: Fraction, **sizes: int) -> Fraction:
    """A layer run on split weights; what a rank sends until its output is there is counted."""
    ranks = run(**sizes, options=Options())
    return sum((op.sent for op in ranks.ops if op.call.endswith("forward")), Fraction(0)) * a


TP_FORWARD_BYTES = derivation(
    "tp-forward-bytes",
    title="Bytes a rank sends in one layer's forward pass under tensor parallelism",
    phrases="TP comm per layer forward; two all-reduces; data exchanged going forward in tensor "
    "slicing; prefill allreduce bytes with TP; forward NVLink bytes of Megatron TP; g operator traffic; "
    "TP inference traffic per layer",
    unit=BYTE,
    letters=SPLIT_ACTIVATION,
    uses={"V_AR": ALL_REDUCE},
    given=("c divides s",),
    source=MEGATRON_SPLIT,
    oracle=run_the_layer_forward,
    convention="One micro-batch; ring all-reduces.",
    ledger=under(ROWS, sequence_parallel=False, forward=True),
    holds_for={WITHOUT_EXPERTS: "moe-tp-forward-bytes"},
    chain="""
    V_fwd = rows                           -- attention's output and the feed-forward's
      = 2*V_AR                             -- each summed by an all-reduce
      = 4*(t - 1)/t*(a*b_m*s*D/c)          -- `2*(t - 1)/t` of the activation each
    """,
)


def run_both_halves_side_by_side(b_m: int, s: int, c: int, t: int, D: int, a: Fraction) -> Fraction:
    """Two pairs of split products from one input, their parts added on each rank, then one all-reduce."""
    tokens = b_m * (s // c)
    only_if(s % c == 0 and tokens * D * t <= 2_000 and D <= 40)
    x, ranks = numbers(tokens, D, 1), Ranks(t)
    pairs = [(numbers(D, t, seed), numbers(t, D, seed + 1)) for seed in (2, 4)]
    alone = [multiply(multiply(x, inward), outward) for inward, outward in pairs]
    parts = [
        [multiply(multiply(x, i), o) for i, o in zip(cut_columns(w, t), cut_rows(v, t), strict=True)]
        for w, v in pairs
    ]
    partial = [add(one, other) for one, other in zip(*parts, strict=True)]
    made = ranks.all_reduce("forward", partial, "partial", "output")
    if made != [add(*alone)] * t:
        raise AssertionError("The split halves give another result than the whole ones.")
    return ranks.sent() * a


PARALLEL_BLOCK_BYTES = like(
    "parallel-block-bytes",
    TP_FORWARD_BYTES,
    title="Bytes a rank sends in the forward pass of one layer whose two halves run side by side",
    phrases="parallel attention and feed-forward communication; one all-reduce a layer in PaLM or GPT-J "
    "blocks; parallel transformer block transfers; parallel formulation halves the all-reduces; serial "
    "versus parallel layers traffic; tensor-parallel bytes of a parallel block",
    source=POPE_PARALLEL,
    oracle=run_both_halves_side_by_side,
    convention="One micro-batch; a ring all-reduce. Attention and feed-forward read the same input, and "
    "each rank adds its parts of both before they are summed.",
    ledger=(),
    holds_for={WITHOUT_EXPERTS: ""},
    chain="""
    V_par = V_AR                           -- one sum, of the parts of both halves together
      = 2*(t - 1)/t*(a*b_m*s*D/c)          -- half of what one after the other sends
    """,
)


def run_the_layer(**letters: Any) -> Fraction:
    """A layer run forward and backward on split weights; what a rank sends is counted."""
    return bytes_sent(Options(), **letters)


TP_LAYER_BYTES = like(
    "tp-layer-bytes",
    TP_FORWARD_BYTES,
    title="Bytes a rank sends in one layer under tensor parallelism",
    phrases="TP comm per layer fwd+bwd; four all-reduces; 8(t-1)/t bsh; how much do cards exchange "
    "within a sliced layer; f and g conjugate operators volume; tensor_model_parallel_size NVLink "
    "bytes; Megatron TP traffic forward and backward; how much does tensor parallel communicate; "
    "allreduce of hidden states bytes per layer",
    source=MEGATRON_VOLUME,
    oracle=run_the_layer,
    convention="One micro-batch, forward and backward; ring all-reduces; activations and their gradients "
    "take `a` bytes a value.",
    leaves_out="Embedding and loss, which only the first and the last stage have.",
    ledger=under(ROWS, sequence_parallel=False, forward=True, backward=True),
    holds_for={WITHOUT_EXPERTS: "moe-tp-layer-bytes"},
    chain="""
    V_TP = rows                            -- four products leave sums in parts
      = 4*V_AR                             -- each summed by an all-reduce
      = 8*(t - 1)/t*(a*b_m*s*D/c)          -- `2*(t - 1)/t` of the activation each
      <= 8*(a*b_m*s*D/c)                   -- `t - 1 < t`: more ranks do not send less
    """,
)


def run_the_layer_twice(**letters: Any) -> Fraction:
    """A layer run forward, forward again and backward on split weights, its sends counted."""
    return bytes_sent(Options(recompute=True), **letters)


TP_RECOMPUTE_LAYER_BYTES = like(
    "tp-recompute-layer-bytes",
    TP_FORWARD_BYTES,
    title="Bytes a rank sends in one layer under tensor parallelism, fully recomputed",
    phrases="TP comm per layer with full recompute; six all-reduces; 12(t-1)/t bsh; extra allreduces "
    "when forward is rerun; recompute redoes TP allreduces",
    oracle=run_the_layer_twice,
    convention="The whole layer runs forward again, its last all-reduce included, although nothing "
    "backward needs the layer's output.",
    ledger=under(ROWS, sequence_parallel=False, forward=True, backward=True, recompute=True),
    holds_for={WITHOUT_EXPERTS: "moe-tp-recompute-layer-bytes"},
    chain="""
    V_TPr = rows                           -- forward, forward again, backward
      = 6*V_AR                             -- two all-reduces each
      = 12*(t - 1)/t*(a*b_m*s*D/c)         -- half as much again as without recomputation
    """,
)


def run_a_stage(L_p: int, **letters: Any) -> Fraction:
    """Every layer of the stage run forward and backward on split weights, its sends added up."""
    return L_p * bytes_sent(Options(), c=1, **letters)


TP_VOLUME = derivation(
    "tp-volume",
    title="Tensor-parallel volume of a stage: four all-reduces a layer",
    phrases="TP volume of a stage for a microbatch; four all-reduces times layers; 8bsh(t-1)/t per "
    "layer Narayanan; tensor slicing traffic per micro-batch and stage; TP total traffic per stage",
    unit=BYTE,
    letters={**STAGE_VOLUME, "t": TP},
    uses={"V_TP": TP_LAYER_BYTES.at(c="1")},
    source=MEGATRON_VOLUME,
    oracle=run_a_stage,
    convention="What one rank sends for one micro-batch, forward and backward, in the `L_p` layers that "
    "it holds; no context parallelism.",
    chain="""
    V_T = sum(V_TP, (i, 1, L_p))              -- layer by layer
      = L_p*V_TP                              -- equal layers
      = 8*L_p*(t - 1)/t*(a*b_m*s*D)           -- four all-reduces of the activation each
    """,
)


def run_the_fullest_stage(L: int, p: int, m: int, **letters: Any) -> Fraction:
    """Layers dealt out to stages; those of the fullest run for each micro-batch, sends added up."""
    return m * max(map(len, spans(L, p))) * bytes_sent(Options(), **letters)


TP_STEP_BYTES = derivation(
    "tp-step-bytes",
    title="Bytes a rank of the fullest stage sends in a step under tensor parallelism",
    phrases="TP traffic per iteration; all layers and microbatches; total tensor slicing traffic per "
    "step; NVLink bytes of tensor parallel each iteration; TP gigabytes per GPU per iteration; total TP "
    "communication over all microbatches",
    unit=BYTE,
    letters={**SPLIT_ACTIVATION, "L": BLOCKS, "p": STAGES, "m": MICROBATCHES},
    uses={"V_TP": TP_LAYER_BYTES.at()},
    given=("c divides s",),
    source=MEGATRON_VOLUME,
    oracle=run_the_fullest_stage,
    convention="Forward and backward of `m` micro-batches, nothing recomputed. With sequence "
    "parallelism the same; where its inputs are gathered again, 10/8 of it.",
    leaves_out="Embedding and loss, which only the first and the last stage have.",
    holds_for={WITHOUT_EXPERTS: "moe-tp-step-bytes"},
    chain="""
    V_step = sum(ceil(L/p)*V_TP, (k, 1, m))     -- the layers of the fullest stage, each micro-batch
      = m*ceil(L/p)*V_TP                    -- equal micro-batches
      = 8*m*ceil(L/p)*(t - 1)/t*(a*b_m*s*D/c)   -- four all-reduces a layer
    """,
)
