"""The tensor-parallel degree that a link can hide."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.hierarchy._letters import PEAK, TIMED
from workings.derivations.hierarchy._sources import SCALING_BOOK_GPU_TENSOR
from workings.derivations.hierarchy.block_token_flops import BLOCK_TOKEN_FLOPS
from workings.derivations.hierarchy.tp_bandwidth_need import (
    TP_BANDWIDTH_NEED,
    reduce_within_the_interval,
)
from workings.units import ONE
from workings.vocabulary.hardware import BANDWIDTH
from workings.vocabulary.kinds import WITHOUT_LATENT
from workings.vocabulary.training import ACTIVATION_WIDTH


def race_the_link(
    b_m: int, s: int, c: int, t: int, D: int, F: int, H: int, K: int, d_h: int, n_f: int,
    C: Fraction, a: Fraction, W_b: Fraction,
) -> bool | None:  # fmt: skip
    """All-reduces run hop by hop against the clock; whether the link sends as fast as they need."""
    if t > 60 or s % (c * t):  # ranks that share a sequence hold equally many tokens
        return None
    return reduce_within_the_interval(b_m, s, c, t, D, F, H, K, d_h, n_f, C, a) <= W_b


TP_DEGREE_FOR_LINK = derivation(
    "tp-degree-for-link",
    title="Largest tensor-parallel degree whose all-reduces a link can hide",
    unit=ONE,
    noun="devices",
    letters={**TIMED, "a": ACTIVATION_WIDTH, "W_b": BANDWIDTH},
    uses={"X_b": BLOCK_TOKEN_FLOPS.at(), "W_tp": TP_BANDWIDTH_NEED.at()},
    source=SCALING_BOOK_GPU_TENSOR,
    oracle=race_the_link,
    convention=f"On a ring. {PEAK}",
    leaves_out="Start-up latency; an all-reduce hides only behind work that does not wait for it.",
    holds_for={WITHOUT_LATENT: ""},
    chain="""
    W_tp <= W_b                                          -- the link sends as fast as is needed
      <=> 4*(t - 1)*D*a*C/X_b <= W_b                     -- put the need in
      <=> t <= 1 + W_b*X_b/(4*D*a*C)                     -- solve for the degree
    """,
)
