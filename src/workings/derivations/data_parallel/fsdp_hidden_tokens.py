"""From what batch the backward of FSDP hides its communication."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.data_parallel._letters import VOLUME, WIDTHS
from workings.derivations.data_parallel._step import one_row
from workings.derivations.data_parallel._tokens import backward_flops
from workings.derivations.sources import SCALING_BOOK_FSDP
from workings.simulate.training_step import KEPT_FOR_BACKWARD
from workings.units import ONE
from workings.vocabulary.hardware import BANDWIDTH, COMPUTE
from workings.vocabulary.training import TOKENS


def race_gather_and_scatter(
    B: int, P: int, d: int, w: Fraction, g: Fraction, C: Fraction, W_b: Fraction
) -> bool:
    """Multiplications counted in a real backward against a real gather and reduce-scatter."""
    step = one_row(d, 1, KEPT_FOR_BACKWARD)  # one gather, one scatter: those of a backward
    sent = (step.gathered * w + step.scattered * g) * P
    return Fraction(B * backward_flops(P), d) / C >= sent / W_b


FSDP_HIDDEN_TOKENS = derivation(
    "fsdp-hidden-tokens",
    title="Tokens from which the backward of FSDP hides its communication",
    unit=ONE,
    noun="tokens",
    letters={"B": TOKENS, **VOLUME, **WIDTHS, "C": COMPUTE, "W_b": BANDWIDTH},
    source=SCALING_BOOK_FSDP,
    oracle=race_gather_and_scatter,
    convention="Tokens of one micro-batch on all devices: each micro-batch gathers and scatters anew.",
    leaves_out="Start-up latency, the first gather and the last reduce, devices below their peak.",
    chain="""
    4[FLOP]*(B/d)*P/C >= (d - 1)/d*(w + g)*P/W_b     -- two products against a gather and a reduce-scatter
      <=> B/d >= (d - 1)/d*((w + g)*C/(4[FLOP]*W_b))   -- cancel `P`: tokens a device
      <=> B >= (d - 1)*((w + g)*C/(4[FLOP]*W_b))       -- DDP's threshold where `w = g`
    """,
)
