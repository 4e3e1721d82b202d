"""Tensor-parallel volume of one stage for one micro-batch."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.tensor_parallel._layer import run
from workings.derivations.tensor_parallel._sources import MEGATRON_VOLUME
from workings.derivations.tensor_parallel._volume import LETTERS
from workings.derivations.tensor_parallel.tp_layer_bytes import TP_LAYER_BYTES
from workings.simulate.tensor_layer import Options
from workings.units import BYTE
from workings.vocabulary.layout import TP


def run_the_layers_of_a_stage(L_p: int, b_m: int, s: int, D: int, a: Fraction, t: int) -> Fraction | None:
    """Every layer of the stage run forward and backward on split weights, its sends added up."""
    ranks = run(t, b_m, s, 1, D, Options())
    return None if ranks is None else sum((ranks.sent() * a for _ in range(L_p)), Fraction(0))


TP_VOLUME = derivation(
    "tp-volume",
    title="Tensor-parallel volume of a stage: four all-reduces a layer",
    unit=BYTE,
    letters={**LETTERS, "t": TP},
    uses={"V_TP": TP_LAYER_BYTES.at(c="1")},
    source=MEGATRON_VOLUME,
    oracle=run_the_layers_of_a_stage,
    convention="What one rank sends for one micro-batch, forward and backward, in the `L_p` layers that "
    "it holds; no context parallelism.",
    chain="""
    V_T = sum(V_TP, (i, 1, L_p))              -- layer by layer
      = L_p*V_TP                              -- equal layers
      = 8*L_p*(t - 1)/t*(a*b_m*s*D)           -- four all-reduces of the activation each
    """,
)
