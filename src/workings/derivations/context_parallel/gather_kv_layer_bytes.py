"""Context parallelism with all-gathers, forward and backward."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives.ring import RING_ALL_GATHER, RING_REDUCE_SCATTER
from workings.derivations.context_parallel._gather import gather_then_scatter
from workings.derivations.context_parallel._letters import (
    BACKWARD,
    EVEN_KV,
    ONE_LAYER,
    WHOLE_KV,
    WHOLE_KV_GRADIENTS,
)
from workings.derivations.context_parallel._ring import block_values
from workings.derivations.context_parallel._sources import TRANSFORMER_ENGINE_GATHER
from workings.units import BYTE


def gather_twice_and_scatter(
    c: int, t: int, b_m: int, s: int, K: int, d_h: int, a: Fraction, g: Fraction
) -> Fraction | None:
    """Shares gathered forward and again backward, gradients of all of them summed and scattered."""
    values = block_values(t, b_m, s, c, K, d_h)
    if values is None:
        return None
    gathered, scattered = gather_then_scatter(c)
    return values * a * (gathered + gathered) + values * g * scattered


GATHER_KV_LAYER_BYTES = derivation(
    "gather-kv-layer-bytes",
    title="Bytes a rank sends to gather keys and values, forward and backward",
    unit=BYTE,
    letters=BACKWARD,
    uses={
        "V_AG": RING_ALL_GATHER.at(N="c", S=WHOLE_KV),
        "V_RS": RING_REDUCE_SCATTER.at(N="c", S=WHOLE_KV_GRADIENTS),
    },
    given=EVEN_KV,
    source=TRANSFORMER_ENGINE_GATHER,
    oracle=gather_twice_and_scatter,
    convention=f"{ONE_LAYER} Only a rank's own keys and values are kept for the backward pass, which "
    "gathers them again.",
    chain="""
    V_GA = V_AG + V_AG + V_RS                       -- gathered, gathered again, gradients scattered
      = (c - 1)/c*(2*b_m*s*(K/t)*d_h)*(2*a + g)     -- `(c - 1)/c` of all keys and values each time
    """,
)
