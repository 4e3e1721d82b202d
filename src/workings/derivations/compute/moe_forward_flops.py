"""FLOPs of a mixture of experts, forward."""

from workings.derivation import derivation
from workings.derivations.compute._sources import SCALING_BOOK_MOE
from workings.derivations.compute.ffn_flops import FFN_FLOPS
from workings.derivations.compute.matmul_flops import MATMUL_FLOPS
from workings.simulate.products import Operand, Tape, write_ffn
from workings.units import FLOP
from workings.vocabulary.kinds import WITH_EXPERTS
from workings.vocabulary.model import (
    ACTIVE_EXPERTS,
    D_EXPERT,
    D_MODEL,
    EXPERTS,
    FFN_MATRICES,
    SHARED_EXPERTS,
)
from workings.vocabulary.training import TOKENS

MIXTURE = {
    "B": TOKENS, "D": D_MODEL, "F_E": D_EXPERT, "n_f": FFN_MATRICES, "E": EXPERTS,
    "k_E": ACTIVE_EXPERTS, "E_s": SHARED_EXPERTS,
}  # fmt: skip


def routed_tape(B: int, D: int, F_E: int, n_f: int, E: int, k_E: int, E_s: int) -> Tape:
    """Each token scored for every expert and dealt to its own; every expert's products written."""
    tape = Tape()
    tape.multiply("router", Operand(B, D), Operand(D, E))
    dealt = [0] * E
    for token in range(B):
        for choice in range(k_E):
            dealt[(3 * token + choice) % E] += 1
    for tokens in dealt + [B] * E_s:
        if tokens:
            write_ffn(tape, tokens, D, F_E, n_f)
    return tape


def route_every_token(B: int, D: int, F_E: int, n_f: int, E: int, k_E: int, E_s: int) -> int:
    """Tokens dealt one by one to the experts they go to; every expert's products counted."""
    return routed_tape(B, D, F_E, n_f, E, k_E, E_s).forward()


MOE_FORWARD_FLOPS = derivation(
    "moe-forward-flops",
    title="FLOPs of a mixture of experts, forward",
    unit=FLOP,
    letters=MIXTURE,
    uses={"f_route": MATMUL_FLOPS.at(F="E"), "f_ffn": FFN_FLOPS.at(F="F_E")},
    given=("k_E <= E",),
    source=SCALING_BOOK_MOE,
    oracle=route_every_token,
    convention="No token is dropped and none padded, however uneven the load.",
    leaves_out="The router's softmax and adding up the experts' outputs.",
    holds_for={WITH_EXPERTS: "ffn-flops"},
    chain="""
    f_moe = f_route + (k_E + E_s)*f_ffn      -- a score an expert; then each token's experts
      = 2[FLOP]*B*D*E + (k_E + E_s)*(2[FLOP]*n_f*B*D*F_E)   -- put them in
      = 2[FLOP]*B*(D*E + (k_E + E_s)*n_f*D*F_E)   -- 2 FLOPs a weight that the token meets
    """,
)
