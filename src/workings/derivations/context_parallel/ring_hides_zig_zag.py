"""From which sequence length a zig-zag ring hides behind causal attention."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.context_parallel._balance import EVEN_CHUNKS, steps_of
from workings.derivations.context_parallel._letters import ATTENTION, EVEN_HEADS, SPEEDS
from workings.derivations.context_parallel._ring import block_values
from workings.derivations.context_parallel._sources import RING_ATTENTION_INTENSITY
from workings.derivations.context_parallel.ring_block_flops_zig_zag import RING_BLOCK_FLOPS_ZIG_ZAG
from workings.derivations.context_parallel.ring_hop_bytes import RING_HOP_BYTES
from workings.simulate.block_matrices import spans
from workings.simulate.ring_attention import zig_zag
from workings.units import ONE


def race_a_causal_step_against_a_hop(
    c: int, t: int, b_m: int, s: int, H: int, d_h: int, K: int, a: Fraction, C: Fraction, W_b: Fraction
) -> bool | None:
    """Causal pairs of a step, a score and a value each, against the block that is passed on."""
    steps, values = steps_of(zig_zag, s, c), block_values(t, b_m, s, c, K, d_h)
    if steps is None or values is None:
        return None
    each = sum(2 + 2 for _ in range(b_m) for _ in spans(H, t)[0] for _ in range(d_h))
    return steps[0][1] * each / C > values * a / W_b


RING_HIDES_ZIG_ZAG = derivation(
    "ring-hides-zig-zag",
    title="Tokens of a sequence from which causal ring attention hides its transfers, zig-zag",
    unit=ONE,
    noun="tokens",
    letters={**ATTENTION, **SPEEDS},
    uses={"f_zz": RING_BLOCK_FLOPS_ZIG_ZAG.at(), "V_hop": RING_HOP_BYTES.at()},
    given=(*EVEN_HEADS, *EVEN_CHUNKS, "c > 1"),
    source=RING_ATTENTION_INTENSITY,
    oracle=race_a_causal_step_against_a_hop,
    convention="Causal attention, zig-zag, forward; the mask's other half is not computed. Peak compute "
    "and full link speed.",
    leaves_out="Start-up latency; projections and feed-forward, which could hide more.",
    chain="""
    f_zz/C > V_hop/W_b                              -- a step's compute outlasts its hop
      <=> 2[FLOP]*b_m*(H/t)*d_h*(s/c)^2/C > 2*a*b_m*(s/c)*(K/t)*d_h/W_b      -- put both in
      <=> s > c*2*a*K*C/(2[FLOP]*H*W_b)             -- twice as long as with full attention
    """,
)
