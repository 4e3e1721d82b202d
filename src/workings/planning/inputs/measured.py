"""What nccl-tests measured, as the one-way bandwidth of a device's link.

nccl-tests prints two rates for a collective of n ranks: algorithm bandwidth is bytes over time, bus
bandwidth that times a factor, so that it can be held against a link (NVIDIA/nccl-tests,
doc/PERFORMANCE.md). On a link between nodes the group has several ports: r ranks of it in one node
send through r of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

# Bus over algorithm bandwidth, for n ranks.
FACTORS: Mapping[str, Callable[[int], Fraction]] = {
    "all-reduce": lambda n: Fraction(2 * (n - 1), n),
    "reduce-scatter": lambda n: Fraction(n - 1, n),
    "all-gather": lambda n: Fraction(n - 1, n),
    "all-to-all": lambda n: Fraction(n - 1, n),
    "broadcast": lambda n: Fraction(1),
    "reduce": lambda n: Fraction(1),
    "send-receive": lambda n: Fraction(1),
}

ABOVE = Fraction(11, 10)  # a measurement that exceeds the wire by less may be one that is rounded


class Measurement(NamedTuple):
    """What nccl-tests printed (`rate`), of which collective, and one device's link by it.

    `inside` ranks of the group lie below the link's tier.
    """

    rate: Fraction
    link: Fraction
    collective: str
    ranks: int
    inside: int

    def most(self, wire: Fraction) -> Fraction:
        """The rate that it would print where a device's link carried all that it can."""
        return self.rate * wire / self.link

    def cause(self, wire: Fraction) -> str:
        """What may have been taken for the link, where its rate is above what the wire carries."""
        times = self.link / wire
        if times >= 6:
            return "bits may be taken for bytes, or a whole node for one device"
        if self.collective == "all-reduce" and times <= FACTORS["all-reduce"](self.ranks):
            return (
                "both directions may be counted, or the switches add up (SHARP), "
                "which an all-gather leaves out"
            )
        return "both directions may be counted, or more ports than ranks_inside says"


def bus_from_algorithm(bandwidth: Fraction, collective: str, ranks: int) -> Fraction:
    """Bus bandwidth of a collective whose algorithm bandwidth was measured."""
    return bandwidth * FACTORS[collective](ranks)


def link_from_bus(bandwidth: Fraction, collective: str, ranks: int, inside: int) -> Fraction:
    """Bytes per second of one device's link, `inside` ranks of the group lying below it.

    A ring crosses the link's tier through `inside` ports; in an all-to-all a rank sends to the
    `ranks - inside` others beyond through its own.
    """
    if collective == "send-receive":
        return bandwidth
    if collective == "all-to-all":
        return bandwidth / FACTORS[collective](ranks) * Fraction(ranks - inside, ranks)
    return bandwidth / inside
