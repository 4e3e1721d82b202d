"""How large a unit must be for start-ups not to matter."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.data_parallel._letters import RACE
from workings.derivations.data_parallel._race import gather_is_hidden
from workings.derivations.data_parallel._sources import KAKADE_ANAND
from workings.units import ONE


def race_units_of_any_size(**letters: Any) -> bool | None:
    """A gather really exchanged against a forward really multiplied."""
    return gather_is_hidden(**letters)


FSDP_SMALLEST_UNIT = derivation(
    "fsdp-smallest-unit",
    title="Unit size from which the forward of FSDP hides the next gather",
    unit=ONE,
    noun="parameters",
    letters=RACE,
    given=("b_m > w*C/(2[FLOP]*s*W_b)",),
    source=KAKADE_ANAND,
    oracle=race_units_of_any_size,
    convention="A large group: a rank's own chunk counts as if it were sent. Matrix products only.",
    leaves_out="The first gather, which nothing hides, and devices that run below their peak.",
    chain="""
    alpha*log2(d) + w*P_u/W_b <= 2[FLOP]*b_m*s*P_u/C
                          -- start-ups and bytes against the forward
      <=> alpha*log2(d) <= (2[FLOP]*b_m*s/C - w/W_b)*P_u       -- what a parameter's compute leaves over
      <=> P_u >= alpha*log2(d)/(2[FLOP]*b_m*s/C - w/W_b)       -- the batch makes that positive
    """,
)
