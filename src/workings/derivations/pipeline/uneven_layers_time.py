"""Layers that do not divide evenly over the stages."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.pipeline._sources import GPIPE_BALANCE
from workings.derivations.pipeline._times import FILLED
from workings.derivations.pipeline.uneven_stages_time import UNEVEN_STAGES_TIME
from workings.simulate.pipeline import unequal_gpipe
from workings.units import SECOND
from workings.vocabulary.model import BLOCKS
from workings.vocabulary.pipeline import LAYER_TIME


def deal_out_layers(p: int, m: int, L: int, T_l: Fraction) -> Fraction:
    """Layers dealt out to the stages one by one, then GPipe run on them."""
    stages = [sum((T_l for _ in range(stage, L, p)), Fraction(0)) for stage in range(p)]
    schedule = unequal_gpipe([time / 3 for time in stages], [2 * time / 3 for time in stages], m)
    return Fraction(schedule.makespan)


UNEVEN_LAYERS_TIME = derivation(
    "uneven-layers-time",
    title="Time of a step when `L` layers do not divide evenly over `p` stages",
    unit=SECOND,
    letters={**FILLED, "L": BLOCKS, "T_l": LAYER_TIME},
    uses={"T_un": UNEVEN_STAGES_TIME.at(T_all="L*T_l", T_max="ceil(L/p)*T_l")},
    given=("L >= p", "p > 1"),
    source=GPIPE_BALANCE,
    oracle=deal_out_layers,
    convention="Equal layers, dealt out as evenly as possible; the fullest stage has `L/p` rounded up.",
    leaves_out="Embeddings and head; sending activations between stages.",
    chain="""
    T_lay = T_un                                -- all layers' time, and the fullest stage's
      = L*T_l + (m - 1)*(ceil(L/p)*T_l)         -- put the stages in
      = (L + (m - 1)*ceil(L/p))*T_l             -- collect
    """,
)
