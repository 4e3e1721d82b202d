"""A transformer block as every derivation here reads it: letters, ledger, forward run on shapes.

The ledger has a row for each tensor that is saved for the backward pass. Words in braces are filled in by
`saved`: bytes a value, widths, and what divides a tensor inside the tensor-parallel region (`inside`) and
outside it (`outside`).
"""

from dataclasses import replace
from fractions import Fraction

from workings.derivation.chain import Row, under
from workings.simulate.block_forward import Block, Mesh, Recompute, fullest_rank
from workings.vocabulary.layout import CP, TP
from workings.vocabulary.model import D_FF, D_MODEL, HEAD_DIM, HEADS, KV_HEADS
from workings.vocabulary.training import ACTIVATION_WIDTH, MICROBATCH, SEQUENCE_LENGTH

TOKEN_VALUES = {"s": SEQUENCE_LENGTH, "b_m": MICROBATCH, "D": D_MODEL}
GPT = {**TOKEN_VALUES, "H": HEADS}
GPT_TP = {**GPT, "t": TP}
LLAMA = {**GPT, "K": KV_HEADS, "d_h": HEAD_DIM, "F": D_FF, "a": ACTIVATION_WIDTH}
LLAMA_MESH = {**LLAMA, "t": TP, "c": CP}

GPT_CONVENTION = (
    "A GPT block: the heads fill the model's width, the feed-forward is `4*D` wide with a GeLU, dropout "
    "after softmax, attention and feed-forward. 2 bytes a value, 1 byte a mask."
)

LEAVES_OUT = (
    "Means and deviations of the norms, random states, and buffers that live for one operation only."
)

HEADS_FIT = "H divides D"
HEADS_SPLIT = "t divides H"
TOKENS_SPLIT = "t divides s"
CONTEXT_SPLIT = "c divides s"
KV_FIT = "K divides H"
KV_SPLIT = "ceil(max(K/t, t/K)) = max(K/t, t/K)"
"""Either ranks share the key and value heads evenly, or each head serves equally many ranks."""


