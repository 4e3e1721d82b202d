"""What an all-gather of keys and values needs room for."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.context_parallel._letters import EVEN_KV, KEYS_AND_VALUES, ONE_LAYER
from workings.derivations.context_parallel._ring import block_values
from workings.derivations.context_parallel._sources import LLAMA_3_CP
from workings.derivations.context_parallel.ring_hop_bytes import RING_HOP_BYTES
from workings.units import BYTE


def lay_every_block_side_by_side(
    c: int, t: int, b_m: int, s: int, K: int, d_h: int, a: Fraction
) -> Fraction | None:
    """The keys and values of every rank's tokens, one block after the other."""
    values = block_values(t, b_m, s, c, K, d_h)
    return None if values is None else sum((values * a for _ in range(c)), Fraction(0))


GATHER_KV_BUFFER_BYTES = derivation(
    "gather-kv-buffer-bytes",
    title="Bytes of all keys and values, gathered on a rank",
    unit=BYTE,
    letters=KEYS_AND_VALUES,
    uses={"V_hop": RING_HOP_BYTES.at()},
    given=EVEN_KV,
    source=LLAMA_3_CP,
    oracle=lay_every_block_side_by_side,
    convention=f"{ONE_LAYER} The ring holds two blocks at once, whatever `c` is.",
    chain="""
    M_gkv = c*V_hop                                 -- a block of each rank
      = 2*a*b_m*s*(K/t)*d_h                         -- does not fall with `c`
    """,
)
