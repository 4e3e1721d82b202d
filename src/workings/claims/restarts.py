"""Calculations that begin anew in a chain: with the result before them, or as a second equation."""

from __future__ import annotations

from dataclasses import replace

from workings.claims.claim import SUPPORTS, Claim
from workings.claims.closeness import agree
from workings.marks.quantity import PLAIN
from workings.marks.tree import Node, Number, Operation, leaves


def begun_anew(claim: Claim) -> bool:
    """Whether the next calculation begins behind the sign with what stands before it.

    `16 × 32 = 512 sequences × 4,096 tokens = 2.1M`, `160 kB = 160 × 8,192 = 1.31 GB`.
    """
    if isinstance(claim.right, Operation) and _agree(claim.left, next(leaves(claim.right))):
        return True
    earlier = claim.before[-1] if claim.before else None
    begins = next(leaves(claim.left))
    if isinstance(earlier, Number) and isinstance(begins, Number):
        return begins.units == (PLAIN,) != earlier.units and begins.printed == earlier.printed
    return earlier is not None and _second(claim, earlier, begins)


def _second(claim: Claim, earlier: Node, begins: Node) -> bool:
    """Whether the sign in the midst only parts two equations: `2 × 7 = 14 GB / 2 × 13 = 26 GB`."""
    rest = _without_first(claim.left)
    return rest is not None and _agree(earlier, begins) and _agree(rest, claim.right)


def _without_first(node: Node) -> Node | None:
    """A calculation without the number that it begins with."""
    match node:
        case Operation(sign, (first, second)) if sign in ("+", "-", "*", "/"):
            rest = _without_first(first)
            return second if rest is None else replace(node, parts=(rest, second))
    return None


def _agree(left: Node, right: Node) -> bool:
    return agree(left, "=", right).word in SUPPORTS
