"""Bandwidth that data parallelism needs, spread over a step."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives.ring import RING_ALL_REDUCE
from workings.derivations.hierarchy._letters import LONGEST_RING, PEAK, STAGE, TIMED
from workings.derivations.hierarchy._sources import MEGATRON_DATA
from workings.derivations.hierarchy.block_forward_time import BLOCK_FORWARD_TIME
from workings.derivations.hierarchy.dp_message import DP_MESSAGE, give_every_weight_its_gradient
from workings.derivations.hierarchy.pipelined_step_time import PIPELINED_STEP_TIME, run_the_pipeline
from workings.simulate.ring import all_reduce
from workings.units import BYTE, SECOND
from workings.vocabulary.kinds import WITHOUT_EXPERTS
from workings.vocabulary.layout import DP, VIRTUAL_STAGES
from workings.vocabulary.training import MICROBATCHES, REDUCE_WIDTH


def reduce_within_a_step(
    b_m: int, s: int, c: int, t: int, D: int, F: int, H: int, K: int, d_h: int, n_f: int,
    C: Fraction, L: int, p: int, v: int, m: int, d: int, g: Fraction,
) -> Fraction | None:  # fmt: skip
    """All gradients reduced on a ring hop by hop; bytes sent over the time of the schedule."""
    if c * d > LONGEST_RING:
        return None
    step = run_the_pipeline(b_m, s, c, t, D, F, H, K, d_h, n_f, C, L, p, v, m)
    message = give_every_weight_its_gradient(D, F, H, K, d_h, n_f, L, p, t, g)
    return None if step is None else all_reduce(c * d, message).sent[0] / step


DP_BANDWIDTH_NEED = derivation(
    "dp-bandwidth-need",
    title="Bandwidth of data parallelism, averaged over a step",
    unit=BYTE / SECOND,
    letters={
        **TIMED,
        **STAGE,
        "v": VIRTUAL_STAGES,
        "m": MICROBATCHES,
        "d": DP,
        "g": REDUCE_WIDTH,
    },
    uses={
        "T_f": BLOCK_FORWARD_TIME.at(),
        "S_dp": DP_MESSAGE.at(),
        "T_step": PIPELINED_STEP_TIME.at(),
        "V": RING_ALL_REDUCE.at(N="c*d", S="g*ceil(L/p)*(2*D*d_h*(H + K) + n_f*D*F)/t"),
    },
    given=("p divides m", "c*t divides s", "t divides H", "t divides K", "t divides F", "L >= p*v"),
    source=MEGATRON_DATA,
    oracle=reduce_within_a_step,
    convention=f"One way, for each rank, on a ring over `c*d` ranks that may take a whole step. {PEAK}",
    leaves_out="That gradients are complete only at the end of a step, in its last backward.",
    holds_for={WITHOUT_EXPERTS: "moe-dp-bandwidth-need"},
    chain="""
    W_dp = V/T_step                                          -- bytes of the reduction over a step
      = 2*(c*d - 1)/(c*d)*S_dp/T_step                        -- the ring
      = 2*(c*d - 1)/(c*d)*S_dp/(3*(m*v + p - 1)*ceil(L/(p*v))*T_f)  -- put the step in
    """,
)
