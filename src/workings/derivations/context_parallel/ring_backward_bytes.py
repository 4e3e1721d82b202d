"""Ring attention's backward pass: keys and values again, and their gradients until these are home."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.context_parallel._letters import BACKWARD, EVEN_KV, ONE_LAYER
from workings.derivations.context_parallel._ring import backward_travel, block_values
from workings.derivations.context_parallel._sources import RING_FLASH_ATTENTION
from workings.derivations.context_parallel.ring_hop_bytes import RING_HOP_BYTES
from workings.units import BYTE


def pass_gradients_home(
    c: int, t: int, b_m: int, s: int, K: int, d_h: int, a: Fraction, g: Fraction
) -> Fraction | None:
    """Gradients, really computed, that travel with their block until they are whole and at home."""
    values = block_values(t, b_m, s, c, K, d_h)
    if values is None:
        return None
    travel = backward_travel(c)
    sent = sum((values * a for _ in range(travel.kv_hops[0])), Fraction(0))
    return sent + sum((values * g for _ in range(travel.grad_hops[0])), Fraction(0))


RING_BACKWARD_BYTES = derivation(
    "ring-backward-bytes",
    title="Bytes a rank sends in ring attention's backward pass",
    unit=BYTE,
    letters=BACKWARD,
    uses={"V_hop": RING_HOP_BYTES.at(), "V_ghop": RING_HOP_BYTES.at(a="g")},
    given=(*EVEN_KV, "c > 1"),
    source=RING_FLASH_ATTENTION,
    oracle=pass_gradients_home,
    convention=f"{ONE_LAYER} A gradient of a key or a value takes `g` bytes while it travels (4 in "
    "implementations that add it up in FP32).",
    chain="""
    V_rbwd = sum(V_hop, (i, 1, c - 1)) + sum(V_ghop, (i, 1, c))
                                            -- blocks go round again, gradients one hop more: home
      = (c - 1)*V_hop + c*V_ghop            -- equal blocks
      = 2*b_m*s*(K/t)*d_h*((c - 1)/c*a + g)       -- the gradients go all the way round
    """,
)
