"""Forward time of a block."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.experts.loads import RANK_TOKENS
from workings.derivations.hierarchy._letters import PEAK, TIMED
from workings.derivations.hierarchy._sources import MEGATRON_TENSOR
from workings.derivations.hierarchy._work import dense_block, duration
from workings.derivations.hierarchy.block_token_flops import BLOCK_TOKEN_FLOPS
from workings.units import SECOND
from workings.vocabulary.kinds import WITHOUT_EXPERTS


def run_one_block(
    b_m: int, s: int, c: int, t: int, D: int, F: int, H: int, K: int, d_h: int, n_f: int, C: Fraction
) -> Fraction:
    """The matmuls of a micro-batch listed with their shapes, shared by `c*t` ranks."""
    return duration(dense_block(b_m, s, c, t, D, F, H, K, d_h, n_f, C))


BLOCK_FORWARD_TIME = derivation(
    "block-forward-time",
    title="Forward time of a dense block for one micro-batch",
    unit=SECOND,
    letters=TIMED,
    uses={"T": RANK_TOKENS.at(), "X_b": BLOCK_TOKEN_FLOPS.at()},
    given=("c*t divides s",),
    source=MEGATRON_TENSOR,
    oracle=run_one_block,
    convention=f"{PEAK} Backward takes twice as long.",
    leaves_out="Everything but matmuls.",
    holds_for={WITHOUT_EXPERTS: "moe-block-forward-time"},
    chain="""
    T_f = X_b*(t*T)/(t*C)          -- `t` ranks compute together on the `t*T` tokens they hold
      = X_b*T/C                    -- as if each worked on its own
      = X_b*b_m*s/(c*t*C)          -- put the tokens in
    """,
)
