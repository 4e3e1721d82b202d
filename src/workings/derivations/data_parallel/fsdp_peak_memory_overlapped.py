"""What an FSDP device holds while a gradient is reduced behind the next backward."""

from fractions import Fraction

from workings.chain import Row
from workings.derivation import derivation
from workings.derivations.data_parallel._letters import WIDTHS
from workings.derivations.data_parallel._sources import FSDP_OVERLAP
from workings.derivations.data_parallel._units import peak_of_backward
from workings.units import BYTE
from workings.vocabulary.data_parallel import UNIT_PARAMETERS, UNITS
from workings.vocabulary.layout import SHARING_RANKS
from workings.vocabulary.memory import STATE


def watch_an_overlapped_backward(
    S: Fraction, d: int, U: int, P_u: int, w: Fraction, g: Fraction
) -> Fraction:
    """A backward on two streams, reducing behind compute; the most bytes held at once."""
    return S / d + peak_of_backward(U, 1, w * P_u, g * P_u, overlap=True)


FSDP_PEAK_MEMORY_OVERLAPPED = derivation(
    "fsdp-peak-memory-overlapped",
    title="Peak of state, gathered weights and gradients in FSDP (reductions overlapped)",
    unit=BYTE,
    letters={"S": STATE, "d": SHARING_RANKS, "U": UNITS, "P_u": UNIT_PARAMETERS, **WIDTHS},
    given=("U > 2",),
    source=FSDP_OVERLAP,
    oracle=watch_an_overlapped_backward,
    convention="One unit is gathered ahead; one gradient is reduced while the next is computed.",
    leaves_out="Activations.",
    ledger=(
        Row("state", "S", "weights, gradients and moments, all sharded", "d"),
        Row("unit being computed", "w*P_u", "its weights, gathered"),
        Row("unit gathered ahead", "w*P_u", "it arrives meanwhile"),
        Row("gradient being computed", "g*P_u", "whole"),
        Row("gradient being reduced", "g*P_u", "of the unit before, whole until it is scattered"),
    ),
    chain="""
    M_two = rows                         -- add the rows
      = S/d + 2*(w + g)*P_u              -- collect
    """,
)
