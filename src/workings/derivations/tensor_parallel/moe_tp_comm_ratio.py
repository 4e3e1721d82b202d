"""Transfers over compute in the forward pass of a layer with experts."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.hierarchy.moe_block_forward_time import (
    MOE_BLOCK_FORWARD_TIME,
    run_one_block_with_experts,
)
from workings.derivations.tensor_parallel._experts import (
    CONVENTION,
    LEAVES_OUT,
    LETTERS,
    THERE_AND_BACK,
    walk,
)
from workings.derivations.tensor_parallel._sources import SCALING_BOOK_GPU_TP
from workings.derivations.tensor_parallel.moe_tp_forward_bytes import MOE_TP_FORWARD_BYTES
from workings.units import ONE
from workings.vocabulary.hardware import LINK_ONE_WAY
from workings.vocabulary.kinds import WITH_EXPERTS, WITHOUT_LATENT


def time_collectives_and_products(W_1: Fraction, a: Fraction, t_e: int, **letters: Any) -> Fraction:
    """Every collective walked and every product of the block listed, each divided by its speed."""
    sizes = {name: letters[name] for name in ("t", "b_m", "s", "c", "D", "k_E", "E_s")}
    sent = walk(["reduce"], THERE_AND_BACK, **sizes, a=a, t_e=t_e)
    return sent / W_1 / run_one_block_with_experts(**letters)


MOE_TP_COMM_RATIO = derivation(
    "moe-tp-comm-ratio",
    title="Tensor-parallel transfers over compute, in the forward pass of a layer with experts",
    unit=ONE,
    letters={**LETTERS, **MOE_BLOCK_FORWARD_TIME.letters, "W_1": LINK_ONE_WAY},
    uses={"V_fX": MOE_TP_FORWARD_BYTES.at(), "T_m": MOE_BLOCK_FORWARD_TIME.at()},
    given=("k_E <= E",),
    source=SCALING_BOOK_GPU_TP,
    oracle=time_collectives_and_products,
    convention="Forward; inside a node; peak compute and full link speed; full attention. " + CONVENTION,
    leaves_out="Start-up latency; what runs beside the transfers. " + LEAVES_OUT,
    holds_for={WITH_EXPERTS: "tp-comm-ratio", WITHOUT_LATENT: ""},
    chain="""
    x_TX = (V_fX/W_1)/T_m      -- time of the transfers over time of the products
    """,
)
