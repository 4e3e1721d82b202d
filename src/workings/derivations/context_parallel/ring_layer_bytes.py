"""Ring attention, forward and backward."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.context_parallel._letters import BACKWARD, EVEN_KV, ONE_LAYER
from workings.derivations.context_parallel._ring import backward_travel, block_values, forward_hops
from workings.derivations.context_parallel._sources import RING_FLASH_ATTENTION
from workings.derivations.context_parallel.ring_backward_bytes import RING_BACKWARD_BYTES
from workings.derivations.context_parallel.ring_forward_bytes import RING_FORWARD_BYTES
from workings.units import BYTE


def go_round_twice(
    c: int, t: int, b_m: int, s: int, K: int, d_h: int, a: Fraction, g: Fraction
) -> Fraction | None:
    """Forward and backward really computed round the ring; every block sent is counted."""
    values = block_values(t, b_m, s, c, K, d_h)
    if values is None:
        return None
    travel = backward_travel(c)
    blocks = forward_hops(c) + travel.kv_hops[0]
    return values * (blocks * a + travel.grad_hops[0] * g)


RING_LAYER_BYTES = derivation(
    "ring-layer-bytes",
    title="Bytes a rank sends in ring attention, forward and backward",
    unit=BYTE,
    letters=BACKWARD,
    uses={"V_ring": RING_FORWARD_BYTES.at(), "V_rbwd": RING_BACKWARD_BYTES.at()},
    given=(*EVEN_KV, "c > 1"),
    source=RING_FLASH_ATTENTION,
    oracle=go_round_twice,
    convention=ONE_LAYER,
    chain="""
    V_RA = V_ring + V_rbwd                                  -- forward, then backward
      = (c - 1)/c*(2*a*b_m*s*(K/t)*d_h) + 2*b_m*s*(K/t)*d_h*((c - 1)/c*a + g)   -- put both in
      = 2*b_m*s*(K/t)*d_h*(2*(c - 1)/c*a + g)               -- collect
      ≈ [c -> oo] 2*b_m*s*(K/t)*d_h*(2*a + g)               -- three times the keys and values if `g = a`
    """,
)
