"""What a forward pass waits for gathers."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.data_parallel._sources import FSDP_NOTES
from workings.derivations.data_parallel.fsdp_forward_time import FSDP_FORWARD_TIME
from workings.simulate.prefetch import fsdp_forward
from workings.units import SECOND
from workings.vocabulary.data_parallel import UNIT_FORWARD, UNIT_GATHER, UNITS


def wait_for_gathers(U: int, T_g: Fraction, T_f: Fraction) -> Fraction:
    """Both streams run task by task; the time in which nothing is computed."""
    timeline = fsdp_forward(U, T_g, T_f)
    return timeline.makespan - timeline.busy("compute")


FSDP_EXPOSED_GATHER_TIME = derivation(
    "fsdp-exposed-gather-time",
    title="Gather time that a forward pass of FSDP does not hide",
    unit=SECOND,
    letters={"U": UNITS, "T_g": UNIT_GATHER, "T_f": UNIT_FORWARD},
    uses={"T_fwd": FSDP_FORWARD_TIME.at()},
    source=FSDP_NOTES,
    oracle=wait_for_gathers,
    convention="As in fsdp-forward-time: the next unit is gathered while this one is computed, "
    "on links of their own.",
    chain="""
    X_fwd = T_fwd - U*T_f                                    -- the pass, less its compute
      = T_g + (U - 1)*max(T_g, T_f) + T_f - U*T_f            -- put the pass in
      = T_g + (U - 1)*(max(T_g, T_f) - T_f)                  -- collect
      = T_g + (U - 1)*max(0[s], T_g - T_f)       -- the first gather always shows; others by their excess
    """,
)
