"""Time of the tensor-parallel transfers of a layer with experts."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.tensor_parallel._experts import (
    CONVENTION,
    DISPATCHER,
    LEAVES_OUT,
    LETTERS,
    THERE_AND_BACK,
    walk,
)
from workings.derivations.tensor_parallel.moe_tp_layer_bytes import MOE_TP_LAYER_BYTES
from workings.simulate.clock import Clock, Link
from workings.units import SECOND
from workings.vocabulary.hardware import LINK_ONE_WAY
from workings.vocabulary.kinds import WITH_EXPERTS


def send_one_after_another(W_1: Fraction, **letters: Any) -> Fraction:
    """The layer's collectives one after another over a rank's link; when the last byte has left."""
    clock, link = Clock(), Link(bandwidth=W_1)
    for _ in ("forward", "backward"):
        clock.send(link, 0, 1, walk(["reduce"], (), **letters))
        for name in THERE_AND_BACK:
            clock.send(link, 0, 1, walk((), [name], **letters))
    return clock.finish


MOE_TP_LAYER_TIME = derivation(
    "moe-tp-layer-time",
    title="Time of the tensor-parallel transfers of one layer with experts, inside a node",
    unit=SECOND,
    letters={**LETTERS, "W_1": LINK_ONE_WAY},
    uses={"V_TX": MOE_TP_LAYER_BYTES.at()},
    given=("c divides s",),
    source=DISPATCHER,
    oracle=send_one_after_another,
    convention="Forward and backward; the link runs at its full one-way speed. " + CONVENTION,
    leaves_out="Start-up latency, and what runs beside the transfers. " + LEAVES_OUT,
    holds_for={WITH_EXPERTS: "tp-layer-time"},
    chain="""
    T_TX = V_TX/W_1      -- bytes a rank sends over its link
    """,
)
