"""Time between two tensor-parallel all-reduces."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.hierarchy._letters import PEAK, TIMED
from workings.derivations.hierarchy._sources import MEGATRON_TENSOR
from workings.derivations.hierarchy._work import dense_block
from workings.derivations.hierarchy.block_forward_time import BLOCK_FORWARD_TIME
from workings.simulate.rhythm import mean_interval, operations
from workings.units import SECOND
from workings.vocabulary.kinds import WITHOUT_LATENT


def note_the_all_reduces(
    b_m: int, s: int, c: int, t: int, D: int, F: int, H: int, K: int, d_h: int, n_f: int, C: Fraction
) -> Fraction:
    """Several blocks forward on a clock; the mean time from one all-reduce to the next."""
    work = dense_block(b_m, s, c, t, D, F, H, K, d_h, n_f, C) * 3
    return mean_interval(operations(work)["tp"])


TP_INTERVAL = derivation(
    "tp-interval",
    title="Time between two tensor-parallel all-reduces, forward",
    unit=SECOND,
    letters=TIMED,
    uses={"T_f": BLOCK_FORWARD_TIME.at()},
    source=MEGATRON_TENSOR,
    oracle=note_the_all_reduces,
    convention=f"The mean over attention and feed-forward. {PEAK} Backward it is twice as long.",
    holds_for={WITHOUT_LATENT: ""},
    chain="""
    T_tp = T_f/(1 + 1)     -- one all-reduce after attention, one after the feed-forward
      = T_f/2              -- two a block
    """,
)
