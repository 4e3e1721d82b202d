"""Time between two all-to-alls."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.hierarchy._expert_work import expert_block
from workings.derivations.hierarchy._letters import EXPERTS_TIMED, PEAK
from workings.derivations.hierarchy._sources import DEEPSEEK_OVERLAP
from workings.derivations.hierarchy.moe_block_forward_time import MOE_BLOCK_FORWARD_TIME
from workings.simulate.rhythm import mean_interval, operations
from workings.units import SECOND
from workings.vocabulary.kinds import EXPERT_BLOCKS, WITHOUT_LATENT


def note_the_all_to_alls(
    b_m: int, s: int, c: int, t: int, D: int, H: int, K: int, d_h: int,
    n_f: int, F_E: int, E: int, k_E: int, E_s: int, C: Fraction,
) -> Fraction:  # fmt: skip
    """Several blocks forward on a clock; the mean time from one all-to-all to the next."""
    work = expert_block(b_m, s, c, t, D, H, K, d_h, n_f, F_E, E, k_E, E_s, C) * 3
    return mean_interval(operations(work)["ep"])


EP_INTERVAL = derivation(
    "ep-interval",
    title="Time between two all-to-alls, forward",
    unit=SECOND,
    letters=EXPERTS_TIMED,
    uses={"T_m": MOE_BLOCK_FORWARD_TIME.at()},
    given=("k_E <= E",),
    source=DEEPSEEK_OVERLAP,
    oracle=note_the_all_to_alls,
    convention=f"Every block has experts; the mean of both. {PEAK} Backward it is twice as long.",
    holds_for={EXPERT_BLOCKS: "", WITHOUT_LATENT: ""},
    chain="""
    T_ep = T_m/(1 + 1)     -- dispatch before the experts, combine after them
      = T_m/2              -- two a block
    """,
)
