"""The inequality with its factors put right."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.data_parallel._letters import RACE
from workings.derivations.data_parallel._race import gather_is_hidden
from workings.derivations.data_parallel._sources import KAKADE_ANAND
from workings.units import ONE


def race_with_bytes_sent(**letters: Any) -> bool | None:
    """A gather really exchanged, its bytes sent counted, against a forward really multiplied."""
    return gather_is_hidden(**letters, large=False)


FSDP_SMALLEST_BATCH_EXACT = derivation(
    "fsdp-smallest-batch-exact",
    title="Batch from which the forward of FSDP hides the next gather (exact group)",
    unit=ONE,
    noun="sequences",
    letters=RACE,
    source=KAKADE_ANAND,
    oracle=race_with_bytes_sent,
    convention="All-gather by recursive doubling, `d` a power of two; matrix products only.",
    leaves_out="The first gather, which nothing hides, and devices that run below their peak.",
    chain="""
    alpha*log2(d) + (d - 1)/d*w*P_u/W_b <= 2[FLOP]*b_m*s*P_u/C
                          -- `log2(d)` start-ups, all chunks but one's own; 2 FLOPs a token and parameter
      <=> alpha*log2(d) <= (2[FLOP]*b_m*s/C - (d - 1)/d*w/W_b)*P_u    -- the lecture's form
      <=> b_m >= ((d - 1)/d*w/W_b + alpha*log2(d)/P_u)*C/(2[FLOP]*s)  -- solve for the batch
    """,
)
