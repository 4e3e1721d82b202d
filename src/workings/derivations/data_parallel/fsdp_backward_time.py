"""A backward pass that gathers ahead and reduces behind."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.data_parallel._sources import FSDP_OVERLAP
from workings.simulate.prefetch import fsdp_backward
from workings.units import SECOND
from workings.vocabulary.data_parallel import UNIT_BACKWARD, UNIT_GATHER, UNIT_REDUCE, UNITS


def run_two_streams_back(U: int, T_g: Fraction, T_b: Fraction, T_r: Fraction) -> Fraction:
    """Gathers and reduces on one stream, backwards on another; when the last task ends."""
    return fsdp_backward(U, T_g, T_b, T_r).makespan


FSDP_BACKWARD_TIME = derivation(
    "fsdp-backward-time",
    title="Backward pass of FSDP with prefetching",
    unit=SECOND,
    letters={"U": UNITS, "T_g": UNIT_GATHER, "T_b": UNIT_BACKWARD, "T_r": UNIT_REDUCE},
    given=("U > 1",),
    source=FSDP_OVERLAP,
    oracle=run_two_streams_back,
    convention="One stream communicates; the next gather is issued before the current reduce.",
    leaves_out="The outermost unit may still be gathered from the forward.",
    chain="""
    T_bwd = T_g + max(T_g, T_b) + sum(max(T_g + T_r, T_b), (i, 1, U - 2)) + max(T_b, T_r) + T_r
                                 -- a backward hides a gather, then a reduce and a gather, last a reduce
      = T_g + max(T_g, T_b) + (U - 2)*max(T_g + T_r, T_b) + max(T_b, T_r) + T_r
                                 -- the units between the first and the last are alike
    """,
)
