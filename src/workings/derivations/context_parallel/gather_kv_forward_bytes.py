"""Context parallelism with an all-gather: the bytes of the ring, in one collective."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives.ring import RING_ALL_GATHER
from workings.derivations.context_parallel._gather import gather_then_scatter
from workings.derivations.context_parallel._letters import (
    EVEN_KV,
    KEYS_AND_VALUES,
    ONE_LAYER,
    WHOLE_KV,
)
from workings.derivations.context_parallel._ring import block_values
from workings.derivations.context_parallel._sources import LLAMA_3_CP
from workings.derivations.context_parallel.ring_forward_bytes import RING_FORWARD_BYTES
from workings.units import BYTE


def gather_every_share(
    c: int, t: int, b_m: int, s: int, K: int, d_h: int, a: Fraction
) -> Fraction | None:
    """Shares of keys and values passed on until every rank has all of them."""
    values = block_values(t, b_m, s, c, K, d_h)
    if values is None:
        return None
    return sum((values * a for _ in range(gather_then_scatter(c)[0])), Fraction(0))


GATHER_KV_FORWARD_BYTES = derivation(
    "gather-kv-forward-bytes",
    title="Bytes a rank sends to gather keys and values, forward",
    unit=BYTE,
    letters=KEYS_AND_VALUES,
    uses={"V_AG": RING_ALL_GATHER.at(N="c", S=WHOLE_KV), "V_ring": RING_FORWARD_BYTES.at()},
    given=EVEN_KV,
    source=LLAMA_3_CP,
    oracle=gather_every_share,
    convention=ONE_LAYER,
    chain="""
    V_gkv = V_AG                                    -- every rank gets the keys and values of all
      = (c - 1)/c*(2*a*b_m*s*(K/t)*d_h)             -- all but its own
      = V_ring                                      -- as many bytes as the ring, but not beside compute
    """,
)
