"""Sums, products and functions of exact numbers, as functions of the letters that are not known yet.

Numerators and denominators are multiplied apart and reduced once: a fraction reduced after every
operation takes several times as long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import TypeAlias

Number: TypeAlias = int | Fraction
Reader: TypeAlias = Callable[[Mapping[str, Number]], Number]
Part: TypeAlias = Number | Reader  # of a formula: a number where only known letters stand in it
NUMBERS = (int, Fraction)


def simplest(value: Number) -> Number:
    """A whole number as Python's own, which is many times faster than a fraction."""
    return value.numerator if value.denominator == 1 else value


def added(terms: Iterable[tuple[int, Part]]) -> Part:
    """A sum; 1 or -1 beside every term."""
    known: Number = 0
    readers = list[tuple[int, Reader]]()
    for sign, term in terms:
        if not isinstance(term, NUMBERS):
            readers.append((sign, term))
        else:
            known = known + term if sign > 0 else known - term
    up, down = known.numerator, known.denominator

    def read(values: Mapping[str, Number]) -> Number:
        top, bottom = up, down
        for sign, term in readers:
            value = term(values)
            below = value.denominator
            if below == bottom:
                top += sign * value.numerator
            else:
                top = top * below + sign * value.numerator * bottom
                bottom *= below
        return top if bottom == 1 else _quotient(top, bottom)

    return read if readers else simplest(known)


def multiplied(factors: Iterable[tuple[bool, Part]]) -> Part:
    """A product; beside every factor whether it stands above the line. Raises ZeroDivisionError."""
    up = down = 1
    above, below = list[Reader](), list[Reader]()
    for is_above, factor in factors:
        if not isinstance(factor, NUMBERS):
            (above if is_above else below).append(factor)
        elif is_above:
            up, down = up * factor.numerator, down * factor.denominator
        else:
            up, down = up * factor.denominator, down * factor.numerator
    once = _quotient(up, down)
    up, down = once.numerator, once.denominator

    def read(values: Mapping[str, Number]) -> Number:
        top, bottom = up, down
        for factor in above:
            value = factor(values)
            top, bottom = top * value.numerator, bottom * value.denominator
        for factor in below:
            value = factor(values)
            top, bottom = top * value.denominator, bottom * value.numerator
        return top if bottom == 1 else _quotient(top, bottom)

    return read if above or below else once


def largest(choose: Callable[[Iterable[Number]], Number], parts: Iterable[Part]) -> Part:
    """max or min."""
    numbers, readers = list[Number](), list[Reader]()
    for part in parts:
        if isinstance(part, NUMBERS):
            numbers.append(part)
        else:
            readers.append(part)
    if not readers:
        return choose(numbers)
    known = [choose(numbers)] if numbers else []
    return lambda values: choose([*known, *(read(values) for read in readers)])


def rounded(up: bool, part: Part) -> Part:
    """The next whole number, above or below."""
    if isinstance(part, NUMBERS):
        return _rounded(up, part)
    return lambda values: _rounded(up, part(values))


def _rounded(up: bool, value: Number) -> int:
    return -(-value.numerator // value.denominator) if up else value.numerator // value.denominator


def _quotient(top: int, bottom: int) -> Number:
    """One whole number over another. Raises ZeroDivisionError."""
    return Fraction(top, bottom) if top % bottom else top // bottom
