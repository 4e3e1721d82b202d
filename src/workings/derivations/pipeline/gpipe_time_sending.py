"""GPipe when sending takes time."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.pipeline._sending import SENDING, hop
from workings.derivations.pipeline._sends import BOUNDARY
from workings.derivations.pipeline._sources import MEGATRON_TIME
from workings.derivations.pipeline._times import FILLED, TIMES, run_gpipe
from workings.derivations.pipeline.gpipe_time import GPIPE_TIME
from workings.derivations.pipeline.pp_message_time import PP_MESSAGE_TIME
from workings.units import SECOND


def run_gpipe_over_links(
    p: int, m: int, T_F: Fraction, T_B: Fraction, T_W: Fraction, **letters: Any
) -> Fraction:
    """GPipe run task by task, each tensor on its link for as long as its tokens take."""
    return Fraction(run_gpipe(p, m, T_F, T_B, T_W, hop(**letters)).makespan)


GPIPE_TIME_SENDING = derivation(
    "gpipe-time-sending",
    title="Time of a step with GPipe when sending takes time",
    unit=SECOND,
    letters={**FILLED, **TIMES, **SENDING, **BOUNDARY},
    uses={"T_hop": PP_MESSAGE_TIME.at(), "T_gp": GPIPE_TIME.at()},
    given=("t divides s", "T_hop <= T_F", "T_hop <= T_B + T_W"),
    source=MEGATRON_TIME,
    oracle=run_gpipe_over_links,
    convention="Ranks compute while they send. A link carries one message at a time.",
    leaves_out="What sending takes away from computing on the same device.",
    chain="""
    T_send = T_gp + sum(T_hop, (i, 1, p - 1)) + sum(T_hop, (i, 1, p - 1))
                     -- only the first forward and the last gradient are waited for
      = T_gp + 2*(p - 1)*T_hop                                     -- equal terms
      = (m + p - 1)*(T_F + T_B + T_W) + 2*(p - 1)*T_hop            -- put GPipe's time in
    """,
)
