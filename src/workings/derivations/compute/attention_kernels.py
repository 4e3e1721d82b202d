"""What a kernel of attention computes.

The core of attention is two products, of which a kernel does more or fewer. Where a few queries meet
many keys, as in a chunk of a prompt or in cross-attention, the square becomes a rectangle. A backward
pass that found the scores in memory would do four products; FlashAttention kept none, so it does the
first of the forward once more and takes five. The softmax between the products is left out of FLOPs
everywhere else; it is counted here, because some sources add it.
"""

from workings.derivation import Source, derivation, like, only_if
from workings.derivations.compute._model import SEQUENCES
from workings.derivations.compute._sources import scaling_book
from workings.derivations.compute.attention import ATTENTION_CORE_FLOPS, ATTENTION_CORE_FLOPS_CAUSAL
from workings.derivations.compute.matmul import MATMUL_FLOPS
from workings.simulate.attention_gradients import flash_backward
from workings.simulate.matmul import counted_matmul, ffn_numbers, transpose
from workings.units import FLOP
from workings.vocabulary.model import HEAD_DIM, HEADS
from workings.vocabulary.roofline import QUERIES
from workings.vocabulary.training import BATCH, SEQUENCE_LENGTH

CORE = {**SEQUENCES, "H": HEADS, "d_h": HEAD_DIM}


def score_a_rectangle(b: int, s_q: int, s: int, H: int, d_h: int) -> int:
    """Every head's queries scored with all keys and the values added up, each FLOP counted."""
    only_if(b * s_q * s * H * d_h <= 20_000)
    flops = 0
    for head in range(b * H):
        table, first = counted_matmul(ffn_numbers(s_q, d_h, head), transpose(ffn_numbers(s, d_h, head)))
        flops += first + counted_matmul(table, ffn_numbers(s, d_h, head + 1))[1]
    return flops


QUERIES_OVER_KEYS_FLOPS = derivation(
    "attention-queries-keys-flops",
    title="FLOPs of attention of some queries over some keys, forward",
    phrases="4BTSNH; query length T and key length S; cross-attention FLOPs; chunked prefill attention "
    "compute; rectangular QK^T and PV; decoder queries against encoder keys cost; FLOPs when queries and "
    "keys have unlike lengths; text tokens attending to image tokens; q_len and kv_len differ",
    unit=FLOP,
    letters={"b": BATCH, "s_q": QUERIES, "s": SEQUENCE_LENGTH, "H": HEADS, "d_h": HEAD_DIM},
    uses={
        "f_qk": MATMUL_FLOPS.at(B="s_q", D="d_h", F="s"),
        "f_av": MATMUL_FLOPS.at(B="s_q", D="s", F="d_h"),
    },
    source=scaling_book("“Attention”, and question 4 of “A Few Problems to Work”"),
    oracle=score_a_rectangle,
    convention="Every query meets every key; `s` counts the keys, and `s_q = s` is attention of a "
    "sequence over itself. Shared key and value heads change nothing. Three times this in training.",
    leaves_out="The softmax.",
    chain="""
    f_rect = b*H*(f_qk + f_av)               -- for each head: scores, then values weighted by them
      = b*H*(2[FLOP]*s_q*d_h*s + 2[FLOP]*s_q*s*d_h)   -- two products
      = 4[FLOP]*b*s_q*s*H*d_h                -- a rectangle of queries and keys
    """,
)


def follow_every_head_back(b: int, s: int, H: int, d_h: int, *, causal: bool = False) -> int:
    """Every head's backward run in blocks of keys, scores computed again, each FLOP counted."""
    only_if(b * s * s * H * d_h <= 1_500)
    flops = 0
    for head in range(b * H):
        q, k, v, gradient = (ffn_numbers(s, d_h, head + n) for n in range(4))
        flops += flash_backward(q, k, v, gradient, 3, causal=causal)[1].flops
    return flops


FLASH_PAPER = Source(
    "Dao",
    "FlashAttention-2: Faster Attention with Better Parallelism and Work Partitioning",
    2023,
    "section 4.1, and section 3.1.2, algorithm 2",
    "https://arxiv.org/abs/2307.08691",
)

