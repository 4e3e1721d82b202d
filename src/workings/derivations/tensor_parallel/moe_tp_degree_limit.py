"""Up to which degree the tensor parallelism of a layer with experts takes less time than its compute."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.experts.moe_token_flops import MOE_TOKEN_FLOPS
from workings.derivations.hierarchy.moe_block_forward_time import MOE_BLOCK_FORWARD_TIME
from workings.derivations.tensor_parallel._experts import CONVENTION, LEAVES_OUT, LETTERS
from workings.derivations.tensor_parallel._sources import SCALING_BOOK_GPU_TP
from workings.derivations.tensor_parallel.moe_tp_comm_ratio import time_collectives_and_products
from workings.derivations.tensor_parallel.moe_tp_forward_bytes import MOE_TP_FORWARD_BYTES
from workings.units import ONE
from workings.vocabulary.hardware import LINK_ONE_WAY
from workings.vocabulary.kinds import WITH_EXPERTS, WITHOUT_LATENT

MOST_RANKS = 30
MOST_PRODUCTS = 2_000


def race_collectives_against_products(t: int, **letters: Any) -> bool | None:
    """Every collective walked and every product listed; whether the products take longer."""
    if max(t, letters["t_e"]) > MOST_RANKS or letters["H"] * letters["E"] > MOST_PRODUCTS:
        return None
    return time_collectives_and_products(t=t, **letters) < Fraction(1)


MOE_TP_DEGREE_LIMIT = derivation(
    "moe-tp-degree-limit",
    title="Ranks up to which the tensor-parallel transfers of a layer with experts can hide",
    unit=ONE,
    noun="devices",
    letters={**LETTERS, **MOE_BLOCK_FORWARD_TIME.letters, "W_1": LINK_ONE_WAY},
    uses={
        "V_fX": MOE_TP_FORWARD_BYTES.at(E_s="0"), "T_m": MOE_BLOCK_FORWARD_TIME.at(),
        "X_moe": MOE_TOKEN_FLOPS.at(),
    },
    given=("k_E <= E", "E_s < 1", "c*t divides s"),
    source=SCALING_BOOK_GPU_TP,
    oracle=race_collectives_against_products,
    convention="Forward; inside a node; peak compute and full link speed; full attention; the degree of "
    "the experts stays, and none is shared. " + CONVENTION,
    leaves_out="Start-up latency. " + LEAVES_OUT,
    holds_for={WITH_EXPERTS: "tp-degree-limit", WITHOUT_LATENT: ""},
    chain="""
    T_m > V_fX/W_1                            -- compute outlasts the transfers
      <=> b_m*s/(c*t)*(4[FLOP]*D*d_h*(H + K) + 4[FLOP]*s*H*d_h + X_moe)/C >
          (2*(t - 1)/t*(a*b_m*s*D/c) + 2*(t_e - 1)*k_E*a*b_m*s*D/(t*c))/W_1      -- put both in
      <=> t < 1 + W_1*(4[FLOP]*D*d_h*(H + K) + 4[FLOP]*s*H*d_h + X_moe)/(2*a*C*D) - (t_e - 1)*k_E
                                              -- multiply by `c*t/(b_m*s)`, solve for `t`
    """,
)  # fmt: skip