def gpt_block(
    s: int, b_m: int, D: int, H: int, t: int = 1, *, sequence_parallel: bool = False,
    recompute: Recompute = "none", dropout: bool = True, flash: bool = False,
) -> Fraction | None:  # fmt: skip
    """A GPT block's forward run on shapes on every rank; what the fullest rank's tape keeps."""
    block = Block(s, b_m, D, H, H, D // H, 4 * D, dropout=dropout, flash=flash)
    return fullest_rank(block, Mesh(t, 1, sequence_parallel), recompute)


def llama_block(
    s: int, b_m: int, D: int, H: int, K: int, d_h: int, F: int, a: Fraction, t: int = 1, c: int = 1, *,
    recompute: Recompute = "none",
) -> Fraction | None:  # fmt: skip
    """A Llama block's forward run on shapes on every rank; what the fullest rank's tape keeps."""
    block = Block(s, b_m, D, H, K, d_h, F, gated=True, width=a, dropout=False, flash=True)
    return fullest_rank(block, Mesh(t, c, sequence_parallel=True), recompute)


# Under which switches a row exists
_KEPT = ("whole_block_again", False)  # kept unless the whole block is run again
_SCORES = ("scores", True)  # kept where the scores are neither recomputed nor tiled
_MASKS = ("dropout", True)

ROWS = (
    Row("input of the first norm", "{w}*s*b_m*D", "also the block's input", "{outside}"),
    Row("input of the attention", "{w}*s*b_m*D", "shared by queries, keys and values", "{outside}",
        when=(_KEPT,)),
    Row("queries", "{w}*s*b_m*{q}", "for the product with the keys", "{inside}", when=(_KEPT,)),
    Row("keys", "{w}*s*b_m*{kv}", "for the product with the queries", "{inside_kv}", when=(_KEPT,)),
    Row("values", "{w}*s*b_m*{kv}", "for the product with the attention's shares", "{inside_kv}",
        when=(_KEPT,)),
    Row("softmax output", "{w}*b_m*H*s^2", "its derivative follows from it", "{inside}",
        when=(_KEPT, _SCORES)),
    Row("softmax dropout mask", "1[byte]*b_m*H*s^2", "a byte a value", "{inside}",
        when=(_KEPT, _SCORES, _MASKS)),
    Row("softmax dropout output", "{w}*b_m*H*s^2", "for the product with the values", "{inside}",
        when=(_KEPT, _SCORES, _MASKS)),
    Row("log-sum-exp", "4[byte]*b_m*H*s", "FP32, from which tiles find their softmax again", "{inside}",
        when=(_KEPT, ("flash", True))),
    Row("input of the projection", "{w}*s*b_m*{q}", "the attention's output", "{inside}", when=(_KEPT,)),
    Row("attention dropout mask", "1[byte]*s*b_m*D", "a byte a value", "{outside}",
        when=(_KEPT, _MASKS)),
    Row("input of the second norm", "{w}*s*b_m*D", "the residual after the attention", "{outside}",
        when=(_KEPT,)),
    Row("input of the feed-forward", "{w}*s*b_m*D", "shared by its first matrices", "{outside}",
        when=(_KEPT,)),
    Row("input of the GeLU", "{w}*s*b_m*{f}", "its derivative needs it", "{inside}",
        when=(_KEPT, ("ffn", "plain"))),
    Row("gate", "{w}*s*b_m*{f}", "input of the SiLU", "{inside}", when=(_KEPT, ("ffn", "gated"))),
    Row("up", "{w}*s*b_m*{f}", "the other factor of the product", "{inside}",
        when=(_KEPT, ("ffn", "gated"))),
    Row("input of the last matrix", "{w}*s*b_m*{f}", "the feed-forward's hidden values", "{inside}",
        when=(_KEPT, ("dense", True))),
    Row("router's softmax", "4[byte]*s*b_m*E", "FP32, one value for each expert", "{outside}",
        when=(_KEPT, ("ffn", "experts"))),
    Row("received tokens", "{w}*s*b_m*k_E*phi*D", "a copy of a token for each expert it visits",
        "{outside}", when=(_KEPT, ("ffn", "experts"))),
    Row("their weights", "4[byte]*s*b_m*k_E*phi", "FP32, how much the answer counts", "{outside}",
        when=(_KEPT, ("ffn", "experts"))),
    Row("experts' gate, up and product", "3*{w}*s*b_m*k_E*phi*F_E", "as in a gated feed-forward",
        "{outside}", when=(_KEPT, ("ffn", "experts"))),
    Row("shared experts' gate, up and product", "3*{w}*s*b_m*E_s*F_E", "for every token", "{inside}",
        when=(_KEPT, ("ffn", "experts"))),
    Row("feed-forward dropout mask", "1[byte]*s*b_m*D", "a byte a value", "{outside}",
        when=(_KEPT, _MASKS)),
)  # fmt: skip

# Rows of a part of the block: a half keeps its input, which its norm gives it, and the mask after it.
ATTENTION_ROWS = (
    "input of the attention", "queries", "keys", "values", "softmax output", "softmax dropout mask",
    "softmax dropout output", "log-sum-exp", "input of the projection", "attention dropout mask",
)  # fmt: skip
SCORE_ROWS = ("softmax output", "softmax dropout mask", "softmax dropout output")
NORM_ROWS = ("input of the first norm", "input of the second norm")


def feed_forward_rows(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """What is left of a block's rows without those of the attention and the norms."""
    return tuple(row for row in rows if row.name not in (*ATTENTION_ROWS, *NORM_ROWS))


def only(rows: tuple[Row, ...], names: tuple[str, ...]) -> tuple[Row, ...]:
    """The rows of these names, in the ledger's order."""
    return tuple(row for row in rows if row.name in names)


def saved(
    *, recompute: str = "none", flash: bool = False, dropout: bool = True, ffn: str = "plain",
    **words: str,
) -> tuple[Row, ...]:  # fmt: skip
    """Read the ledger: recompute none, selective or full; a plain or gated feed-forward, or experts.

    `words` fill the braces; without them a GPT block in 16 bits, whole on one device.
    """
    rows = under(
        ROWS,
        whole_block_again=recompute == "full",
        scores=recompute == "none" and not flash,
        flash=flash,
        dropout=dropout,
        ffn=ffn,
        dense=ffn != "experts",
    )
    filled = {"w": "2[byte]", "q": "D", "kv": "D", "f": "4*D", "inside": "1", "outside": "1", **words}
    filled.setdefault("inside_kv", filled["inside"])
    return tuple(
        replace(row, amount=row.amount.format(**filled), split=row.split.format(**filled)) for row in rows
    )
