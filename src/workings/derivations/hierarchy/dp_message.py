"""What data-parallel ranks reduce."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.hierarchy._letters import STAGE, WEIGHTS
from workings.derivations.hierarchy._sources import MEGATRON_DATA
from workings.derivations.hierarchy.rank_weights import RANK_WEIGHTS, share_the_matrices
from workings.units import BYTE
from workings.vocabulary.kinds import WITHOUT_EXPERTS
from workings.vocabulary.layout import TP
from workings.vocabulary.training import REDUCE_WIDTH


def give_every_weight_its_gradient(
    D: int, F: int, H: int, K: int, d_h: int, n_f: int, L: int, p: int, t: int, g: Fraction
) -> Fraction:
    """A gradient for each weight of the listed matrices."""
    return share_the_matrices(D, F, H, K, d_h, n_f, L, p, t) * g


DP_MESSAGE = derivation(
    "dp-message",
    title="Data-parallel message",
    unit=BYTE,
    letters={**WEIGHTS, **STAGE, "t": TP, "g": REDUCE_WIDTH},
    uses={"P_r": RANK_WEIGHTS.at()},
    given=(
        "t divides H",
        "t divides K",
        "t divides F",
    ),
    source=MEGATRON_DATA,
    oracle=give_every_weight_its_gradient,
    convention="Dense blocks; all gradients of a rank, sent in buckets. The fullest stage.",
    leaves_out="Embedding and head, norms and biases.",
    holds_for={WITHOUT_EXPERTS: "moe-dp-message"},
    chain="""
    S_dp = g*P_r                                          -- a gradient for each weight of a rank
      = g*ceil(L/p)*(2*D*d_h*(H + K) + n_f*D*F)/t         -- put the weights in
    """,
)
