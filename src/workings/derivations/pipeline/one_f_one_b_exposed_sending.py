"""What 1F1B waits for messages, however fast its links are compared with its ranks."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.pipeline._sending import SENDING, hop
from workings.derivations.pipeline._sends import BOUNDARY
from workings.derivations.pipeline._sources import ZERO_BUBBLE_RATES
from workings.derivations.pipeline._times import FILLED, TIMES, run_1f1b
from workings.derivations.pipeline.pp_message_time import PP_MESSAGE_TIME
from workings.units import SECOND


def wait_for_messages(
    p: int, m: int, T_F: Fraction, T_B: Fraction, T_W: Fraction, **letters: Any
) -> Fraction:
    """1F1B run with messages that take time and with messages that take none; the difference."""
    times = (p, m, T_F, T_B, T_W)
    return Fraction(run_1f1b(*times, hop(**letters)).makespan - run_1f1b(*times).makespan)


ONE_F_ONE_B_EXPOSED_SENDING = derivation(
    "one-f-one-b-exposed-sending",
    title="Time that 1F1B waits for messages",
    unit=SECOND,
    letters={**FILLED, **TIMES, **SENDING, **BOUNDARY},
    uses={"T_hop": PP_MESSAGE_TIME.at()},
    given=("t divides s", "T_hop <= T_F + T_B + T_W"),
    source=ZERO_BUBBLE_RATES,
    oracle=wait_for_messages,
    convention="Ranks compute while they send; each has only as many micro-batches in flight as ranks "
    "follow it.",
    leaves_out="What sending takes away from computing on the same device.",
    chain="""
    T_exp = 2*(p - 1)*T_hop + 2*floor((m - 1)*(p - 1)/p)*T_hop
                     -- there and back once, then `p - 1` hops for every `p` micro-batches
      = 2*T_hop*(p - 1 + floor((m - 1)*(p - 1)/p))          -- collect
    """,
)
