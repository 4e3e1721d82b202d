"""Up to which degree the experts alone hide what splitting them moves."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives.ring import RING_ALL_GATHER, RING_REDUCE_SCATTER
from workings.derivations.tensor_parallel._experts import DISPATCHER
from workings.derivations.tensor_parallel._letters import SPEEDS
from workings.derivations.tensor_parallel._work import feed_forward_flops
from workings.simulate.ring import all_gather, reduce_scatter
from workings.units import ONE
from workings.vocabulary.kinds import WITH_EXPERTS
from workings.vocabulary.layout import ETP
from workings.vocabulary.model import ACTIVE_EXPERTS, D_EXPERT, D_MODEL, FFN_MATRICES
from workings.vocabulary.training import ACTIVATION_WIDTH, TOKENS

MOST_RANKS = 60


def race_the_experts(
    t_e: int, B: int, k_E: int, D: int, F_E: int, n_f: int, a: Fraction, C: Fraction, W_1: Fraction
) -> bool | None:
    """A rank's part of the products of all that its group was sent, against both collectives."""
    if t_e > MOST_RANKS:
        return None
    rows = sum(k_E * B for _ in range(t_e))
    sent = all_gather(t_e, a * rows * D).sent[0] + reduce_scatter(t_e, a * rows * D).sent[0]
    return feed_forward_flops(t_e, rows, D, F_E, n_f) / C > sent / W_1


EXPERT_TP_DEGREE_LIMIT = derivation(
    "expert-tp-degree-limit",
    title="Ranks up to which split experts' gathers and reductions can hide behind their compute",
    unit=ONE,
    noun="devices",
    letters={
        "t_e": ETP, "B": TOKENS, "k_E": ACTIVE_EXPERTS, "D": D_MODEL, "F_E": D_EXPERT,
        "n_f": FFN_MATRICES, "a": ACTIVATION_WIDTH, **SPEEDS,
    },
    uses={
        "V_XG": RING_ALL_GATHER.at(N="t_e", S="t_e*k_E*a*B*D"),
        "V_XS": RING_REDUCE_SCATTER.at(N="t_e", S="t_e*k_E*a*B*D"),
    },
    source=DISPATCHER,
    oracle=race_the_experts,
    convention="Forward; inside a node; exact rings; even routing: each of `t_e` ranks is sent `k_E*B` "
    "copies of tokens, which all of them compute together. How many they are does not matter.",
    leaves_out="Start-up latency; the all-to-all; shared experts.",
    holds_for={WITH_EXPERTS: "tp-ffn-degree-limit"},
    chain="""
    n_f*(2[FLOP]*(t_e*k_E*B)*D*(F_E/t_e))/C > (V_XG + V_XS)/W_1      -- products outlast both
      <=> 2[FLOP]*n_f*k_E*B*D*F_E/C > 2*(t_e - 1)*k_E*a*B*D/W_1      -- put the rings in
      <=> t_e < 1 + 2[FLOP]*n_f*F_E*W_1/(2*a*C)                      -- divide by `2*k_E*a*B*D`, solve
    """,
)  # fmt: skip
