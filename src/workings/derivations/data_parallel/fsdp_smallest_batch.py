"""The same in a large group."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.data_parallel._letters import RACE
from workings.derivations.data_parallel._race import gather_is_hidden
from workings.derivations.data_parallel._sources import KAKADE_ANAND
from workings.units import ONE


def race_with_whole_units(**letters: Any) -> bool | None:
    """A gather really exchanged, all its chunks counted, against a forward really multiplied."""
    return gather_is_hidden(**letters)


FSDP_SMALLEST_BATCH = derivation(
    "fsdp-smallest-batch",
    title="Batch from which the forward of FSDP hides the next gather",
    unit=ONE,
    noun="sequences",
    letters=RACE,
    source=KAKADE_ANAND,
    oracle=race_with_whole_units,
    convention="A large group: a rank's own chunk counts as if it were sent. Matrix products only.",
    leaves_out="The first gather, which nothing hides, and devices that run below their peak.",
    chain="""
    alpha*log2(d) + w*P_u/W_b <= 2[FLOP]*b_m*s*P_u/C
                          -- `log2(d)` start-ups and the whole unit; 2 FLOPs a token and parameter
      <=> alpha*log2(d) <= (2[FLOP]*b_m*s/C - w/W_b)*P_u       -- the lecture's form with `2` and `w`
      <=> b_m >= (w/W_b + alpha*log2(d)/P_u)*C/(2[FLOP]*s)     -- solve for the batch
    """,
)
