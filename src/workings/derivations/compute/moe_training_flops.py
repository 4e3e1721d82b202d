"""FLOPs of a mixture of experts, trained."""

from workings.derivation import derivation
from workings.derivations.compute._sources import GPT3
from workings.derivations.compute.moe_forward_flops import MIXTURE, MOE_FORWARD_FLOPS, routed_tape
from workings.units import FLOP


def route_and_follow_back(B: int, D: int, F_E: int, n_f: int, E: int, k_E: int, E_s: int) -> int:
    """Tokens dealt to their experts, every product counted forward and followed back."""
    tape = routed_tape(B, D, F_E, n_f, E, k_E, E_s)
    return tape.forward() + tape.backward()


MOE_TRAINING_FLOPS = derivation(
    "moe-training-flops",
    title="Training FLOPs of a mixture of experts: 6 an active parameter and token",
    unit=FLOP,
    letters=MIXTURE,
    uses={"f_moe": MOE_FORWARD_FLOPS.at()},
    given=("k_E <= E",),
    source=GPT3,
    oracle=route_and_follow_back,
    convention="Active parameters: the router's, and those of the experts that a token goes to.",
    leaves_out="The router's softmax and adding up the experts' outputs.",
    chain="""
    f_moe_train = 3*f_moe                    -- forward once, backward twice that
      = 6[FLOP]*B*(D*E + (k_E + E_s)*n_f*D*F_E)   -- 6 FLOPs a token and active weight
      <= 6[FLOP]*B*(D*E + (E + E_s)*n_f*D*F_E)    -- a dense model with as many parameters
    """,
)
