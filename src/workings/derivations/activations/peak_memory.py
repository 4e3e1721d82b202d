"""The most that any rank holds at any moment."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.activations._head import GIVEN
from workings.derivations.activations._peak import (
    CONVENTION,
    FIRST,
    LAST,
    LEAVES_OUT,
    MIDDLE,
    SPLIT,
    with_head,
)
from workings.derivations.activations._sources import DEALLOCATION
from workings.derivations.activations.peak_memory_first_stage import PEAK_MEMORY_FIRST_STAGE
from workings.derivations.activations.peak_memory_last_stage import PEAK_MEMORY_LAST_STAGE
from workings.derivations.activations.peak_memory_middle_stage import PEAK_MEMORY_MIDDLE_STAGE
from workings.units import BYTE


def run_the_step(L_first: int, L_mid: int, L_last: int, **rank: Any) -> object:
    """The step run on every stage, memory taken and given back task by task; the most any rank holds."""
    found = with_head((L_first, L_mid, L_last), **rank)
    return found and max(found)


PEAK_MEMORY = derivation(
    "peak-memory",
    title="Peak memory: the most that any rank holds at any moment",
    unit=BYTE,
    letters={**FIRST, **MIDDLE, **LAST},
    uses={
        "M_first": PEAK_MEMORY_FIRST_STAGE.at(),
        "M_mid": PEAK_MEMORY_MIDDLE_STAGE.at(),
        "M_last": PEAK_MEMORY_LAST_STAGE.at(),
    },
    given=(*GIVEN, *SPLIT, "p > 2"),
    source=DEALLOCATION,
    oracle=run_the_step,
    convention=CONVENTION + " Each stage's peak is the largest sum at one moment, never the sum of the "
    "largest parts: the last stage has the logits, but few activations. With two stages, only the ends.",
    leaves_out=LEAVES_OUT,
    chain="""
    M_peak = max(M_first, M_mid, M_last)         -- a plan fits when its fullest rank fits
    """,
)
