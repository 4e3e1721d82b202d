"""Attention's intensity: many queries, and one.

With scores on the chip attention moves queries and outputs, keys and values, once each. A key that is
read serves all queries that are there and all heads that share it. In training and prefill all of a
sequence's queries are there, and attention is compute-bound from a few hundred tokens on. A token that is
generated is alone with the keys of everything before it: each is read for a multiply and an add for each
head that shares it. No batch helps, as every sequence has keys of its own; only shared heads do.
"""

from fractions import Fraction

from workings.derivation import derivation, like, only_if
from workings.derivations.roofline._sources import SCALING_BOOK_ATTENTION, SCALING_BOOK_GROUPED
from workings.derivations.roofline.device import CRITICAL_INTENSITY, DEVICE
from workings.simulate.attention_kernels import fused_attention
from workings.simulate.memory_traffic import Memory
from workings.units import BYTE, FLOP, ONE
from workings.vocabulary.kinds import WITHOUT_LATENT
from workings.vocabulary.model import HEAD_DIM, HEADS, KV_HEADS
from workings.vocabulary.roofline import QUERIES
from workings.vocabulary.training import ACTIVATION_WIDTH, MICROBATCH, SEQUENCE_LENGTH

SHARED = {"H": HEADS, "K": KV_HEADS, "s": SEQUENCE_LENGTH, "a": ACTIVATION_WIDTH}
ONCE = (
    "All pairs of queries and keys; queries, keys and values are read once, the output written once, "
    "all in the same width. Batch and width of a head cancel. "
)
DIVIDES = "K divides H"


def attend(s_q: int, H: int, K: int, s: int, a: Fraction) -> Memory | None:
    """Attention of a sequence with heads of 3 values; nothing where it is too long."""
    return fused_attention(s_q, s, H, K, 3, a) if H * s_q * s <= 5_000 else None


def move_each_tensor_once(b_m: int, s_q: int, H: int, K: int, s: int, d_h: int, a: Fraction) -> Fraction:
    """Every sequence attended to on the chip, each tensor loaded or stored once; all that moved."""
    only_if(b_m * H * s_q * s * d_h <= 20_000)
    moved = Fraction(0)
    for _ in range(b_m):
        moved += fused_attention(s_q, s, H, K, d_h, a).moved
    return moved


FUSED_ATTENTION_BYTES = derivation(
    "fused-attention-bytes",
    title="Bytes that attention of some queries over some keys moves, its scores on the chip",
    phrases="bytes of attention with T queries and S keys; 4BTNH + 4BSKH; queries, keys, values and "
    "output moved once; HBM traffic of an ideal fused attention; memory traffic of cross-attention; "
    "attention bytes reading the KV cache once; sdpa traffic if q k v o cross HBM once; 4BTD + 4BSD",
    unit=BYTE,
    letters={"b_m": MICROBATCH, "s_q": QUERIES, **SHARED, "d_h": HEAD_DIM},
    given=(DIVIDES,),
    source=SCALING_BOOK_GROUPED,
    oracle=move_each_tensor_once,
    convention="Forward; queries, keys and values are read once, the output written once, all in the "
    "same width. Heads that share keys and values read them together. `s_q = 1` is a token that is "
    "generated.",
    leaves_out="Keys that are read again for each block of queries.",
    holds_for={WITHOUT_LATENT: ""},
    chain="""
    V_at = b_m*((H + H)*a*s_q*d_h + (K + K)*a*s*d_h)
                                             -- queries and outputs; keys and values
      = 2*a*b_m*d_h*(H*s_q + K*s)            -- collect
      >= 2*a*b_m*d_h*K*s                     -- keys and values alone, however few the queries
    """,
)


def attend_on_the_chip(s_q: int, H: int, K: int, s: int, a: Fraction) -> Fraction | None:
    """Each shared head's keys and values loaded, each query attended to; FLOPs over bytes."""
    memory = attend(s_q, H, K, s, a)
    return memory.flops / memory.moved if memory else None


