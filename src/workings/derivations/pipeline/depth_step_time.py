"""Growing a model by its depth: the time of a step."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.pipeline._sources import MEGATRON_TIME
from workings.derivations.pipeline._times import FILLED
from workings.simulate.pipeline import gpipe
from workings.units import SECOND
from workings.vocabulary.pipeline import LAYER_TIME, LAYERS_PER_RANK


def deepen_the_model(p: int, m: int, L_p: int, T_l: Fraction) -> Fraction:
    """GPipe run on ranks of so many layers, a third of their time forward; the end of the step."""
    stage = sum((T_l for _ in range(L_p)), Fraction(0))
    return Fraction(gpipe(p, m, stage / 3, 2 * stage / 3).makespan)


DEPTH_STEP_TIME = derivation(
    "depth-step-time",
    title="Time of a step when depth grows with the ranks",
    unit=SECOND,
    letters={**FILLED, "L_p": LAYERS_PER_RANK, "T_l": LAYER_TIME},
    source=MEGATRON_TIME,
    oracle=deepen_the_model,
    convention="A model of `p*L_p` layers: ranks are added to deepen it, micro-batches stay `m`.",
    leaves_out="Sending activations between stages, and the gradients' all-reduce.",
    chain="""
    T_dep = sum(L_p*T_l, (i, 1, m)) + sum(L_p*T_l, (i, 1, p - 1))    -- a rank's work and its wait
      = m*L_p*T_l + (p - 1)*L_p*T_l                                  -- equal terms
      = (m + p - 1)*L_p*T_l                                          -- collect
      ≈ [p -> oo] p*L_p*T_l               -- at fixed `m` it grows as the model does
    """,
)
