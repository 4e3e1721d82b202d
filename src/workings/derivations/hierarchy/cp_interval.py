"""Time between two context-parallel gathers."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.experts.loads import RANK_TOKENS
from workings.derivations.hierarchy._letters import PEAK, TIMED
from workings.derivations.hierarchy._sources import LLAMA3_CONTEXT
from workings.derivations.hierarchy._work import dense_block
from workings.derivations.hierarchy.block_forward_time import BLOCK_FORWARD_TIME
from workings.derivations.hierarchy.block_token_flops import BLOCK_TOKEN_FLOPS
from workings.simulate.rhythm import Stretch, mean_interval, operations
from workings.units import SECOND
from workings.vocabulary.kinds import WITHOUT_LATENT


def note_the_gathers(
    b_m: int, s: int, c: int, t: int, D: int, F: int, H: int, K: int, d_h: int, n_f: int, C: Fraction
) -> Fraction:
    """Several blocks forward on a clock, a gather for each; the mean time between them."""
    attention, ffn = dense_block(b_m, s, c, t, D, F, H, K, d_h, n_f, C)
    work = [Stretch(attention.time), Stretch(ffn.time, "cp")] * 3
    return mean_interval(operations(work)["cp"])


CP_INTERVAL = derivation(
    "cp-interval",
    title="Time between two context-parallel gathers, forward",
    unit=SECOND,
    letters=TIMED,
    uses={
        "T": RANK_TOKENS.at(),
        "X_b": BLOCK_TOKEN_FLOPS.at(),
        "T_f": BLOCK_FORWARD_TIME.at(),
    },
    source=LLAMA3_CONTEXT,
    oracle=note_the_gathers,
    convention=f"One gather a block. {PEAK} Backward it is twice as long.",
    holds_for={WITHOUT_LATENT: ""},
    chain="""
    T_cp = X_b*T/C     -- the FLOPs of a whole block, from one attention to the next
      = T_f            -- one gather a block
    """,
)
