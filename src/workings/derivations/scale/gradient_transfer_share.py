"""The gradients' all-reduce over compute."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives.ring import RING_ALL_REDUCE
from workings.derivations.compute.rule_of_six import TRAINING_FLOPS_SIX_N
from workings.derivations.scale._sources import MEGATRON_DATA
from workings.simulate.ring import all_reduce
from workings.simulate.steps import touch_weights
from workings.units import ONE
from workings.vocabulary.hardware import COMPUTE, NETWORK_ONE_WAY
from workings.vocabulary.kinds import WITHOUT_EXPERTS
from workings.vocabulary.layout import DP, STAGES, TP
from workings.vocabulary.model import PARAMETERS
from workings.vocabulary.scale import DEVICE_MFU
from workings.vocabulary.training import (
    MICROBATCH,
    MICROBATCHES,
    REDUCE_WIDTH,
    SEQUENCE_LENGTH,
)

GRADIENTS = {
    "d": DP, "P": PARAMETERS, "t": TP, "p": STAGES, "m": MICROBATCHES, "b_m": MICROBATCH,
    "s": SEQUENCE_LENGTH, "g": REDUCE_WIDTH, "C": COMPUTE, "u_1": DEVICE_MFU, "W_2": NETWORK_ONE_WAY,
}  # fmt: skip


def run_one_replica(
    d: int, P: int, t: int, p: int, m: int, b_m: int, s: int,
    g: Fraction, C: Fraction, u_1: Fraction, W_2: Fraction,
) -> Fraction:  # fmt: skip
    """A replica's tokens meet its weights; then chunks of a rank's gradients go round the replicas."""
    flops = sum(touch_weights(P, s) for _ in range(m * b_m)) / Fraction(t * p)
    return all_reduce(d, g * P / (t * p)).sent[0] / W_2 / (flops / (u_1 * C))


GRADIENT_TRANSFER_SHARE = derivation(
    "gradient-transfer-share",
    title="The gradients' all-reduce over compute",
    unit=ONE,
    letters=GRADIENTS,
    uses={
        "V": RING_ALL_REDUCE.at(N="d", S="g*P/(t*p)"),
        "f_6": TRAINING_FLOPS_SIX_N.at(T_tok="m*b_m*s"),
    },
    source=MEGATRON_DATA,
    oracle=run_one_replica,
    convention="Rings between nodes; a replica has `m` micro-batches a step, and their number stays "
    "as replicas are added (weak scaling). Before any of it is hidden behind compute.",
    leaves_out="Start-up latency; attention's core, which adds compute.",
    holds_for={WITHOUT_EXPERTS: ""},
    chain="""
    x_d = V/W_2/(f_6/(t*p*u_1*C))            -- a rank's gradients, over a rank's compute
      = 2*(d - 1)/d*(g*P/(t*p))/W_2/(6[FLOP]*P*(m*b_m*s)/(t*p*u_1*C))    -- put them in
      = (d - 1)/d*(g*C*u_1/(3[FLOP]*m*b_m*s*W_2))   -- parameters and model ranks cancel
      < g*C*u_1/(3[FLOP]*m*b_m*s*W_2)        -- bounded, however many replicas
    """,
)
