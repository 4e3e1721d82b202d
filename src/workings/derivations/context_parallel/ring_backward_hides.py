"""From which sequence length the backward pass of a ring hides."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.context_parallel._letters import ATTENTION, BACKWARD, EVEN_HEADS, SPEEDS
from workings.derivations.context_parallel._ring import block_flops, block_values
from workings.derivations.context_parallel._sources import FLASH_BACKWARD
from workings.derivations.context_parallel.ring_block_flops import RING_BLOCK_FLOPS
from workings.derivations.context_parallel.ring_hop_bytes import RING_HOP_BYTES
from workings.units import ONE


def race_five_products_against_a_hop(
    c: int, t: int, b_m: int, s: int, H: int, d_h: int, K: int, a: Fraction, g: Fraction, C: Fraction,
    W_b: Fraction,
) -> bool | None:  # fmt: skip
    """Five products of a step against the block and the gradients that are passed on meanwhile."""
    values, flops = block_values(t, b_m, s, c, K, d_h), block_flops(t, b_m, s, c, H, d_h, 5)
    if values is None or flops is None:
        return None
    return flops / C > sum((values * width for width in (a, g)), Fraction(0)) / W_b


RING_BACKWARD_HIDES = derivation(
    "ring-backward-hides",
    title="Tokens of a sequence from which ring attention hides its transfers, backward",
    unit=ONE,
    noun="tokens",
    letters={**ATTENTION, **BACKWARD, **SPEEDS},
    uses={
        "f_blk": RING_BLOCK_FLOPS.at(),
        "V_hop": RING_HOP_BYTES.at(),
        "V_ghop": RING_HOP_BYTES.at(a="g"),
    },
    given=EVEN_HEADS,
    source=FLASH_BACKWARD,
    oracle=race_five_products_against_a_hop,
    convention="Full attention. Five products: the scores again, and the gradients of the weights, of "
    "queries, of keys and of values. A block and its gradients are passed on in every step.",
    leaves_out="Start-up latency; the last hop of the gradients, which has nothing to hide behind.",
    chain="""
    5*(f_blk/2)/C > (V_hop + V_ghop)/W_b            -- five products instead of two, twice the blocks
      <=> 10[FLOP]*b_m*(H/t)*d_h*(s/c)^2/C > 2*(a + g)*b_m*(s/c)*(K/t)*d_h/W_b    -- put them in
      <=> s > c*(a + g)*K*C/(5[FLOP]*H*W_b)         -- 4/5 of the forward pass's if `g = a`
    """,
)
