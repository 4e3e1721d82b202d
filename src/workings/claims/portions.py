"""Fractions that are no calculation of their own: a part of what was said before, or of a unit."""

from __future__ import annotations

from dataclasses import replace
from math import gcd

from workings.claims.claim import Claim
from workings.claims.misprints import power_between
from workings.marks.quantity import PLAIN
from workings.marks.tree import Node, Number, Operation, leaves


def is_portion(claim: Claim) -> bool:
    """Whether it may be so much of what was said before: `156 GB; each rank writes 1/64 = 2.44 GB`."""
    result = next(leaves(claim.right))  # 1/8 = 12 GB instead of 1/64
    if not _fraction(claim.left) or not isinstance(result, Number) or result.units[0] == PLAIN:
        return False
    small = result.printed[0].value * result.units[0].scale < 1
    return not small and power_between(claim.left, result) is None


def _fraction(node: Node) -> bool:
    """Whether it is a fraction in lowest terms, and less than one: 3/4, and not 30/40."""
    match node:
        case Operation("/", (Number(units=(a,)) as part, Number(units=(b,)) as whole)) if a == b == PLAIN:
            above, below = part.printed[0], whole.printed[0]
            proper = above.whole and below.whole and above.value < below.value
            return proper and gcd(int(above.value), int(below.value)) == 1
    return False


def of_a_unit(node: Node) -> Node:
    """`1/3 day` as a third of a day."""
    match node:
        case Operation("/", (Number(units=(a,)) as part, Number(units=units) as whole)) if a == PLAIN:
            return Operation("/", (replace(part, units=units), replace(whole, units=(PLAIN,))))
    return node
