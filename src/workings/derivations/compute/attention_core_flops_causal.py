"""FLOPs of attention itself, every query with the keys up to its own place."""

from workings.derivation import derivation
from workings.derivations.compute._letters import SEQUENCES
from workings.derivations.compute._sources import KAPLAN_COMPUTE
from workings.simulate.counted_attention import attend_batch
from workings.units import FLOP
from workings.vocabulary.model import HEAD_DIM, HEADS


def attend_to_earlier_keys(b: int, s: int, H: int, d_h: int) -> int | None:
    """Every query scored with the keys before it and its own, values added up, FLOPs counted."""
    if b * s * s * H * d_h > 20_000:
        return None
    return attend_batch(b, s, H, d_h, causal=True)


ATTENTION_CORE_FLOPS_CAUSAL = derivation(
    "attention-core-flops-causal",
    title="FLOPs of causal attention's scores and weighted values, forward",
    unit=FLOP,
    letters={**SEQUENCES, "H": HEADS, "d_h": HEAD_DIM},
    source=KAPLAN_COMPUTE,
    oracle=attend_to_earlier_keys,
    convention="Causal: only pairs that the mask lets through. Half of full attention for long "
    "sequences, which is what kernels that skip masked blocks come close to.",
    leaves_out="The softmax.",
    chain="""
    f_causal = b*H*sum(i*(2[FLOP]*d_h + 2[FLOP]*d_h), (i, 1, s))
                                             -- query `i` sees `i` keys: a score and a value each
      = b*H*(s*(s + 1)/2)*(4[FLOP]*d_h)      -- the first `s` whole numbers added up: pairs
      = 2[FLOP]*b*s*(s + 1)*H*d_h            -- collect
      ≈ [s -> oo] 2[FLOP]*b*s^2*H*d_h        -- half of full attention
    """,
)
