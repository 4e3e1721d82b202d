"""FLOPs of multi-head latent attention itself, every query with the keys up to its own place."""

from workings.derivation import derivation
from workings.derivations.compute._letters import SEQUENCES
from workings.derivations.parameters._sources import transformers
from workings.simulate.counted_attention import attend
from workings.simulate.matmul import ffn_numbers
from workings.units import FLOP
from workings.vocabulary.model import HEADS, NOPE_DIM, ROPE_DIM, V_DIM


def attend_with_two_widths(b: int, s: int, H: int, d_n: int, d_r: int, d_v: int) -> int | None:
    """Every query scored with the keys up to its own, narrower values added up, FLOPs counted."""
    if b * s * s * H * (d_n + d_r + d_v) > 30_000:
        return None
    flops = 0
    for head in range(b * H):
        queries, keys = (ffn_numbers(s, d_n + d_r, head + n) for n in range(2))
        flops += attend(queries, keys, ffn_numbers(s, d_v, head), causal=True).flops
    return flops


MLA_CORE_FLOPS_CAUSAL = derivation(
    "mla-core-flops-causal",
    title="FLOPs of causal multi-head latent attention's scores and weighted values, forward",
    unit=FLOP,
    letters={**SEQUENCES, "H": HEADS, "d_n": NOPE_DIM, "d_r": ROPE_DIM, "d_v": V_DIM},
    source=transformers("deepseek_v3", "DeepseekV3Attention"),
    oracle=attend_with_two_widths,
    convention="As it is trained: every head has keys of its own, `d_n + d_r` wide, and values of `d_v`. "
    "Only pairs that the mask lets through.",
    leaves_out="The softmax.",
    chain="""
    f_mla = b*H*sum(i*(2[FLOP]*(d_n + d_r) + 2[FLOP]*d_v), (i, 1, s))
                                             -- query `i` sees `i` keys: a score and a value each
      = b*H*(s*(s + 1)/2)*(2[FLOP]*(d_n + d_r) + 2[FLOP]*d_v)   -- pairs
      = b*s*(s + 1)*H*(1[FLOP]*(d_n + d_r + d_v))   -- collect
    """,
)
