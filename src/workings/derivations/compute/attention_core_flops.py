"""FLOPs of attention itself, every query with every key."""

from workings.derivation import derivation
from workings.derivations.compute._letters import SEQUENCES
from workings.derivations.compute._sources import SCALING_BOOK_ACCOUNTING
from workings.derivations.compute.matmul_flops import MATMUL_FLOPS
from workings.simulate.counted_attention import attend_batch
from workings.units import FLOP
from workings.vocabulary.model import HEAD_DIM, HEADS


def attend_to_every_key(b: int, s: int, H: int, d_h: int) -> int | None:
    """Every query scored with every key of its head, the values added up, each FLOP counted."""
    if b * s * s * H * d_h > 20_000:
        return None
    return attend_batch(b, s, H, d_h, causal=False)


ATTENTION_CORE_FLOPS = derivation(
    "attention-core-flops",
    title="FLOPs of attention's scores and weighted values, forward",
    unit=FLOP,
    letters={**SEQUENCES, "H": HEADS, "d_h": HEAD_DIM},
    uses={
        "f_qk": MATMUL_FLOPS.at(B="s", D="d_h", F="s"),
        "f_av": MATMUL_FLOPS.at(B="s", D="s", F="d_h"),
    },
    source=SCALING_BOOK_ACCOUNTING,
    oracle=attend_to_every_key,
    convention="Full attention: what a causal mask hides is computed too.",
    leaves_out="The softmax.",
    chain="""
    f_core = b*H*(f_qk + f_av)               -- for each head: scores, then values weighted by them
      = b*H*(2[FLOP]*s*d_h*s + 2[FLOP]*s*s*d_h)   -- two products
      = 4[FLOP]*b*s^2*H*d_h                  -- quadratic in the sequence
    """,
)
