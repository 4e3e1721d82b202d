"""Which share of a layer's time its transfers show."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.tensor_parallel._sources import NEMO_OVERLAP
from workings.simulate.overlap import queue_beside_work
from workings.units import ONE
from workings.vocabulary.tensor_parallel import HIDING_TIME, LAYER_COMPUTE_TIME, TRANSFERS_TIME


def queue_the_transfers(T_V: Fraction, T_G: Fraction, T_C: Fraction) -> Fraction:
    """Transfers in a queue beside the compute that does not need them; time in which none runs."""
    line = queue_beside_work([T_V / 4] * 4, T_G, T_C - T_G)
    return line.exposed / line.finish


TP_EXPOSED_SHARE = derivation(
    "tp-exposed-share",
    title="Share of a layer's time that its tensor-parallel transfers show",
    unit=ONE,
    letters={"T_V": TRANSFERS_TIME, "T_G": HIDING_TIME, "T_C": LAYER_COMPUTE_TIME},
    given=("T_C >= T_G",),
    source=NEMO_OVERLAP,
    oracle=queue_the_transfers,
    convention="Transfers run beside `T_G` of the layer's compute `T_C` at full speed; what is left of "
    "them is waited for.",
    chain="""
    e_TP = (T_C - T_G + max(T_G, T_V) - T_C)/(T_C - T_G + max(T_G, T_V))
                                                   -- the layer's time less its compute, over that time
      = (max(T_G, T_V) - T_G)/(T_C - T_G + max(T_G, T_V))      -- the compute cancels above
      = max(0, T_V - T_G)/(T_C + max(0, T_V - T_G))            -- transfers beyond what hides them
    """,
)
