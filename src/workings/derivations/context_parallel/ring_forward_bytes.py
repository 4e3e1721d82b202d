"""Ring attention's forward pass."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.context_parallel._letters import EVEN_KV, KEYS_AND_VALUES, ONE_LAYER
from workings.derivations.context_parallel._ring import block_values, forward_hops
from workings.derivations.context_parallel._sources import RING_ATTENTION
from workings.derivations.context_parallel.ring_hop_bytes import RING_HOP_BYTES
from workings.units import BYTE


def pass_blocks_until_all_have_met(
    c: int, t: int, b_m: int, s: int, K: int, d_h: int, a: Fraction
) -> Fraction | None:
    """Blocks passed round a ring of ranks until attention, really computed, is whole on each."""
    values = block_values(t, b_m, s, c, K, d_h)
    if values is None:
        return None
    return sum((values * a for _ in range(forward_hops(c))), Fraction(0))


RING_FORWARD_BYTES = derivation(
    "ring-forward-bytes",
    title="Bytes a rank sends in ring attention's forward pass",
    unit=BYTE,
    letters=KEYS_AND_VALUES,
    uses={"V_hop": RING_HOP_BYTES.at()},
    given=EVEN_KV,
    source=RING_ATTENTION,
    oracle=pass_blocks_until_all_have_met,
    convention=ONE_LAYER,
    leaves_out="Blocks that a causal mask would not need: they are passed on as well.",
    chain="""
    V_ring = sum(V_hop, (i, 1, c - 1))              -- `c - 1` hops until every rank has met every block
      = (c - 1)*V_hop                               -- equal blocks
      = (c - 1)/c*(2*a*b_m*s*(K/t)*d_h)             -- all keys and values but a rank's own
      <= 2*a*b_m*s*(K/t)*d_h                        -- `c - 1 < c`: more ranks do not send less
    """,
)
