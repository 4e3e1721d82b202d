"""Up to which degree tensor parallelism's transfers take less time than a layer's compute."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.tensor_parallel._letters import LAYER, SPEEDS, SPLIT_ACTIVATION
from workings.derivations.tensor_parallel._sources import SCALING_BOOK_GPU_TP
from workings.derivations.tensor_parallel._work import forward_flops, reduced_bytes
from workings.derivations.tensor_parallel.tp_forward_bytes import TP_FORWARD_BYTES
from workings.derivations.tensor_parallel.tp_layer_flops import TP_LAYER_FLOPS
from workings.units import ONE
from workings.vocabulary.kinds import WITHOUT_EXPERTS

MOST_RANKS = 30


def race_sums_against_products(
    t: int, b_m: int, s: int, c: int, D: int, H: int, K: int, d_h: int, F: int, n_f: int,
    a: Fraction, C: Fraction, W_1: Fraction,
) -> bool | None:  # fmt: skip
    """Every product of a rank and both its sums, counted; which of the two takes longer."""
    flops = forward_flops(t, b_m, s, c, D, H, K, d_h, F, n_f) if t <= MOST_RANKS else None
    if flops is None:
        return None
    size = a * (b_m * s // c) * D
    sent = reduced_bytes(t, size) + reduced_bytes(t, size)
    return flops / C > sent / W_1


TP_DEGREE_LIMIT = derivation(
    "tp-degree-limit",
    title="Ranks up to which a layer's tensor-parallel transfers can hide behind its compute",
    unit=ONE,
    noun="devices",
    letters={**LAYER, **SPLIT_ACTIVATION, **SPEEDS},
    uses={"V_fwd": TP_FORWARD_BYTES.at(), "f_TP": TP_LAYER_FLOPS.at()},
    source=SCALING_BOOK_GPU_TP,
    oracle=race_sums_against_products,
    convention="Forward (backward there is twice the compute for the same bytes); inside a node; peak "
    "compute and full link speed; exact rings; full attention.",
    leaves_out="Start-up latency; that most products need the transfer's result, so that it hides only "
    "where both are cut into chunks.",
    holds_for={WITHOUT_EXPERTS: "moe-tp-degree-limit"},
    chain="""
    f_TP/C > V_fwd/W_1                        -- compute outlasts both all-reduces
      <=> b_m*s/(c*t)*(4[FLOP]*D*d_h*(H + K) + 4[FLOP]*s*H*d_h + 2[FLOP]*n_f*D*F)/C >
          4*(t - 1)/t*(a*b_m*s*D/c)/W_1       -- put both in
      <=> t < 1 + W_1/(4*a*C*D)*(4[FLOP]*D*d_h*(H + K) + 4[FLOP]*s*H*d_h + 2[FLOP]*n_f*D*F)
                                              -- multiply by `c*t/(b_m*s)`, solve for `t`
    """,
)
