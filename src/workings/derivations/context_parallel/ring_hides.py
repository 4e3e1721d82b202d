"""From which sequence length a ring hides behind full attention."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.context_parallel._letters import ATTENTION, EVEN_HEADS, SPEEDS
from workings.derivations.context_parallel._ring import block_flops, block_values
from workings.derivations.context_parallel._sources import RING_ATTENTION_INTENSITY
from workings.derivations.context_parallel.ring_block_flops import RING_BLOCK_FLOPS
from workings.derivations.context_parallel.ring_hop_bytes import RING_HOP_BYTES
from workings.units import ONE


def race_a_block_against_a_hop(
    c: int, t: int, b_m: int, s: int, H: int, d_h: int, K: int, a: Fraction, C: Fraction, W_b: Fraction
) -> bool | None:
    """Products of a step, written down and counted, against the block that is passed on meanwhile."""
    values, flops = block_values(t, b_m, s, c, K, d_h), block_flops(t, b_m, s, c, H, d_h, 2)
    return None if values is None or flops is None else flops / C > values * a / W_b


RING_HIDES = derivation(
    "ring-hides",
    title="Tokens of a sequence from which ring attention hides its transfers",
    unit=ONE,
    noun="tokens",
    letters={**ATTENTION, **SPEEDS},
    uses={"f_blk": RING_BLOCK_FLOPS.at(), "V_hop": RING_HOP_BYTES.at()},
    given=EVEN_HEADS,
    source=RING_ATTENTION_INTENSITY,
    oracle=race_a_block_against_a_hop,
    convention="Full attention, forward: while a rank works on one block, the next is on its way. Peak "
    "compute and full link speed.",
    leaves_out="Start-up latency; projections and feed-forward, which could hide more.",
    chain="""
    f_blk/C > V_hop/W_b                             -- a step's compute outlasts its hop
      <=> 4[FLOP]*b_m*(H/t)*d_h*(s/c)^2/C > 2*a*b_m*(s/c)*(K/t)*d_h/W_b      -- put both in
      <=> s > c*a*K*C/(2[FLOP]*H*W_b)               -- `s/c > C/W_b` if `K = H` and `a` is 2 bytes
    """,
)
