"""Messages that take time: a start-up latency, then bytes over a bandwidth.

Each rank has one port out and one port in for every kind of link. A port carries one message at
a time; both directions and different kinds of link work at once. Nothing is in step: a message
starts when its data is there and both of its ports are free, and ends when its last byte is in.
"""

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction

from ._checks import amount, positive_amount


@dataclass(frozen=True)
class Link:
    """A kind of link.

    latency: seconds before the first byte of a message (may be 0).
    bandwidth: bytes per second in one direction.
    name: kinds of link with different names have ports of their own.
    overlapped: a message takes the larger of latency and transfer, not their sum.
    ValueError if `latency` is below 0 or `bandwidth` is not above 0.
    """

    latency: Fraction | int = 0
    bandwidth: Fraction | int = 1
    name: str = ""
    overlapped: bool = False

    def __post_init__(self) -> None:
        """Check the latency and the bandwidth."""
        amount("latency", self.latency)
        positive_amount("bandwidth", self.bandwidth)

    def duration(self, size: Fraction | int) -> Fraction:
        """Return the seconds that a message of `size` bytes keeps its two ports busy."""
        transfer = amount("size", size) / self.bandwidth
        latency = Fraction(self.latency)
        return max(latency, transfer) if self.overlapped else latency + transfer


BYTES = Link()
"""A link for walks in which only bytes are counted: one second a byte, no latency."""


class Clock:
    """When every port is free again, and what each rank has sent and received over it."""

    def __init__(self) -> None:
        """Start at 0 with all ports free."""
        self.finish = start = Fraction(0)
        self.messages = 0
        self._free: dict[tuple[str, int, str], Fraction] = defaultdict(lambda: start)
        self._sizes: dict[tuple[str, int, str], list[Fraction | int]] = defaultdict(list)
        self._last: tuple[Link, Fraction | int, Fraction] | None = None
        self._sum: tuple[Fraction | int, Fraction, Fraction] = start, start, start

    def send(
        self, link: Link, source: int, target: int, size: Fraction | int, ready: Fraction | int = 0
    ) -> Fraction:
        """Send a message whose data is there at `ready`; return when it has arrived.

        Messages over one port go in the order of these calls.
        """
        ports = ("out", source, link.name), ("in", target, link.name)
        begun = _later(_later(ready, self._free[ports[0]]), self._free[ports[1]])
        arrival = self._after(begun, self._duration(link, size))
        for port in ports:
            self._free[port] = arrival
            self._sizes[port].append(size)
        if arrival is not self.finish and arrival > self.finish:  # ranks in step share one arrival
            self.finish = arrival
        self.messages += 1
        return arrival

    def _duration(self, link: Link, size: Fraction | int) -> Fraction:
        """How long a message takes, worked out once for messages of one size that follow each other."""
        if self._last is not None and self._last[0] is link:
            known = self._last[1]
            if known is size or known == size:
                return self._last[2]
        self._last = link, size, link.duration(size)
        return self._last[2]

    def _after(self, start: Fraction | int, duration: Fraction) -> Fraction:
        """When a message arrives, added up once for those in step, which share their start."""
        if self._sum[0] is not start or self._sum[1] is not duration:
            self._sum = start, duration, start + duration
        return self._sum[2]

    def sent(self, rank: int, name: str = "") -> Fraction:
        """Return the bytes that a rank has sent over its link of this name."""
        return Fraction(sum(self._sizes["out", rank, name]))

    def received(self, rank: int, name: str = "") -> Fraction:
        """Return the bytes that a rank has received over its link of this name."""
        return Fraction(sum(self._sizes["in", rank, name]))


def _later(one: Fraction | int, other: Fraction) -> Fraction | int:
    """The later of two times; ranks in step share one, and need not compare it with itself."""
    return one if one is other or one >= other else other
