"""Growing a model by its depth: the time of a whole run with a batch that keeps the pipeline full."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.pipeline._depth import RUN, spend_all_tokens
from workings.derivations.pipeline._sources import CHINCHILLA
from workings.derivations.pipeline.depth_run_time import DEPTH_RUN_TIME
from workings.units import SECOND
from workings.vocabulary.layout import STAGES
from workings.vocabulary.pipeline import MICROBATCHES_PER_STAGE


def train_a_deep_model_with_a_growing_batch(
    p: int, r: int, L_p: int, T_l: Fraction, P_l: int, c_t: Fraction, b_m: int, s: int
) -> Fraction:
    """The same run, with r micro-batches for each stage; the steps' times added up."""
    return spend_all_tokens(p, sum(r for _ in range(p)), L_p, T_l, P_l, c_t, b_m, s)


DEPTH_RUN_TIME_FILLED = derivation(
    "depth-run-time-filled",
    title="Time of a training run when depth and batch grow together",
    unit=SECOND,
    letters={"p": STAGES, "r": MICROBATCHES_PER_STAGE, **RUN},
    uses={"T_run": DEPTH_RUN_TIME.at(m="r*p")},
    source=CHINCHILLA,
    oracle=train_a_deep_model_with_a_growing_batch,
    convention="`c_t` tokens a parameter; `r*p` micro-batches in every step, so its bubble stays small.",
    leaves_out="Embeddings, sending activations, the gradients' all-reduce; whether so large a batch "
    "still learns as well.",
    chain="""
    T_full = T_run                                                -- at `m = r*p` micro-batches
      = c_t*P_l*L_p^2*T_l/(r*b_m*s)*(r*p + p - 1)                 -- put the run in
      ≈ [p -> oo] c_t*P_l*L_p^2*T_l*(r + 1)/(r*b_m*s)*p  -- as many steps as before: linear in `p`
    """,
)
