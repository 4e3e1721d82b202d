"""Tensor-parallel transfers over compute."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives.ring import RING_ALL_REDUCE
from workings.derivations.scale._sources import MEGATRON_TENSOR
from workings.simulate.ring import all_reduce
from workings.simulate.steps import touch_weights
from workings.units import ONE
from workings.vocabulary.hardware import COMPUTE, LINK_ONE_WAY
from workings.vocabulary.layout import TP
from workings.vocabulary.model import D_MODEL
from workings.vocabulary.pipeline import LAYER_PARAMETERS
from workings.vocabulary.scale import DEVICE_MFU
from workings.vocabulary.training import ACTIVATION_WIDTH, MICROBATCH, SEQUENCE_LENGTH

TENSOR = {
    "t": TP, "b_m": MICROBATCH, "s": SEQUENCE_LENGTH, "D": D_MODEL, "P_l": LAYER_PARAMETERS,
    "a": ACTIVATION_WIDTH, "C": COMPUTE, "u_1": DEVICE_MFU, "W_1": LINK_ONE_WAY,
}  # fmt: skip


def run_one_layer(
    t: int, b_m: int, s: int, D: int, P_l: int, a: Fraction, C: Fraction, u_1: Fraction, W_1: Fraction
) -> Fraction:
    """Every weight of a layer met by every token; chunks of four all-reduces walked round a ring."""
    compute = Fraction(sum(touch_weights(P_l, s) for _ in range(b_m))) / (t * u_1 * C)
    forward = all_reduce(t, a * b_m * s * D).sent[0] + all_reduce(t, a * b_m * s * D).sent[0]
    return (forward + forward) / W_1 / compute


TENSOR_TRANSFER_SHARE = derivation(
    "tensor-transfer-share",
    title="Tensor-parallel transfers over compute",
    unit=ONE,
    letters=TENSOR,
    uses={"V": RING_ALL_REDUCE.at(N="t", S="a*b_m*s*D")},
    source=MEGATRON_TENSOR,
    oracle=run_one_layer,
    convention="6 FLOPs a parameter of the layer and token; of GPT's shape (`P_l = 12*D^2`) it is "
    "`(t - 1)*a*C*u_1/(9[FLOP]*D*W_1)`. Rings inside a node; sequence parallelism moves the same bytes. "
    "Before any of it is hidden behind compute.",
    leaves_out="Attention's core, which adds compute; start-up latency; recomputation.",
    chain="""
    x_t = 4*V/W_1/(6[FLOP]*P_l*b_m*s/(t*u_1*C))
                              -- two all-reduces forward, two backward, over a layer's compute
      = 4*(2*(t - 1)/t*(a*b_m*s*D))/W_1/(6[FLOP]*P_l*b_m*s/(t*u_1*C))   -- put the ring in
      = 4*(t - 1)*a*D*C*u_1/(3[FLOP]*P_l*W_1)      -- tokens cancel: only the width helps
    """,
)
