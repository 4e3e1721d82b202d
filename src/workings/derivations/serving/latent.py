"""Latent attention in a decode step.

Latent attention keeps a compressed vector of each token, from which every head's key and value could be
brought up. For a whole prompt that is done. For one new token it would be done again for every token in
the cache; the product of the query with a key that was brought up is, however, that of the query,
brought into the space of the cache, with the vector itself. So the matrices are multiplied with the one
query and the one output, and all heads read the same few vectors: what multi-query attention does, with
wider heads. It computes more a byte than any other attention, and may wait for arithmetic where others
wait for memory.
"""

from fractions import Fraction

from workings.derivation import derivation, like, only_if
from workings.derivations.compute._model import SEQUENCES
from workings.derivations.compute.matmul import MATMUL_FLOPS
from workings.derivations.serving._sources import FLASH_MLA, MLA_ABSORBED
from workings.simulate.latent_decode import Counted, absorb, expand, make_heads
from workings.simulate.matmul import ffn_numbers
from workings.units import BYTE, FLOP
from workings.vocabulary.kinds import LATENT_ATTENTION
from workings.vocabulary.model import HEADS, KV_RANK, NOPE_DIM, ROPE_DIM, V_DIM
from workings.vocabulary.serving import CACHE_WIDTH
from workings.vocabulary.training import SEQUENCE_LENGTH

CORE = {**SEQUENCES, "H": HEADS, "r_kv": KV_RANK, "d_n": NOPE_DIM, "d_r": ROPE_DIM, "d_v": V_DIM}
SINGLE = "One block and one new token in each of `b` sequences, the `s`-th: it sees `s` tokens. "


def decode(
    s: int, H: int, r_kv: int, d_n: int, d_r: int, d_v: int, *, absorbed: bool = True
) -> list[Counted]:
    """One token of a sequence attended to by every head, over a cache of small whole numbers."""
    only_if(s * H * (r_kv * (d_n + d_v) + d_r) <= 30_000)
    way = absorb if absorbed else expand
    latents, turned = ffn_numbers(s, r_kv, 1), ffn_numbers(s, d_r, 2)
    return [way(head, latents, turned) for head in make_heads(H, r_kv, d_n, d_r, d_v)]


def attend_to_the_vectors(b: int, s: int, H: int, r_kv: int, d_n: int, d_r: int, d_v: int) -> int:
    """Every head's query brought into the cache's space, its output out of it, each FLOP counted."""
    return sum(head.cache + head.once for _ in range(b) for head in decode(s, H, r_kv, d_n, d_r, d_v))


MLA_ABSORBED_FLOPS = derivation(
    "mla-absorbed-decode-flops",
    title="FLOPs of latent attention in a decode step, its up-projections absorbed",
    phrases="MLA weight absorption FLOPs; absorbed W_UK and W_UV; DeepSeek decode attention compute; "
    "FlashMLA operation count; MLA as multi-query attention while decoding; W_UK absorbed into the "
    "query; latent attention operations per generated token; W_UK folded into W_Q",
    unit=FLOP,
    letters=CORE,
    uses={
        "f_down": MATMUL_FLOPS.at(B="1", D="d_n", F="r_kv"),
        "f_qk": MATMUL_FLOPS.at(B="1", D="r_kv + d_r", F="s"),
        "f_av": MATMUL_FLOPS.at(B="1", D="s", F="r_kv"),
        "f_up": MATMUL_FLOPS.at(B="1", D="r_kv", F="d_v"),
    },
    source=MLA_ABSORBED,
    oracle=attend_to_the_vectors,
    convention=f"{SINGLE}A head's query is brought into the space of the cache, its output out of it; "
    "nothing is computed anew of tokens that are in the cache.",
    leaves_out="Making the query and the compressed vector, and the output's product: "
    "mla-projection-flops has all of them; the softmax.",
    holds_for={LATENT_ATTENTION: ""},
    chain="""
    f_abs = b*H*(f_down + f_qk + f_av + f_up)    -- query in; scores and weighted vectors; output out
      = b*H*(2[FLOP]*d_n*r_kv + 2[FLOP]*(r_kv + d_r)*s + 2[FLOP]*s*r_kv + 2[FLOP]*r_kv*d_v)
                                                 -- four products
      = 2[FLOP]*b*H*(s*(2*r_kv + d_r) + r_kv*(d_n + d_v))
                                                 -- for each token in the cache; once
    """,
)


