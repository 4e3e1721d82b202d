"""Growing a model by its depth: the time of a whole run with a fixed batch."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.pipeline._depth import RUN, spend_all_tokens
from workings.derivations.pipeline._sources import CHINCHILLA
from workings.derivations.pipeline._times import FILLED
from workings.derivations.pipeline.depth_step_time import DEPTH_STEP_TIME
from workings.units import SECOND


def train_a_deep_model(
    p: int, m: int, L_p: int, T_l: Fraction, P_l: int, c_t: Fraction, b_m: int, s: int
) -> Fraction:
    """Tokens for every parameter of every rank, spent step by step; the steps' times added up."""
    return spend_all_tokens(p, m, L_p, T_l, P_l, c_t, b_m, s)


DEPTH_RUN_TIME = derivation(
    "depth-run-time",
    title="Time of a training run when depth grows and the batch does not",
    unit=SECOND,
    letters={**FILLED, **RUN},
    uses={"T_dep": DEPTH_STEP_TIME.at()},
    source=CHINCHILLA,
    oracle=train_a_deep_model,
    convention="`c_t` tokens a parameter; `m` micro-batches of `b_m*s` tokens in every step.",
    leaves_out="Embeddings, sending activations, and the gradients' all-reduce.",
    chain="""
    T_run = c_t*(p*L_p*P_l)/(m*b_m*s)*T_dep       -- tokens over tokens of a step: steps, each `T_dep`
      = c_t*P_l*L_p^2*T_l/(m*b_m*s)*p*(m + p - 1)                 -- put the step in
      ≈ [p -> oo] c_t*P_l*L_p^2*T_l/(m*b_m*s)*p^2  -- more steps, and each longer: quadratic
    """,
)
