"""The largest job that loses no more than a given share."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.running._letters import FAILING
from workings.derivations.running._search import least_lost
from workings.derivations.running._sources import CHECKPOINT_INTERVAL
from workings.derivations.running.checkpoint_least_lost import CHECKPOINT_LEAST_LOST
from workings.units import ONE
from workings.vocabulary.running import LOST_SHARE


def search_and_compare(n: int, M_d: Fraction, delta: Fraction, x: Fraction) -> bool | None:
    """The least loss of that many devices, searched over intervals, against the share allowed."""
    if n > 500:
        return None
    low, high = least_lost(n, M_d, delta)
    if low <= x <= high:
        return None
    return high < x


DEVICES_FOR_LOST_SHARE = derivation(
    "devices-for-lost-share",
    title="Devices up to which no more than a share is lost",
    unit=ONE,
    noun="devices",
    letters={**FAILING, "x": LOST_SHARE},
    uses={"phi_best": CHECKPOINT_LEAST_LOST.at()},
    given=("delta > 0 -- what costs nothing is best done without end, and no interval is best",),
    source=CHECKPOINT_INTERVAL,
    oracle=search_and_compare,
    convention="First order; the best interval.",
    leaves_out="Restarting.",
    chain="""
    phi_best^2 <= x^2                        -- lost at best, and allowed; both are positive
      <=> 2*delta*n/M_d <= x^2               -- put the share in
      <=> n <= x^2*M_d/(2*delta)             -- checkpoints twice as fast carry twice the devices
    """,
)
