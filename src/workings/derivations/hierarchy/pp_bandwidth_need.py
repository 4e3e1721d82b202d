"""Bandwidth that a pipeline needs to hide."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.experts.loads import RANK_TOKENS
from workings.derivations.hierarchy._letters import PEAK, STAGE, TIMED
from workings.derivations.hierarchy._sources import SCALING_BOOK_GPU_PIPELINE
from workings.derivations.hierarchy.block_forward_time import BLOCK_FORWARD_TIME
from workings.derivations.hierarchy.block_token_flops import BLOCK_TOKEN_FLOPS
from workings.derivations.hierarchy.pp_interval import PP_INTERVAL, note_what_is_handed_on
from workings.derivations.hierarchy.pp_message import PP_MESSAGE, hand_on_what_a_rank_holds
from workings.units import BYTE, SECOND
from workings.vocabulary.kinds import WITHOUT_LATENT
from workings.vocabulary.layout import VIRTUAL_STAGES
from workings.vocabulary.training import ACTIVATION_WIDTH


def hand_on_within_the_interval(
    b_m: int, s: int, c: int, t: int, D: int, F: int, H: int, K: int, d_h: int, n_f: int,
    C: Fraction, L: int, p: int, v: int, a: Fraction,
) -> Fraction:  # fmt: skip
    """A rank's vectors over the time on the clock."""
    message = hand_on_what_a_rank_holds(b_m, s, c, t, D, a)
    return message / note_what_is_handed_on(b_m, s, c, t, D, F, H, K, d_h, n_f, C, L, p, v)


PP_BANDWIDTH_NEED = derivation(
    "pp-bandwidth-need",
    title="Bandwidth at which pipeline messages take no longer than compute",
    unit=BYTE / SECOND,
    letters={**TIMED, **STAGE, "v": VIRTUAL_STAGES, "a": ACTIVATION_WIDTH},
    uses={
        "T": RANK_TOKENS.at(),
        "X_b": BLOCK_TOKEN_FLOPS.at(),
        "T_f": BLOCK_FORWARD_TIME.at(),
        "S_pp": PP_MESSAGE.at(),
        "T_pp": PP_INTERVAL.at(),
    },
    given=("L >= p*v",),
    source=SCALING_BOOK_GPU_PIPELINE,
    oracle=hand_on_within_the_interval,
    convention=f"One way, for each rank. {PEAK}",
    leaves_out="Start-up latency; messages that hold up the pipeline's start and end.",
    holds_for={WITHOUT_LATENT: ""},
    chain="""
    W_pp = S_pp/T_pp                           -- a message over the time to the next
      = T*D*a/(3/2*ceil(L/(p*v))*T_f)          -- put both in
      = 2*D*a*C/(3*ceil(L/(p*v))*X_b)          -- tokens cancel; the more layers a chunk, the less
    """,
)