ATTENTION_INTENSITY = derivation(
    "attention-intensity",
    title="Arithmetic intensity of attention",
    phrases="ST/(S+T); FLOPs per byte of a fused attention kernel; intensity with T queries and S keys; "
    "few queries against a long context, FLOPs per byte; TSG/(TG+S)",
    unit=FLOP / BYTE,
    letters={"s_q": QUERIES, **SHARED},
    given=(DIVIDES,),
    source=SCALING_BOOK_GROUPED,
    oracle=attend_on_the_chip,
    convention=f"{ONCE}A kernel that keeps scores on the chip and reads keys again counts more bytes.",
    leaves_out="The softmax.",
    holds_for={WITHOUT_LATENT: ""},
    chain="""
    I_a = (2[FLOP]*H*s_q*s + 2[FLOP]*H*s_q*s)/(a*(2*H*s_q + 2*K*s))
                                             -- two products; queries, outputs, keys and values
      = 2[FLOP]*H*s_q*s/(a*(H*s_q + K*s))    -- cancel 2
      <= 2[FLOP]*H*s_q/(a*K)                 -- keys alone: the queries that share them
    """,
)


def attend_to_a_prompt(H: int, K: int, s: int, a: Fraction) -> Fraction | None:
    """All queries of a sequence attended to at once; FLOPs over bytes."""
    return attend_on_the_chip(s, H, K, s, a)


PREFILL_INTENSITY = like(
    "prefill-attention-intensity",
    ATTENTION_INTENSITY,
    title="Arithmetic intensity of attention over a whole sequence",
    phrases="prefill attention FLOPs per byte; attention intensity grows with prompt length; T/2; is "
    "training attention compute-bound; self-attention roofline of a prompt",
    letters=SHARED,
    uses={"I_a": ATTENTION_INTENSITY.at(s_q="s")},
    source=SCALING_BOOK_ATTENTION,
    oracle=attend_to_a_prompt,
    convention=f"{ONCE}About half of it where only the pairs that a causal mask lets through are "
    "computed.",
    chain="""
    I_pre = I_a                              -- as many queries as keys
      = 2[FLOP]*H*s/(a*(H + K))              -- in proportion to the sequence
    """,
)


def attend_to_the_cache(H: int, K: int, s: int, a: Fraction) -> Fraction | None:
    """One query attended to with every key there is; FLOPs over bytes."""
    return attend_on_the_chip(1, H, K, s, a)


DECODE_INTENSITY = like(
    "decode-attention-intensity",
    ATTENTION_INTENSITY,
    title="Arithmetic intensity of attention with one query (decoding)",
    phrases="decode attention FLOPs per byte; attention of one query memory-bound; MHA intensity 1, "
    "GQA intensity group size; why is decode attention bandwidth-bound; MQA decode roofline",
    letters=SHARED,
    uses={"I_a": ATTENTION_INTENSITY.at(s_q="1")},
    oracle=attend_to_the_cache,
    convention=f"{ONCE}`s` is the context, the token's own key included.",
    chain="""
    I_dec = I_a                              -- a single query
      = 2[FLOP]*H*s/(a*(H + K*s))            -- each key is read for the heads that share it
      <= 2[FLOP]*H/(a*K)                     -- no context and no batch lifts it further
      ≈ [s -> oo] 2[FLOP]*H/(a*K)            -- at 16 bits: the heads that share a key
    """,
)


def race_a_prompt(H: int, K: int, s: int, a: Fraction, C: Fraction, W_m: Fraction) -> bool | None:
    """A sequence attended to, its multiplies and adds raced against its loads and stores."""
    memory = attend(s, H, K, s, a)
    return memory.flops / C > memory.moved / W_m if memory else None


COMPUTE_BOUND_SEQUENCE = derivation(
    "compute-bound-attention-sequence",
    title="Sequence from which attention over it is compute-bound",
    phrases="prompt length where attention becomes FLOPs-bound; 480 tokens TPU v5e prefill "
    "attention; context at which fused attention saturates the GPU; minimum sequence for flash "
    "attention at peak",
    unit=ONE,
    noun="tokens",
    letters={**SHARED, **DEVICE},
    uses={"I_pre": PREFILL_INTENSITY.at(), "I_c": CRITICAL_INTENSITY.at()},
    given=(DIVIDES,),
    source=SCALING_BOOK_ATTENTION,
    oracle=race_a_prompt,
    convention=f"{ONCE}About twice as long where only the pairs that a causal mask lets through are "
    "computed.",
    leaves_out="The softmax, which other units compute beside the products.",
    holds_for={WITHOUT_LATENT: ""},
    chain="""
    I_pre > I_c                                      -- more FLOPs a byte than the device needs
      <=> 2[FLOP]*H*s/(a*(H + K)) > C/W_m            -- put both in
      <=> s > a*(H + K)*C/(2[FLOP]*H*W_m)            -- solve for the sequence
    """,
)
