"""FLOPs of a dense model's training step."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.compute._letters import MODEL, model_tape
from workings.derivations.compute._sources import RECOMPUTATION
from workings.derivations.compute.model_forward_flops import MODEL_FORWARD_FLOPS
from workings.units import FLOP
from workings.vocabulary.kinds import WITH_ATTENTION, WITHOUT_EXPERTS


def follow_the_tape_back(**letters: Any) -> int:
    """Every product written down, then followed back: two more for each, one an operand."""
    tape = model_tape(**letters)
    return tape.forward() + tape.backward()


MODEL_TRAINING_FLOPS = derivation(
    "model-training-flops",
    title="FLOPs of a dense model's training step (model FLOPs)",
    unit=FLOP,
    letters=MODEL,
    uses={"f_model": MODEL_FORWARD_FLOPS.at()},
    source=RECOMPUTATION,
    oracle=follow_the_tape_back,
    convention="Full attention; nothing is computed twice. The first block's input gets a gradient "
    "too, for the embedding.",
    leaves_out="The optimizer's step, which does not grow with the batch.",
    holds_for={WITH_ATTENTION: "", WITHOUT_EXPERTS: "moe-model-training-flops"},
    chain="""
    f_train = f_model + 2*f_model            -- backward, a product for each of two operands
      = 3*f_model                            -- add
      = 6[FLOP]*b*s*(L*(2*D*d_h*(H + K) + n_f*D*F + 2*s*H*d_h) + D*V)
                                             -- 6 FLOPs a weight and token, and the core
    """,
)
