"""What attention keeps of its scores.

A score for each pair of tokens and each head is the only tensor of a block that grows with the square of
the sequence. Each table of them has the same size, as many bytes a score as its values are wide: the
softmax's output, that output with dropout, and the mask, a byte a score. A kernel that makes the scores
again from queries and keys keeps a number for each query in their place. Sharing keys and values between
heads does nothing for the tables: every query head has scores of its own.
"""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.activations._block import KV_FIT, LEAVES_OUT, LLAMA, saved
from workings.derivations.activations._sources import korthikanti
from workings.derivations.activations.block import FLASH
from workings.simulate.block_forward import Block, Mesh, fullest_rank, run_block
from workings.units import BYTE
from workings.vocabulary.kinds import PLAIN, TWO_NORMS, WITHOUT_EXPERTS, WITHOUT_LATENT
from workings.vocabulary.model import HEADS
from workings.vocabulary.training import ACTIVATION_WIDTH, MICROBATCH, SEQUENCE_LENGTH

QUERIES = {"b_m": MICROBATCH, "H": HEADS, "s": SEQUENCE_LENGTH}


def kept_as(name: str, block: Block) -> Fraction:
    """Bytes of the tensor of that name that a block's forward leaves on its tape."""
    saved_tensors = run_block(block, Mesh()).saved
    return sum((tensor.bytes for tensor in saved_tensors if tensor.name == name), Fraction(0))


def keep_the_softmax(b_m: int, H: int, s: int, a: Fraction) -> Fraction:
    """A block's forward run on shapes; the bytes of what its softmax leaves on the tape."""
    return kept_as("shares", Block(s, b_m, H, H, H, 1, 1, width=a, dropout=False))


SCORE_TABLE_BYTES = derivation(
    "score-table-bytes",
    title="Bytes of attention's table of scores",
    phrases="memory of the attention matrix; size of QK^T; N^2 score matrix memory; softmax output "
    "bytes; attention weights table; quadratic memory of attention; dropout mask size of attention; "
    "batch heads seq seq tensor; how large is the s by s matrix; QK^T runs out of memory (OOM) without "
    "flash; 2as²b; attention map memory without FlashAttention",
    unit=BYTE,
    letters={**QUERIES, "a": ACTIVATION_WIDTH},
    source=korthikanti("section 4.1, “Attention block”"),
    oracle=keep_the_softmax,
    convention="One table of one block: the scores, or their softmax, or that with dropout. At a byte a "
    "value it is a dropout mask; its bytes over `a` are the number of scores. Full attention, whatever "
    "the mask hides; key and value heads do not matter.",
    leaves_out="Copies that kernels of their own make for the scale, the mask or another width.",
    chain="""
    M_qk = b_m*H*sum(a*s, (i, 1, s))         -- a score with every key, for each query of each head
      = a*b_m*H*s^2                          -- quadratic in the sequence
    """,
)


def keep_the_sums(b_m: int, H: int, s: int) -> Fraction:
    """A block's forward run on shapes with tiled attention; the bytes it keeps for the softmax."""
    return kept_as("log-sum-exp", Block(s, b_m, H, H, H, 1, 1, flash=True))


FLASH_STATISTICS_BYTES = derivation(
    "flash-statistics-bytes",
    title="Bytes that FlashAttention keeps in place of the scores",
    phrases="logsumexp memory; extra memory of FlashAttention; O(N) memory beyond inputs and output; LSE "
    "tensor size; softmax statistics kept for the backward pass; 4bsa bytes instead of the score matrix",
    unit=BYTE,
    letters=QUERIES,
    source=FLASH,
    oracle=keep_the_sums,
    convention="One block: the logarithm of a row's sum in FP32, as FlashAttention-2 keeps it. The first "
    "FlashAttention kept two numbers, twice this.",
    leaves_out="Queries, keys, values and the output, which are kept either way.",
    chain="""
    M_lse = b_m*H*sum(4[byte], (i, 1, s))    -- a number for each query of each head
      = 4[byte]*b_m*H*s                      -- linear in the sequence
    """,
)


def run_with_groups(**letters: Any) -> Fraction | None:
    """The block's forward run on shapes, keys shared, full scores, dropout; what the tape keeps."""
    s, b_m, heads, kv_heads = (letters[name] for name in ("s", "b_m", "H", "K"))
    block = Block(s, b_m, letters["D"], heads, kv_heads, letters["d_h"], letters["F"], width=letters["a"])
    return fullest_rank(block, Mesh())


BLOCK_ACTIVATIONS_GROUPED = derivation(
    "block-activations-grouped",
    title="Activations a plain block with grouped or multi-query attention and dropout saves",
    phrases="MQA layer activation memory with dropout; multi-query attention score memory; GQA without "
    "FlashAttention activations; Korthikanti formula for grouped queries; 34sbh with fewer key value "
    "heads; Falcon or StarCoder layer stash; shared key value heads and full score matrix; activations "
    "of any head width with dropout masks",
    unit=BYTE,
    letters=LLAMA,
    given=(KV_FIT,),
    source=korthikanti("section 4.1, equation 1, with keys and values of fewer heads"),
    oracle=run_with_groups,
    convention="A plain feed-forward of any width, dropout after softmax, attention and feed-forward, "
    "full scores. At GPT's shape and 2 bytes it is block-activations; `K = 1` is multi-query attention.",
    leaves_out=LEAVES_OUT,
    ledger=saved(w="a", q="H*d_h", kv="K*d_h", f="F"),
    holds_for={
        PLAIN: "block-activations-llama",
        WITHOUT_EXPERTS: "block-activations-experts",
        WITHOUT_LATENT: "block-activations-mla",
        TWO_NORMS: "",
    },
    chain="""
    A_gq = rows                                                        -- add the rows
      = s*b_m*(a*(4*D + 2*d_h*(H + K) + 2*F) + 2[byte]*D) + (2*a + 1[byte])*b_m*H*s^2
                                             -- collect: sharing keys saves `2*a*s*b_m*d_h` a head
    """,
)