ATTENTION_BACKWARD_FLOPS = derivation(
    "attention-backward-flops",
    title="FLOPs of FlashAttention, backward",
    phrases="flash attention backward FLOPs; 2.5 times the forward; five matmuls of the backward pass; "
    "attention backward with recomputed scores; dQ dK dV compute; 10 s^2 d heads; flash_attn_bwd "
    "operation count; gradient of scaled dot product attention, operations; bwd TFLOPs of the "
    "flash-attn benchmark; gradient of attention when scores were thrown away",
    unit=FLOP,
    letters=CORE,
    uses={
        "f_qk": MATMUL_FLOPS.at(B="s", D="d_h", F="s"),
        "f_av": MATMUL_FLOPS.at(B="s", D="s", F="d_h"),
        "f_core": ATTENTION_CORE_FLOPS.at(),
    },
    source=FLASH_PAPER,
    oracle=follow_every_head_back,
    convention="Full attention: what a causal mask hides is computed too. With scores kept in memory it "
    "is four products, `2*f_core`.",
    leaves_out="The softmax and its derivative.",
    chain="""
    f_fb = b*H*((f_qk + f_qk) + (f_av + f_av + f_av))
                         -- scores again, gradients of weights; of values, queries and keys
      = b*H*(2*(2[FLOP]*s*d_h*s) + 3*(2[FLOP]*s*s*d_h))   -- five products
      = 10[FLOP]*b*s^2*H*d_h                              -- collect
      = 5/2*f_core                                        -- against the two of the forward pass
    """,
)


def follow_seen_pairs_back(**letters: int) -> int:
    """Every head's backward run in blocks, of each query only the keys that it sees, FLOPs counted."""
    return follow_every_head_back(**letters, causal=True)


ATTENTION_BACKWARD_FLOPS_CAUSAL = like(
    "attention-backward-flops-causal",
    ATTENTION_BACKWARD_FLOPS,
    title="FLOPs of causal FlashAttention, backward",
    phrases="masked flash attention backward FLOPs; half of the backward with is_causal=True; 5 s^2 d "
    "heads; lower-triangle attention gradient compute; causal flash_attn_bwd operation count; backward "
    "of causal attention, 2.5 times; is_causal sdpa bwd FLOPs",
    uses={"f_causal": ATTENTION_CORE_FLOPS_CAUSAL.at()},
    oracle=follow_seen_pairs_back,
    convention="Causal: only pairs that the mask lets through.",
    chain="""
    f_fbc = b*H*sum(i*(2[FLOP]*d_h + 2[FLOP]*d_h + 6[FLOP]*d_h), (i, 1, s))
                                             -- query `i` sees `i` keys: five products with each
      = 5[FLOP]*b*s*(s + 1)*H*d_h            -- the first `s` whole numbers added up
      = 5/2*f_causal                         -- as without a mask
    """,
)


def weigh_every_row(b: int, s: int, H: int) -> int:
    """Every row of scores exponentiated, added up and divided, a FLOP at a time."""
    only_if(b * H * s * s <= 3_000)
    flops = 0
    for _ in range(b * H):
        for row in counted_matmul(ffn_numbers(s, 1, 1), ffn_numbers(1, s, 2))[0]:
            powers, total = [], 0
            for score in row:
                powers.append(2 ** abs(score))
                flops += 1
            for power in powers:
                total += power
                flops += 1
            weights = []
            for power in powers:
                weights.append(power / total)
                flops += 1
    return flops


SOFTMAX_FLOPS = derivation(
    "softmax-flops",
    title="FLOPs of attention's softmax, forward",
    phrases="softmax operation count; 3 num_heads seq_len squared; exponentials, sums and divisions of "
    "the attention weights; non-matmul FLOPs of attention; how many operations does softmax take; "
    "Chinchilla appendix F softmax term; exp count of attention probabilities; work of normalizing "
    "attention scores",
    unit=FLOP,
    letters={**SEQUENCES, "H": HEADS},
    source=Source(
        "Hoffmann et al.",
        "Training Compute-Optimal Large Language Models",
        2022,
        "appendix F, “Softmax”",
        "https://arxiv.org/abs/2203.15556",
    ),
    oracle=weigh_every_row,
    convention="An exponential, an addition to the row's sum and a division are a FLOP each. Finding a "
    "row's largest score and subtracting it are two more, which some sources count: 5 a score.",
    leaves_out="Scaling the scores, the mask and dropout.",
    chain="""
    f_soft = b*H*sum(s*1[FLOP] + s*1[FLOP] + s*1[FLOP], (i, 1, s))
                                             -- a query's row: exponentials, their sum, divisions
      = 3[FLOP]*b*H*s^2                      -- a score for each pair of tokens
    """,
)
