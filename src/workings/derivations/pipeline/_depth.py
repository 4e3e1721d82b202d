"""A run of a model that is deepened rank by rank: letters, and the run itself."""

from fractions import Fraction

from workings.simulate.pipeline import gpipe
from workings.vocabulary.pipeline import (
    LAYER_PARAMETERS,
    LAYER_TIME,
    LAYERS_PER_RANK,
)
from workings.vocabulary.training import MICROBATCH, SEQUENCE_LENGTH, TOKENS_PER_PARAMETER

RUN = {
    "L_p": LAYERS_PER_RANK, "T_l": LAYER_TIME, "P_l": LAYER_PARAMETERS,
    "c_t": TOKENS_PER_PARAMETER, "b_m": MICROBATCH, "s": SEQUENCE_LENGTH,
}  # fmt: skip


def spend_all_tokens(
    p: int, m: int, L_p: int, T_l: Fraction, P_l: int, c_t: Fraction, b_m: int, s: int
) -> Fraction:
    """Add up the steps of a run, the last one by the share of its tokens that are left."""
    step = Fraction(gpipe(p, m, L_p * T_l / 3, 2 * L_p * T_l / 3).makespan)
    tokens = sum((c_t * P_l for _ in range(p) for _ in range(L_p)), Fraction(0))
    in_a_step = sum(b_m * s for _ in range(m))
    whole, left = divmod(tokens, in_a_step)
    return whole * step + left / in_a_step * step
