"""A forward pass that gathers a unit when it needs it."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.data_parallel._sources import FSDP_NOTES
from workings.simulate.prefetch import fsdp_forward
from workings.units import SECOND
from workings.vocabulary.data_parallel import UNIT_FORWARD, UNIT_GATHER, UNITS


def run_without_prefetching(U: int, T_g: Fraction, T_f: Fraction) -> Fraction:
    """Both streams run task by task, each gather issued once the unit before is freed."""
    return fsdp_forward(U, T_g, T_f, ahead=0).makespan


FSDP_UNPREFETCHED_FORWARD_TIME = derivation(
    "fsdp-unprefetched-forward-time",
    title="Forward pass of FSDP without prefetching",
    unit=SECOND,
    letters={"U": UNITS, "T_g": UNIT_GATHER, "T_f": UNIT_FORWARD},
    source=FSDP_NOTES,
    oracle=run_without_prefetching,
    convention="A unit is gathered once the one before it has been computed and freed.",
    chain="""
    T_seq = sum(T_g + T_f, (i, 1, U))      -- gather, compute, free: one after the other
      = U*(T_g + T_f)                      -- equal units
    """,
)
