"""All-to-all against the ring."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.context_parallel._letters import ATTENTION
from workings.derivations.context_parallel._sources import ULYSSES
from workings.derivations.context_parallel._ulysses import EVEN_EXCHANGE, exchanged
from workings.derivations.context_parallel.ring_forward_bytes import RING_FORWARD_BYTES
from workings.derivations.context_parallel.ulysses_forward_bytes import ULYSSES_FORWARD_BYTES
from workings.simulate.block_matrices import spans
from workings.simulate.ring_attention import contiguous, full, rotate
from workings.units import ONE


def send_both_ways(
    c: int, t: int, b_m: int, s: int, H: int, d_h: int, K: int, a: Fraction
) -> Fraction | None:
    """Heads exchanged, and blocks passed round a ring; what a rank sends, one over the other."""
    items = exchanged(c, t, s, H, K)
    blocks = rotate(contiguous(s, c), full, len(spans(K, t)[0]))
    return items and items * c / sum(blocks.sent)


ULYSSES_OVER_RING = derivation(
    "ulysses-over-ring",
    title="Bytes of Ulysses attention over those of ring attention, forward",
    unit=ONE,
    letters=ATTENTION,
    uses={"V_uly": ULYSSES_FORWARD_BYTES.at(), "V_ring": RING_FORWARD_BYTES.at()},
    given=(*EVEN_EXCHANGE, "c > 1"),
    source=ULYSSES,
    oracle=send_both_ways,
    convention="One layer, one micro-batch, forward.",
    chain="""
    r_uly = V_uly/V_ring                            -- the same attention either way
      = 2*(c - 1)/c^2*(a*b_m*s*(H + K)/t*d_h)/((c - 1)/c*(2*a*b_m*s*(K/t)*d_h))   -- put both in
      = (1 + H/K)/c                                 -- `2/c` if every query head has a key and value head
    """,
)
