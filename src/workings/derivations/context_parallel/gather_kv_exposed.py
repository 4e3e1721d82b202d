"""What the all-gather of keys and values costs beside causal attention."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.compute.attention import ATTENTION_CORE_FLOPS_CAUSAL
from workings.derivations.context_parallel._balance import steps_of
from workings.derivations.context_parallel._gather import gather_then_scatter
from workings.derivations.context_parallel._letters import ATTENTION, EVEN_HEADS, SPEEDS
from workings.derivations.context_parallel._ring import block_values
from workings.derivations.context_parallel._sources import LLAMA_3_CP
from workings.derivations.context_parallel.gather_kv_forward_bytes import GATHER_KV_FORWARD_BYTES
from workings.simulate.block_matrices import spans
from workings.simulate.ring_attention import contiguous
from workings.units import ONE


def gather_then_attend(
    c: int, t: int, b_m: int, s: int, H: int, d_h: int, K: int, a: Fraction, C: Fraction, W_b: Fraction
) -> Fraction | None:
    """Shares gathered and counted; then the mean of the ranks' causal pairs, a score and a value each."""
    steps, values = steps_of(contiguous, s, c), block_values(t, b_m, s, c, K, d_h)
    if steps is None or values is None:
        return None
    each = sum(2 + 2 for _ in range(b_m) for _ in spans(H, t)[0] for _ in range(d_h))
    attend = Fraction(sum(map(sum, steps)), c) * each / C
    return values * a * gather_then_scatter(c)[0] / W_b / attend


GATHER_KV_EXPOSED = derivation(
    "gather-kv-exposed",
    title="Time of gathering keys and values over that of causal attention, forward",
    unit=ONE,
    letters={**ATTENTION, **SPEEDS},
    uses={
        "V_gkv": GATHER_KV_FORWARD_BYTES.at(),
        "f_causal": ATTENTION_CORE_FLOPS_CAUSAL.at(b="b_m"),
    },
    given=EVEN_HEADS,
    source=LLAMA_3_CP,
    oracle=gather_then_attend,
    convention="Causal attention shared out evenly; the all-gather runs before it, hidden by nothing. "
    "Peak compute and full link speed.",
    leaves_out="Start-up latency; projections and feed-forward.",
    chain="""
    x_gkv = (V_gkv/W_b)/(f_causal/(c*t)/C)          -- gather first, then a rank's share of attention
      = (c - 1)/c*(2*a*b_m*s*(K/t)*d_h)/W_b/(2[FLOP]*b_m*s*(s + 1)*H*d_h/(c*t)/C)   -- put both in
      = (c - 1)*2*a*K*C/(2[FLOP]*(s + 1)*H*W_b)     -- falls with the sequence, and with shared heads
    """,
)