def bring_everything_up(b: int, s: int, H: int, r_kv: int, d_n: int, d_r: int, d_v: int) -> int:
    """Every head's key and value brought up for each token in the cache, each FLOP counted."""
    heads = decode(s, H, r_kv, d_n, d_r, d_v, absorbed=False)
    return sum(head.cache for _ in range(b) for head in heads)


MLA_EXPANDED_FLOPS = like(
    "mla-expanded-decode-flops",
    MLA_ABSORBED_FLOPS,
    title="FLOPs of latent attention in a decode step, every key and value brought up",
    phrases="naive MLA decode FLOPs; MLA without weight absorption; up-project the whole latent cache "
    "each step; kv_b_proj over the context while decoding; cost of expanding compressed keys and "
    "values; why absorb the up-projections",
    uses={
        "f_key": MATMUL_FLOPS.at(B="s", D="r_kv", F="d_n"),
        "f_value": MATMUL_FLOPS.at(B="s", D="r_kv", F="d_v"),
        "f_qk": MATMUL_FLOPS.at(B="1", D="d_n + d_r", F="s"),
        "f_av": MATMUL_FLOPS.at(B="1", D="s", F="d_v"),
    },
    oracle=bring_everything_up,
    convention=f"{SINGLE}As in training, keys and values are brought up for every head, here of all "
    "tokens in the cache in each step.",
    chain="""
    f_exp = b*H*(f_key + f_value + f_qk + f_av)  -- keys and values up; scores and weighted values
      = b*H*(2[FLOP]*s*r_kv*d_n + 2[FLOP]*s*r_kv*d_v + 2[FLOP]*(d_n + d_r)*s + 2[FLOP]*s*d_v)
                                                 -- four products
      = 2[FLOP]*b*H*s*((r_kv + 1)*(d_n + d_v) + d_r)     -- all of it for each token in the cache
    """,
)


def attend_and_read_the_vectors(s: int, H: int, r_kv: int, d_r: int, w_kv: Fraction) -> Fraction:
    """Every head attended to over the same vectors: what depends on them, over reading them once."""
    flops = sum(head.cache for head in decode(s, H, r_kv, 1, d_r, 1))
    read = Fraction(0)
    for vector in (*ffn_numbers(s, r_kv, 1), *ffn_numbers(s, d_r, 2)):
        read += sum(w_kv for _ in vector)
    return flops / read


MLA_CACHE_INTENSITY = derivation(
    "mla-cache-read-intensity",
    title="Arithmetic intensity of absorbed latent attention in a decode step, by its cache alone",
    phrases="MLA operations for each byte it reads; is FlashMLA compute-bound; why is MLA decoding "
    "compute-bound; compute-memory ratio 2 h_q; DeepSeek decode attention roofline; 242 FLOPs a byte; "
    "arithmetic intensity of multi-head latent attention; FLOPs per byte of the latent cache",
    unit=FLOP / BYTE,
    letters={
        "s": SEQUENCE_LENGTH,
        "H": HEADS,
        "r_kv": KV_RANK,
        "d_r": ROPE_DIM,
        "w_kv": CACHE_WIDTH,
    },
    source=FLASH_MLA,
    oracle=attend_and_read_the_vectors,
    convention="One new token; all heads share what is read, which is key and value at once. Several "
    "tokens at once, as in speculative decoding, multiply it. Neither batch nor context changes it.",
    leaves_out="The softmax; the absorbed matrices, which a batch shares; reading queries and writing "
    "outputs.",
    holds_for={LATENT_ATTENTION: "cache-read-intensity"},
    chain="""
    I_mla = H*(2[FLOP]*(r_kv + d_r)*s + 2[FLOP]*s*r_kv)/sum((r_kv + d_r)*w_kv, (i, 1, s))
                                                 -- scores and weighted vectors, over reading those
      = 2[FLOP]*H*(2*r_kv + d_r)/((r_kv + d_r)*w_kv)     -- the context cancels
      <= 4[FLOP]*H/w_kv                                  -- each value for a score and a sum, by all heads
    """,
)
