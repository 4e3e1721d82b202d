"""What an FSDP device holds at its fullest."""

from fractions import Fraction

from workings.chain import Row
from workings.derivation import derivation
from workings.derivations.data_parallel._letters import WIDTHS
from workings.derivations.data_parallel._sources import FSDP_STRATEGIES
from workings.derivations.data_parallel._units import peak_of_backward
from workings.units import BYTE
from workings.vocabulary.data_parallel import PREFETCHED, UNIT_PARAMETERS, UNITS
from workings.vocabulary.layout import SHARING_RANKS
from workings.vocabulary.memory import STATE


def watch_a_backward(
    S: Fraction, d: int, U: int, P_u: int, k_u: int, w: Fraction, g: Fraction
) -> Fraction:
    """A backward on two streams, bytes taken and freed task by task; the most held at once."""
    return S / d + peak_of_backward(U, k_u, w * P_u, g * P_u, overlap=False)


FSDP_PEAK_MEMORY = derivation(
    "fsdp-peak-memory",
    title="Peak of state, gathered weights and gradients in FSDP",
    unit=BYTE,
    letters={
        "S": STATE,
        "d": SHARING_RANKS,
        "U": UNITS,
        "P_u": UNIT_PARAMETERS,
        "k_u": PREFETCHED,
        **WIDTHS,
    },
    given=("U > k_u",),
    source=FSDP_STRATEGIES,
    oracle=watch_a_backward,
    convention="A gather takes its memory when it is issued; a gradient is reduced and freed before the "
    "next unit's backward begins.",
    leaves_out="Activations.",
    ledger=(
        Row("state", "S", "weights, gradients and moments, all sharded", "d"),
        Row("unit being computed", "w*P_u", "its weights, gathered"),
        Row("units gathered ahead", "k_u*w*P_u", "issued before they are needed"),
        Row("gradient of a unit", "g*P_u", "whole until it is reduce-scattered"),
    ),
    chain="""
    M_fsdp = rows                        -- add the rows
      = S/d + ((1 + k_u)*w + g)*P_u      -- collect: more devices shrink the first term only
      ≈ [d -> oo] ((1 + k_u)*w + g)*P_u  -- what no number of devices removes
    """,
)
