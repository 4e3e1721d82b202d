"""Spare nodes: how many must stand by so that those under repair are nearly always replaced."""

from __future__ import annotations

from fractions import Fraction
from math import exp, isqrt, lgamma, log

ENOUGH = 0.95  # of the time no node is missing
_FAR = 10  # standard deviations below the mean, where nothing that counts is left


def under_repair(devices: int, mtbf: Fraction, repair: Fraction) -> Fraction:
    """Failures in the time of a repair, in the mean (derivation `interruptions`); times in seconds."""
    return devices * repair / mtbf


def spare_nodes(devices: int, node: int, mtbf: Fraction, repair: Fraction) -> int:
    """Nodes that suffice 95 % of the time, where each failure takes a whole node away for a repair.

    Failures come independently of each other, so those under repair are Poisson's about their mean.
    No more than the nodes there are.
    """
    mean = under_repair(devices, mtbf, repair)
    nodes = -(-devices // node)
    if mean >= nodes:
        return nodes
    center = max(float(mean), 1e-9)
    first = max(0, int(mean) - _FAR * (isqrt(int(mean)) + 1))
    so_far = 0.0
    for lost in range(first, nodes):
        so_far += exp(lost * log(center) - center - lgamma(lost + 1))
        if so_far >= ENOUGH:
            return lost
    return nodes
