"""A pipeline's step against one micro-batch on one device."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.pipeline._sources import MEGATRON_TIME
from workings.derivations.pipeline._times import FILLED
from workings.simulate.pipeline import gpipe, naive
from workings.units import ONE
from workings.vocabulary.pipeline import LAYER_TIME, LAYERS_PER_RANK


def race_against_one_micro_batch(p: int, m: int, L_p: int, T_l: Fraction) -> Fraction:
    """GPipe's duration over that of one micro-batch going through every stage and back."""
    forward, backward = L_p * T_l / 3, 2 * L_p * T_l / 3
    return Fraction(gpipe(p, m, forward, backward).makespan) / naive(p, forward, backward).makespan


PIPELINE_SERIAL_FACTOR = derivation(
    "pipeline-serial-factor",
    title="A pipeline's step against one micro-batch on one device",
    unit=ONE,
    letters={**FILLED, "L_p": LAYERS_PER_RANK, "T_l": LAYER_TIME},
    source=MEGATRON_TIME,
    oracle=race_against_one_micro_batch,
    convention="The same `L_p*p` layers; the device alone (pure DDP, batch of one) runs one micro-batch.",
    leaves_out="Sending activations, and the gradients' all-reduce.",
    chain="""
    f_s = (m + p - 1)*L_p*T_l/(p*L_p*T_l)     -- ticks of `L_p` layers, against `p` of them in a row
      = (m + p - 1)/p                         -- cancel
      = m/p + 1 - 1/p                         -- at `m = 3*p`: 3 for the micro-batches, 1 for filling
    """,
)
