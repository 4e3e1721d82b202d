"""What nccl-tests measured, as the one-way bandwidth of a device's link.

nccl-tests prints two rates for a collective of n ranks: algorithm bandwidth is bytes over time, bus
bandwidth that times a factor, so that it can be held against a link (NVIDIA/nccl-tests,
doc/PERFORMANCE.md). On a link between nodes the group has several ports: r ranks of it in one node
send through r of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

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
