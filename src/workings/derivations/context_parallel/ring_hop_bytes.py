"""A block of keys and values, passed to the next rank."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.context_parallel._letters import EVEN_KV, KEYS_AND_VALUES, ONE_LAYER
from workings.derivations.context_parallel._ring import block_values
from workings.derivations.context_parallel._sources import RING_ATTENTION_INTENSITY
from workings.units import BYTE


def fill_a_block(c: int, t: int, b_m: int, s: int, K: int, d_h: int, a: Fraction) -> Fraction | None:
    """The keys and values of a rank's tokens, counted sequence by sequence and head by head."""
    values = block_values(t, b_m, s, c, K, d_h)
    return None if values is None else values * a


RING_HOP_BYTES = derivation(
    "ring-hop-bytes",
    title="Bytes of a block of keys and values",
    unit=BYTE,
    letters=KEYS_AND_VALUES,
    given=EVEN_KV,
    source=RING_ATTENTION_INTENSITY,
    oracle=fill_a_block,
    convention=ONE_LAYER,
    chain="""
    V_hop = sum(a*d_h + a*d_h, (i, 1, b_m*(s/c)*(K/t)))   -- a key and a value a token and head
      = 2*a*b_m*(s/c)*(K/t)*d_h                           -- equal tokens, equal heads
    """,
)
