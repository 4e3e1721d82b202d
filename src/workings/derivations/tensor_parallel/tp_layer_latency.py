"""Start-up latency of a layer's tensor-parallel transfers."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.tensor_parallel._layer import run
from workings.derivations.tensor_parallel._sources import MEGATRON_VOLUME
from workings.simulate.tensor_layer import Options
from workings.units import SECOND
from workings.vocabulary.hardware import LATENCY
from workings.vocabulary.layout import TP


def count_every_hop(t: int, alpha: Fraction) -> Fraction:
    """A layer run on split weights; the latency of every hop of its collectives added up."""
    ranks = run(t, 1, 2, 1, 2, Options())
    assert ranks is not None  # noqa: S101 - a layer as small as this is always run
    return sum((alpha for _ in range(ranks.hops())), Fraction(0))


TP_LAYER_LATENCY = derivation(
    "tp-layer-latency",
    title="Start-up latency of one layer's tensor-parallel transfers",
    unit=SECOND,
    letters={"t": TP, "alpha": LATENCY},
    source=MEGATRON_VOLUME,
    oracle=count_every_hop,
    convention="Ring all-reduces, forward and backward; sequence parallelism has as many hops. Does not "
    "depend on the size of the model or of the micro-batch.",
    leaves_out="The transfer of the bytes.",
    chain="""
    T_hops = sum(2*(t - 1)*alpha, (i, 1, 4))     -- four all-reduces of `2*(t - 1)` hops
      = 8*(t - 1)*alpha                          -- equal all-reduces
    """,
)
