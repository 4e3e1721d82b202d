"""Linear attention.

Where no softmax stands between scores and values, the product with the keys can be put off: every key
times its value is added to one matrix a head, the state, and a query is multiplied with it. That takes
the same work for each token, however many came before, so that from some context on it is less than
attention to all of them. The last entry says from which.
"""

from workings.derivation import Source, derivation, only_if
from workings.derivations.compute._model import SEQUENCES
from workings.derivations.compute.attention import ATTENTION_CORE_FLOPS_CAUSAL
from workings.simulate.counted_attention import attend
from workings.simulate.matmul import ffn_numbers
from workings.simulate.state_space import Head, Ran, by_tokens
from workings.units import FLOP, ONE
from workings.vocabulary.kinds import WITHOUT_LATENT
from workings.vocabulary.model import HEAD_DIM, HEADS, KV_HEADS
from workings.vocabulary.state_space import FEATURE_DIM

LINEAR_ATTENTION = Source(
    "Katharopoulos and Vyas",
    "fast-transformers",
    2020,
    "recurrent/attention/self_attention/linear_attention.py, RecurrentLinearAttention "
    "(arXiv:2006.16236, “Transformers are RNNs”)",
    "https://github.com/idiap/fast-transformers",
)
LINEAR = {**SEQUENCES, "H": HEADS, "K": KV_HEADS, "d_phi": FEATURE_DIM, "d_h": HEAD_DIM}


def run_one_head(s: int, d_phi: int, d_h: int) -> Ran:
    """A head run token by token. AssertionError unless attention without softmax puts out the same."""
    head = Head(ffn_numbers(s, d_phi, 1), ffn_numbers(s, d_phi, 2), ffn_numbers(s, d_h, 3))
    ran = by_tokens(head)
    if ran.output != attend(head.queries, head.keys, head.values, causal=True).output:
        raise AssertionError("The recurrent form is not causal attention without softmax.")
    return ran


def run_every_head(b: int, s: int, H: int, K: int, d_phi: int, d_h: int) -> int:
    """Every key and value head written to its state token by token, every query head read, counted."""
    only_if(s * s * (d_phi + d_h) <= 5_000 and s * d_phi * d_h <= 5_000 and b * (H + K) <= 500)
    ran = run_one_head(s, d_phi, d_h)
    states = [ran.written for _ in range(b) for _ in range(K)]
    outputs = [ran.read for _ in range(b) for _ in range(H)]
    return sum(states) + sum(outputs)


LINEAR_ATTENTION_FLOPS = derivation(
    "linear-attention-flops",
    title="FLOPs of causal linear attention in its recurrent form, forward",
    phrases="linear attention compute; FLOPs of attention without softmax; kernel attention "
    "recurrent cost; outer product state update k v^T FLOPs; RetNet or gated linear attention "
    "operations; Transformers are RNNs cost per sequence; O(N) attention FLOPs; Lightning attention "
    "cost; fast weights update cost",
    unit=FLOP,
    letters=LINEAR,
    source=LINEAR_ATTENTION,
    oracle=run_every_head,
    convention="One state, `d_phi` by `d_h`, for each key and value head, read by the query heads "
    "that share it; `K = H` gives `4[FLOP]*b*s*H*d_phi*d_h`. With `s = 1` it is a token's, at any "
    "context.",
    leaves_out="The feature map; the sum of keys that the output is divided by; decays and gates: a "
    "decay multiplies the state once more (ssd-recurrent-flops).",
    holds_for={WITHOUT_LATENT: ""},
    chain="""
    f_lat = b*sum(sum(2[FLOP]*d_phi*d_h, (i, 1, K)) + sum(2[FLOP]*d_phi*d_h, (i, 1, H)), (j, 1, s))
                                             -- a token: each key times its value added, each query read
      = 2[FLOP]*b*s*(H + K)*d_phi*d_h        -- linear in the sequence
    """,
)


def compare_with_all_pairs(s: int, H: int, K: int, d_phi: int) -> bool:
    """A head of both kinds run over the same tokens, for each head that there is; FLOPs compared."""
    only_if(s <= 300 and d_phi <= 300 and s * s <= 40_000)
    width = 1
    wide, narrow = ffn_numbers(s, d_phi, 1), ffn_numbers(s, width, 2)
    ran = by_tokens(Head(wide, wide, narrow))
    linear = sum(ran.written for _ in range(K)) + sum(ran.read for _ in range(H))
    pairs = sum(attend(narrow, narrow, narrow, causal=True).flops for _ in range(H))
    return linear < pairs


LINEAR_ATTENTION_CONTEXT = derivation(
    "linear-attention-context",
    title="Context from which linear attention takes fewer FLOPs than causal softmax attention",
    phrases="when does linear attention pay off; crossover length of linear versus quadratic "
    "attention; sequence length at which linear attention becomes cheaper; break-even context for "
    "RetNet or Performer; is linear attention faster at 2k tokens; s greater than 2 d",
    unit=ONE,
    noun="tokens",
    letters={name: LINEAR[name] for name in ("s", "H", "K", "d_phi")},
    uses={
        "f_lat": LINEAR_ATTENTION_FLOPS.at(b="1", d_h="1"),
        "f_causal": ATTENTION_CORE_FLOPS_CAUSAL.at(b="1", d_h="1"),
    },
    source=LINEAR_ATTENTION,
    oracle=compare_with_all_pairs,
    convention="Only pairs that the mask lets through are counted for softmax attention; where all "
    "are, the context is half as long. `K = H` gives `s > 2*d_phi - 1`. Batch and values' width "
    "cancel.",
    leaves_out="The softmax and the feature map; that outer products keep a device's matrix units "
    "less busy.",
    holds_for={WITHOUT_LATENT: ""},
    chain="""
    f_lat < f_causal                                   -- less than scores and values of all pairs
      <=> 2[FLOP]*s*(H + K)*d_phi < 2[FLOP]*s*(s + 1)*H      -- put them in
      <=> s > (1 + K/H)*d_phi - 1                      -- divide by `2*s*H`
    """,
)
