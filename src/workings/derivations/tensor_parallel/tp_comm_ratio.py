"""Transfers over compute in a layer's forward pass."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.tensor_parallel._letters import LAYER, SPEEDS, SPLIT_ACTIVATION
from workings.derivations.tensor_parallel._sources import SCALING_BOOK_GPU_TP
from workings.derivations.tensor_parallel._work import forward_flops, reduced_bytes
from workings.derivations.tensor_parallel.tp_forward_bytes import TP_FORWARD_BYTES
from workings.derivations.tensor_parallel.tp_layer_flops import TP_LAYER_FLOPS
from workings.units import ONE
from workings.vocabulary.kinds import WITHOUT_EXPERTS


def time_sums_and_products(
    t: int, b_m: int, s: int, c: int, D: int, H: int, K: int, d_h: int, F: int, n_f: int,
    a: Fraction, C: Fraction, W_1: Fraction,
) -> Fraction | None:  # fmt: skip
    """Every product of a rank and both its sums, each counted and divided by its speed."""
    flops = forward_flops(t, b_m, s, c, D, H, K, d_h, F, n_f)
    if flops is None:
        return None
    size = sum((a for _ in range(b_m) for _ in range(s // c) for _ in range(D)), Fraction(0))
    sent = reduced_bytes(t, size) + reduced_bytes(t, size)
    return sent / W_1 / (flops / C)


TP_COMM_RATIO = derivation(
    "tp-comm-ratio",
    title="Tensor-parallel transfers over compute, in a layer's forward pass",
    unit=ONE,
    letters={**LAYER, **SPLIT_ACTIVATION, **SPEEDS},
    uses={"V_fwd": TP_FORWARD_BYTES.at(), "f_TP": TP_LAYER_FLOPS.at()},
    source=SCALING_BOOK_GPU_TP,
    oracle=time_sums_and_products,
    convention="Forward; inside a node; peak compute and full link speed; full attention. Forward and "
    "backward together the ratio is 2/3 of this: twice the bytes, three times the FLOPs.",
    leaves_out="Start-up latency; what runs beside the transfers.",
    holds_for={WITHOUT_EXPERTS: "moe-tp-comm-ratio"},
    chain="""
    x_TP = (V_fwd/W_1)/(f_TP/C)               -- time of the transfers over time of the products
      = 4*(t - 1)/t*(a*b_m*s*D/c)*C/(W_1*(b_m*s/(c*t)*(4[FLOP]*D*d_h*(H + K)
        + 4[FLOP]*s*H*d_h + 2[FLOP]*n_f*D*F)))    -- put both in
      = 4*(t - 1)*a*C*D/(W_1*(4[FLOP]*D*d_h*(H + K) + 4[FLOP]*s*H*d_h + 2[FLOP]*n_f*D*F))
                                              -- tokens cancel: more of them do not help
    """,
)
