"""Kaplan's forward FLOPs a token."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.compute._sources import KAPLAN_COMPUTE
from workings.derivations.compute.attention_core_flops_causal import ATTENTION_CORE_FLOPS_CAUSAL
from workings.simulate.counted_attention import attend_batch
from workings.simulate.steps import touch_weights
from workings.units import FLOP
from workings.vocabulary.model import BLOCKS, HEAD_DIM, HEADS, OUTSIDE_TABLES
from workings.vocabulary.training import SEQUENCE_LENGTH


def run_one_token(P: int, L: int, H: int, d_h: int, s: int) -> Fraction | None:
    """Every weight met by a token once, and its part of a causal sequence's scores and values."""
    if s * s * H * d_h > 20_000:
        return None
    core = attend_batch(1, s, H, d_h, causal=True)
    return touch_weights(P, 1, passes=1) + L * Fraction(core, s)


KAPLAN_FLOPS_PER_TOKEN = derivation(
    "kaplan-flops-per-token",
    title="Forward FLOPs of a token (Kaplan's formula)",
    unit=FLOP,
    letters={"P": OUTSIDE_TABLES, "L": BLOCKS, "H": HEADS, "d_h": HEAD_DIM, "s": SEQUENCE_LENGTH},
    uses={"f_causal": ATTENTION_CORE_FLOPS_CAUSAL.at(b="1")},
    source=KAPLAN_COMPUTE,
    oracle=run_one_token,
    convention="`P` without embeddings. The paper's context term is causal pairs for scores and "
    "values, or all pairs for the scores alone: both give the same.",
    chain="""
    f_fwd_tok = 2[FLOP]*P + L*f_causal/s     -- 2 a weight; a token's part of the causal core
      = 2[FLOP]*P + 2[FLOP]*L*(s + 1)*H*d_h  -- on average it sees `(s + 1)/2` keys
      > 2[FLOP]*P + 2[FLOP]*L*s*H*d_h        -- the published form, which drops the query's own key
    """,
)
