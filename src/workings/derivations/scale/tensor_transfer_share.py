"""Tensor-parallel transfers over compute."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives.ring_all_reduce import RING_ALL_REDUCE
from workings.derivations.compute.attention_projection_flops import ATTENTION_PROJECTION_FLOPS
from workings.derivations.compute.ffn_flops import FFN_FLOPS
from workings.derivations.scale._sources import MEGATRON_TENSOR
from workings.simulate.products import Tape, write_attention, write_ffn
from workings.simulate.ring import all_reduce
from workings.units import ONE
from workings.vocabulary.hardware import COMPUTE, LINK_ONE_WAY
from workings.vocabulary.kinds import GPT_SHAPED
from workings.vocabulary.layout import TP
from workings.vocabulary.model import D_MODEL
from workings.vocabulary.scale import DEVICE_MFU
from workings.vocabulary.training import ACTIVATION_WIDTH, MICROBATCH, SEQUENCE_LENGTH

TENSOR = {
    "t": TP, "b_m": MICROBATCH, "s": SEQUENCE_LENGTH, "D": D_MODEL, "a": ACTIVATION_WIDTH,
    "C": COMPUTE, "u_1": DEVICE_MFU, "W_1": LINK_ONE_WAY,
}  # fmt: skip


def run_one_layer(
    t: int, b_m: int, s: int, D: int, a: Fraction, C: Fraction, u_1: Fraction, W_1: Fraction
) -> Fraction:
    """A block's products written down and shared; chunks of four all-reduces walked round a ring."""
    tape = Tape()
    for _ in range(b_m):
        write_attention(tape, s, D, (1, 1, D))
        write_ffn(tape, s, D, 4 * D, 2)
    tape.products = [product for product in tape.products if product.part != "core"]
    compute = (tape.forward() + tape.backward()) / (t * u_1 * C)
    forward = all_reduce(t, a * b_m * s * D).sent[0] + all_reduce(t, a * b_m * s * D).sent[0]
    return (forward + forward) / W_1 / compute


TENSOR_TRANSFER_SHARE = derivation(
    "tensor-transfer-share",
    title="Tensor-parallel transfers over compute",
    unit=ONE,
    letters=TENSOR,
    uses={
        "V": RING_ALL_REDUCE.at(N="t", S="a*b_m*s*D"),
        "f_proj": ATTENTION_PROJECTION_FLOPS.at(b="b_m", H="1", K="1", d_h="D"),
        "f_ffn": FFN_FLOPS.at(B="b_m*s", F="4*D", n_f="2"),
    },
    source=MEGATRON_TENSOR,
    oracle=run_one_layer,
    convention="GPT's shape (`H*d_h = D` with `K = H`, `F = 4*D`, plain); rings inside a node; sequence "
    "parallelism moves the same bytes. Before any of it is hidden behind compute.",
    leaves_out="Attention's core, which adds compute; start-up latency; recomputation.",
    holds_for={GPT_SHAPED: "tp-comm-ratio"},
    chain="""
    x_t = 4*V/W_1/(3*(f_proj + f_ffn)/(t*u_1*C))
                              -- two all-reduces forward, two backward, over a layer's compute
      = 4*(2*(t - 1)/t*(a*b_m*s*D))/W_1/(72[FLOP]*b_m*s*D^2/(t*u_1*C))   -- put them in
      = (t - 1)*a*C*u_1/(9[FLOP]*D*W_1)      -- tokens cancel: only the width helps
    """,
)
