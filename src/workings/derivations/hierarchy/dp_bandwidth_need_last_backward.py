"""Bandwidth that data parallelism needs to hide behind the last backward."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives.ring import RING_ALL_REDUCE
from workings.derivations.experts.loads import RANK_TOKENS
from workings.derivations.hierarchy._letters import LONGEST_RING, PEAK, STAGE, TIMED
from workings.derivations.hierarchy._sources import SCALING_BOOK_GPU_DATA
from workings.derivations.hierarchy._work import dense_block_backward, duration
from workings.derivations.hierarchy.block_forward_time import BLOCK_FORWARD_TIME
from workings.derivations.hierarchy.block_token_flops import BLOCK_TOKEN_FLOPS
from workings.derivations.hierarchy.block_weights import BLOCK_WEIGHTS
from workings.derivations.hierarchy.dp_message import DP_MESSAGE, give_every_weight_its_gradient
from workings.derivations.ranks.shares import FULLEST_STAGE, deal_layers_to_stages
from workings.simulate.ring import all_reduce
from workings.units import BYTE, SECOND
from workings.vocabulary.kinds import WITHOUT_EXPERTS
from workings.vocabulary.layout import DP
from workings.vocabulary.training import REDUCE_WIDTH


def reduce_within_the_last_backward(
    b_m: int, s: int, c: int, t: int, D: int, F: int, H: int, K: int, d_h: int, n_f: int,
    C: Fraction, L: int, p: int, d: int, g: Fraction,
) -> Fraction | None:  # fmt: skip
    """All gradients reduced on a ring; bytes sent over the listed matmuls of the last backward."""
    if c * d > LONGEST_RING:
        return None
    block = dense_block_backward(b_m, s, c, t, D, F, H, K, d_h, n_f, C)
    backward = duration(block * deal_layers_to_stages(L, p))
    message = give_every_weight_its_gradient(D, F, H, K, d_h, n_f, L, p, t, g)
    return all_reduce(c * d, message).sent[0] / backward


DP_BANDWIDTH_NEED_LAST_BACKWARD = derivation(
    "dp-bandwidth-need-last-backward",
    title="Bandwidth at which the gradients hide behind the last micro-batch's backward",
    unit=BYTE / SECOND,
    letters={**TIMED, **STAGE, "d": DP, "g": REDUCE_WIDTH},
    uses={
        "T": RANK_TOKENS.at(),
        "P_blk": BLOCK_WEIGHTS.at(),
        "X_b": BLOCK_TOKEN_FLOPS.at(),
        "T_f": BLOCK_FORWARD_TIME.at(),
        "L_p": FULLEST_STAGE.at(),
        "S_dp": DP_MESSAGE.at(),
        "V": RING_ALL_REDUCE.at(N="c*d", S="g*ceil(L/p)*(2*D*d_h*(H + K) + n_f*D*F)/t"),
    },
    given=(
        "t divides H",
        "t divides K",
        "t divides F",
    ),
    source=SCALING_BOOK_GPU_DATA,
    oracle=reduce_within_the_last_backward,
    convention=f"One way, for each rank, on a ring over `c*d` ranks. {PEAK}",
    leaves_out="The first bucket's wait and the last one's tail; gathering weights may hide behind the "
    "next forward instead.",
    holds_for={WITHOUT_EXPERTS: "moe-dp-bandwidth-need-last-backward"},
    chain="""
    W_last = V/(L_p*(2*T_f))                             -- bytes over the backward of a stage's layers
      = 2*(c*d - 1)/(c*d)*S_dp/(2*L_p*T_f)               -- the ring
      = (c*d - 1)/(c*d)*g*P_blk*C/(t*T*X_b)              -- layers cancel; the micro-batch remains
      <= (c*d - 1)/(c*d)*g*C/(2[FLOP]*t*T)               -- `X_b` is at least `2*P_blk`
    """,
)
