"""What prefetching saves."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.data_parallel._sources import FSDP_NOTES
from workings.derivations.data_parallel.fsdp_forward_time import FSDP_FORWARD_TIME
from workings.derivations.data_parallel.fsdp_unprefetched_forward_time import (
    FSDP_UNPREFETCHED_FORWARD_TIME,
)
from workings.simulate.prefetch import fsdp_forward
from workings.units import SECOND
from workings.vocabulary.data_parallel import UNIT_FORWARD, UNIT_GATHER, UNITS


def run_both(U: int, T_g: Fraction, T_f: Fraction) -> Fraction:
    """The same forward run with and without prefetching, and the difference of their ends."""
    return fsdp_forward(U, T_g, T_f, ahead=0).makespan - fsdp_forward(U, T_g, T_f).makespan


FSDP_PREFETCH_SAVING = derivation(
    "fsdp-prefetch-saving",
    title="Time that prefetching saves in a forward pass",
    unit=SECOND,
    letters={"U": UNITS, "T_g": UNIT_GATHER, "T_f": UNIT_FORWARD},
    uses={"T_seq": FSDP_UNPREFETCHED_FORWARD_TIME.at(), "T_fwd": FSDP_FORWARD_TIME.at()},
    source=FSDP_NOTES,
    oracle=run_both,
    convention="Equal units; the gather runs on links of its own and slows no product.",
    chain="""
    E_pre = T_seq - T_fwd                                        -- without, less with
      = U*(T_g + T_f) - (T_g + (U - 1)*max(T_g, T_f) + T_f)      -- put both in
      = (U - 1)*(T_g + T_f - max(T_g, T_f))                      -- collect
      = (U - 1)*min(T_g, T_f)              -- less the larger, the smaller is left: it hides
    """,
)
