"""What is left for the weights.

A backward in two halves makes the gradients of activations first, since other stages wait for them, and
those of the weights when there is time. In between a block holds, for each matrix, the input that its
forward saved and the gradient of its output, and nothing else: scores, masks and inputs of norms are
gone, but gradients have come. In a GPT block that is nearly as much as was saved beside scores, and in
a Llama block as much but for a number for each query.
"""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation, like
from workings.derivation.chain import Row
from workings.derivations.activations._block import KV_FIT, LLAMA, TOKEN_VALUES
from workings.derivations.activations._sources import ZERO_BUBBLE_LAYER
from workings.simulate.block_forward import Block, Mesh, run_block
from workings.simulate.block_tape import WeightsTape
from workings.units import BYTE
from workings.vocabulary.kinds import GATED, GPT_SHAPED, TWO_NORMS, WITHOUT_EXPERTS, WITHOUT_LATENT
from workings.vocabulary.training import ACTIVATION_WIDTH

LEAVES_OUT = "What norms keep for the gradients of their gains, which are made in the first half."


def left_for_weights(block: Block) -> Fraction:
    """A block run on shapes: each product with a weight keeps its input and its output's gradient."""
    return run_block(block, Mesh(), tape=WeightsTape()).bytes


def run_gpt(s: int, b_m: int, D: int) -> Fraction:
    """A GPT block run on shapes; inputs and output gradients of its matrices, each tensor once."""
    return left_for_weights(Block(s, b_m, D, 1, 1, D, 4 * D))


def rows(w: str, q: str, kv: str, f: str, first: str) -> tuple[Row, ...]:
    """The ledger: bytes a value, widths of queries, of keys, of the feed-forward and its first part."""
    each = f"{w}*s*b_m"
    return (
        Row("input of the attention", f"{each}*D", "shared by queries, keys and values"),
        Row("input of the projection", f"{each}*{q}", "the attention's output"),
        Row("input of the feed-forward", f"{each}*D", "shared by its first matrices"),
        Row("input of the last matrix", f"{each}*{f}", "the feed-forward's hidden values"),
        Row("gradient of the queries", f"{each}*{q}", "with the attention's input"),
        Row("gradient of the keys", f"{each}*{kv}", "with the attention's input"),
        Row("gradient of the values", f"{each}*{kv}", "with the attention's input"),
        Row("gradient of the projection's output", f"{each}*D", "with the projection's input"),
        Row(
            "gradient of the first matrices' outputs", f"{each}*{first}", "with the feed-forward's input"
        ),
        Row("gradient of the last matrix's output", f"{each}*D", "with the hidden values"),
    )


BLOCK_KEPT_FOR_WEIGHTS = derivation(
    "block-kept-for-weights",
    title="Activations a block keeps for its weights' gradients once its input's is done",
    phrases="activation memory between B and W; 32sbh left for the W pass; M_W of one layer; zero bubble "
    "activations after the input gradient; what a deferred weight gradient holds in memory; bytes that "
    "stay while weight gradients are postponed; wgrad stash per layer; bytes kept for W after B; inputs "
    "and output gradients of linear layers",
    unit=BYTE,
    letters=TOKEN_VALUES,
    fixes={ACTIVATION_WIDTH: 2},
    source=ZERO_BUBBLE_LAYER,
    oracle=run_gpt,
    convention="A GPT block: the heads fill the model's width, the feed-forward is `4*D` wide. 2 bytes a "
    "value, gradients too. A stage keeps this for each of its blocks.",
    leaves_out=LEAVES_OUT,
    ledger=rows("2[byte]", "D", "D", "4*D", "4*D"),
    holds_for={GPT_SHAPED: "block-kept-for-weights-llama"},
    chain="""
    A_W = rows                         -- add the rows
      = 32[byte]*s*b_m*D               -- 14 bytes of inputs and 18 of gradients
    """,
)


def run_llama(s: int, b_m: int, D: int, H: int, K: int, d_h: int, F: int, a: Fraction) -> Any:
    """A Llama block run on shapes; inputs and output gradients of its matrices, each tensor once."""
    return left_for_weights(
        Block(s, b_m, D, H, K, d_h, F, gated=True, width=a, dropout=False, flash=True)
    )


BLOCK_KEPT_FOR_WEIGHTS_LLAMA = like(
    "block-kept-for-weights-llama",
    BLOCK_KEPT_FOR_WEIGHTS,
    title="Activations a Llama block keeps for its weights' gradients once its input's is done",
    phrases="Llama layer memory between B and W; SwiGLU layer stash for a deferred weight gradient; "
    "zero bubble activations of a Llama block after the input gradient; M_W of a gated GQA layer; wgrad "
    "stash of a modern decoder layer; does splitting backward free activation memory in Llama",
    letters=LLAMA,
    given=(KV_FIT,),
    fixes={},
    oracle=run_llama,
    convention="Grouped-query attention, a gated feed-forward, no dropout; gradients take as many bytes "
    "a value as activations. As much as was saved, but for a number for each query and head.",
    ledger=rows("a", "H*d_h", "K*d_h", "F", "2*F"),
    holds_for={
        GATED: "block-kept-for-weights",
        WITHOUT_EXPERTS: "",
        WITHOUT_LATENT: "",
        TWO_NORMS: "",
    },
    chain="""
    A_Wl = rows                                                   -- add the rows
      = a*s*b_m*(4*D + 2*H*d_h + 2*K*d_h + 3*F)                   -- collect
    """,
)
