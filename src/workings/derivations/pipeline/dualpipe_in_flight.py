"""DualPipe: how many micro-batches a rank holds."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.pipeline._sources import DUALPIPE
from workings.derivations.pipeline._times import FILLED
from workings.simulate.dualpipe import dualpipe
from workings.units import ONE


def count_what_is_held(p: int, m: int) -> Fraction | None:
    """DualPipe run task by task; the most micro-batches that any rank holds at once."""
    if m > 60:
        return None
    schedule = dualpipe(p, m, overlapped=2)
    return Fraction(max(schedule.in_flight_peak(rank) for rank in range(p)))


DUALPIPE_IN_FLIGHT = derivation(
    "dualpipe-in-flight",
    title="Micro-batches a rank holds with DualPipe",
    unit=ONE,
    noun="micro-batches",
    letters=FILLED,
    given=("2 divides p", "2 divides m", "m >= 2*p"),
    source=DUALPIPE,
    oracle=count_what_is_held,
    convention="Both directions together; each is held on one stage, a `p`-th of the model.",
    chain="""
    A_dual = 2*(p/2 - 1) + 2 + 1
                     -- at an end: its own direction, one of each, and one in a pair
      = p + 1                              -- 1F1B holds at most `p`
    """,
)
