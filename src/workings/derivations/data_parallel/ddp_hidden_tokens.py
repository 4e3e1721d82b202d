"""From what batch the all-reduce of DDP hides behind its backward."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.data_parallel._letters import SAME
from workings.derivations.data_parallel._sources import SCALING_BOOK_DP
from workings.derivations.data_parallel._step import one_column
from workings.derivations.data_parallel._tokens import backward_flops
from workings.simulate.training_step import DDP
from workings.units import ONE
from workings.vocabulary.hardware import BANDWIDTH, COMPUTE
from workings.vocabulary.training import REDUCE_WIDTH, TOKENS


def race_the_all_reduce(B: int, P: int, d: int, g: Fraction, C: Fraction, W_b: Fraction) -> bool:
    """Multiplications counted in a real backward against bytes counted in a real step."""
    sent = one_column(d, 1, DDP).all_reduced * g * P
    return Fraction(B * backward_flops(P), d) / C >= sent / W_b


DDP_HIDDEN_TOKENS = derivation(
    "ddp-hidden-tokens",
    title="Tokens from which the backward of DDP hides its all-reduce",
    unit=ONE,
    noun="tokens",
    letters={"B": TOKENS, **SAME, "g": REDUCE_WIDTH, "C": COMPUTE, "W_b": BANDWIDTH},
    source=SCALING_BOOK_DP,
    oracle=race_the_all_reduce,
    convention="Many buckets, so that all but the last can hide; matrix products only.",
    leaves_out="Start-up latency, the last bucket, and devices that run below their peak.",
    chain="""
    4[FLOP]*(B/d)*P/C >= 2*(d - 1)/d*g*P/W_b     -- a product each for weights and inputs
      <=> B/d >= (d - 1)/d*(g*C/(2[FLOP]*W_b))   -- cancel `P`: tokens a device
      <=> B >= (d - 1)*(g*C/(2[FLOP]*W_b))       -- multiply by `d`: all tokens
    """,
)
