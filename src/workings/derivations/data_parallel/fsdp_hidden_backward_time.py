"""A backward pass whose compute is long enough."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.data_parallel._sources import FSDP_OVERLAP
from workings.derivations.data_parallel.fsdp_backward_time import FSDP_BACKWARD_TIME
from workings.simulate.prefetch import fsdp_backward
from workings.units import SECOND
from workings.vocabulary.data_parallel import UNIT_BACKWARD, UNIT_GATHER, UNIT_REDUCE, UNITS


def run_a_long_backward(U: int, T_g: Fraction, T_b: Fraction, T_r: Fraction) -> Fraction:
    """Both streams run task by task, compute the slower one; when the last task ends."""
    return fsdp_backward(U, T_g, T_b, T_r).makespan


FSDP_HIDDEN_BACKWARD_TIME = derivation(
    "fsdp-hidden-backward-time",
    title="Backward pass of FSDP whose compute hides its communication",
    unit=SECOND,
    letters={"U": UNITS, "T_g": UNIT_GATHER, "T_b": UNIT_BACKWARD, "T_r": UNIT_REDUCE},
    uses={"T_bwd": FSDP_BACKWARD_TIME.at()},
    given=("U > 1", "T_b >= T_g + T_r"),
    source=FSDP_OVERLAP,
    oracle=run_a_long_backward,
    convention="As in fsdp-backward-time, where every unit's compute outlasts its gather and "
    "reduce together.",
    chain="""
    T_hid = T_bwd                                            -- the backward pass
      = T_g + T_b + (U - 2)*T_b + T_b + T_r                  -- in every max, compute is the larger
      = T_g + U*T_b + T_r                -- only the first gather and the last reduce show
    """,
)
