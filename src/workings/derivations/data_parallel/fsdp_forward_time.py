"""A forward pass that gathers one unit ahead."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.data_parallel._sources import FSDP_NOTES
from workings.simulate.prefetch import fsdp_forward
from workings.units import SECOND
from workings.vocabulary.data_parallel import UNIT_FORWARD, UNIT_GATHER, UNITS


def run_two_streams(U: int, T_g: Fraction, T_f: Fraction) -> Fraction:
    """Gathers on one stream, forwards on another, task by task; when the last one ends."""
    return fsdp_forward(U, T_g, T_f).makespan


FSDP_FORWARD_TIME = derivation(
    "fsdp-forward-time",
    title="Forward pass of FSDP with prefetching",
    unit=SECOND,
    letters={"U": UNITS, "T_g": UNIT_GATHER, "T_f": UNIT_FORWARD},
    source=FSDP_NOTES,
    oracle=run_two_streams,
    convention="A unit is gathered while the one before it is computed; all units are equal.",
    chain="""
    T_fwd = T_g + sum(max(T_g, T_f), (i, 1, U - 1)) + T_f
                                      -- first gather; then the slower of computing and gathering the next
      = T_g + (U - 1)*max(T_g, T_f) + T_f    -- equal units; the last forward hides no gather
    """,
)
