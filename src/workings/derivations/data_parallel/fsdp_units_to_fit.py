"""Into how many units a model must be cut to fit."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.data_parallel._letters import WIDTHS
from workings.derivations.data_parallel._sources import FSDP_UNITS
from workings.derivations.data_parallel._units import peak_of_backward
from workings.units import ONE
from workings.vocabulary.data_parallel import PREFETCHED, UNITS
from workings.vocabulary.layout import SHARING_RANKS
from workings.vocabulary.memory import DEVICE_MEMORY, STATE
from workings.vocabulary.state import HELD


def cut_and_watch(
    U: int,
    k_u: int,
    P: int,
    S: Fraction,
    d: int,
    M_max: Fraction,
    w: Fraction,
    g: Fraction,
) -> bool | None:
    """A backward over that many equal units; its peak held against the memory."""
    if k_u >= U or U > 200:
        return None
    unit = Fraction(P, U)
    return S / d + peak_of_backward(U, k_u, w * unit, g * unit, overlap=False) < M_max


FSDP_UNITS_TO_FIT = derivation(
    "fsdp-units-to-fit",
    title="Units above which an FSDP device has room",
    unit=ONE,
    noun="units",
    letters={
        "U": UNITS,
        "k_u": PREFETCHED,
        "P": HELD,
        "S": STATE,
        "d": SHARING_RANKS,
        "M_max": DEVICE_MEMORY,
        **WIDTHS,
    },
    given=(
        "M_max > S/d -- the state alone fills the memory of a device, so that no number of units fits",
    ),
    source=FSDP_UNITS,
    oracle=cut_and_watch,
    convention="More units than are gathered at once; a gradient is freed before the next is computed.",
    leaves_out="Activations, and units that are not equal: the largest one counts.",
    chain="""
    S/d + ((1 + k_u)*w + g)*(P/U) < M_max                   -- the peak, each unit `P/U` parameters
      <=> ((1 + k_u)*w + g)*P < U*(M_max - S/d)             -- the shard stays; multiply by `U`
      <=> U > ((1 + k_u)*w + g)*P/(M_max - S/d)             -- divide by the room the shard leaves
    """,
)
