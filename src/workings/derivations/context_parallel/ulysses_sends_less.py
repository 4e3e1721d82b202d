"""From how many ranks on the all-to-all sends less than the ring."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.context_parallel._letters import ATTENTION
from workings.derivations.context_parallel._ring import block_values, forward_hops
from workings.derivations.context_parallel._sources import ULYSSES
from workings.derivations.context_parallel._ulysses import exchanged
from workings.derivations.context_parallel.ring_forward_bytes import RING_FORWARD_BYTES
from workings.units import ONE

MOST_RANKS = 12


def compare_what_is_sent(
    c: int, t: int, b_m: int, s: int, H: int, d_h: int, K: int, a: Fraction
) -> bool | None:
    """Heads exchanged, and blocks passed round a ring of as many ranks; which of them sends less."""
    if c > MOST_RANKS:
        return None
    # Either way the sequence's length does not matter: here every rank has two tokens.
    items, values = exchanged(c, t, 2 * c, H, K), block_values(t, 1, 2 * c, c, K, 1)
    return None if items is None or values is None else items < values * forward_hops(c)


ULYSSES_SENDS_LESS = derivation(
    "ulysses-sends-less",
    title="Ranks from which Ulysses attention sends less than ring attention",
    unit=ONE,
    noun="devices",
    letters=ATTENTION,
    uses={"V_ring": RING_FORWARD_BYTES.at()},
    given=("t divides K", "K divides H", "c > 1"),
    source=ULYSSES,
    oracle=compare_what_is_sent,
    convention="One layer, one micro-batch, forward. Whole key and value heads on every rank need "
    "`c <= K/t`; with fewer heads than ranks they are copied, which this leaves out.",
    chain="""
    2*(c - 1)/c^2*(a*b_m*s*(H + K)/t*d_h) < V_ring        -- all-to-alls against the ring
      <=> 2*(c - 1)/c^2*(a*b_m*s*(H + K)/t*d_h) < (c - 1)/c*(2*a*b_m*s*(K/t)*d_h)   -- put it in
      <=> c > 1 + H/K                                     -- divide by `2*(c - 1)/c^2*a*b_m*s*K/t*d_h`
    """,
)
