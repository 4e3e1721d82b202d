"""Bandwidth that tensor parallelism needs to hide."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives.ring import RING_ALL_REDUCE
from workings.derivations.hierarchy._letters import PEAK, TIMED
from workings.derivations.hierarchy._sources import SCALING_BOOK_GPU_TENSOR
from workings.derivations.hierarchy.block_forward_time import BLOCK_FORWARD_TIME
from workings.derivations.hierarchy.block_token_flops import BLOCK_TOKEN_FLOPS
from workings.derivations.hierarchy.block_weights import BLOCK_WEIGHTS
from workings.derivations.hierarchy.tp_interval import TP_INTERVAL, note_the_all_reduces
from workings.derivations.hierarchy.tp_message import TP_MESSAGE, collect_from_the_group
from workings.simulate.ring import all_reduce
from workings.units import BYTE, SECOND
from workings.vocabulary.kinds import WITHOUT_LATENT
from workings.vocabulary.training import ACTIVATION_WIDTH


def reduce_within_the_interval(
    b_m: int, s: int, c: int, t: int, D: int, F: int, H: int, K: int, d_h: int, n_f: int,
    C: Fraction, a: Fraction,
) -> Fraction:  # fmt: skip
    """The message reduced on a ring hop by hop; bytes sent over the time on the clock."""
    message = collect_from_the_group(b_m, s, c, t, D, a)
    interval = note_the_all_reduces(b_m, s, c, t, D, F, H, K, d_h, n_f, C)
    return all_reduce(t, message).sent[0] / interval


TP_BANDWIDTH_NEED = derivation(
    "tp-bandwidth-need",
    title="Bandwidth at which tensor-parallel all-reduces take no longer than compute",
    unit=BYTE / SECOND,
    letters={**TIMED, "a": ACTIVATION_WIDTH},
    uses={
        "P_blk": BLOCK_WEIGHTS.at(),
        "X_b": BLOCK_TOKEN_FLOPS.at(),
        "T_f": BLOCK_FORWARD_TIME.at(),
        "T_tp": TP_INTERVAL.at(),
        "S_tp": TP_MESSAGE.at(),
        "V": RING_ALL_REDUCE.at(N="t", S="b_m*s*D*a/c"),
    },
    source=SCALING_BOOK_GPU_TENSOR,
    oracle=reduce_within_the_interval,
    convention=f"One way, for each rank, on a ring. {PEAK}",
    leaves_out="Start-up latency; an all-reduce hides only behind work that does not wait for it.",
    holds_for={WITHOUT_LATENT: ""},
    chain="""
    W_tp = V/T_tp                              -- bytes of one all-reduce over the time to the next
      = 2*(t - 1)/t*S_tp/(T_f/2)               -- the ring, and half a block
      = 4*(t - 1)*D*a*C/X_b                    -- message and time both grow with the tokens
      <= 4*(t - 1)*D*a*C/(2[FLOP]*P_blk)       -- `X_b` is at least `2*P_blk`: the weights' share
    """,
)
