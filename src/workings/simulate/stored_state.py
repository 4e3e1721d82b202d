"""What training keeps of each parameter, value by value, and on which device each value lies.

A value's bytes follow from the bits of its format: sign, exponent and fraction.
"""

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from ._checks import amount, positive_count

_BITS = {
    "fp32": (1, 8, 23),
    "fp16": (1, 5, 10),
    "bf16": (1, 8, 7),
    "fp8": (1, 4, 3),
    "int8": (1, 0, 7),
}


class Value(NamedTuple):
    """One stored number: what it is (weight, gradient…), of which parameter, and its bytes."""

    kind: str
    parameter: int
    bytes: Fraction


def bytes_of(format_or_width: str | Fraction | int) -> Fraction:
    """Return the bytes of one value of a format, or a width as it is. KeyError if unknown."""
    if isinstance(format_or_width, str):
        return Fraction(sum(_BITS[format_or_width]), 8)
    return amount("a width", format_or_width)


def keep(parameters: int, kinds: Mapping[str, str | Fraction | int]) -> list[Value]:
    """List a value of each kind for each parameter; `kinds` gives formats or bytes a value."""
    count = positive_count("parameters", parameters)
    widths = {kind: bytes_of(width) for kind, width in kinds.items()}
    return [Value(kind, number, width) for kind, width in widths.items() for number in range(count)]


def keep_scales(parameters: int, block: int, kind: str, width: str) -> list[Value]:
    """List one scale for each run of `block` parameters, the last run as long as it comes."""
    scales: list[Value] = []
    for parameter in range(positive_count("parameters", parameters)):
        if parameter % positive_count("block", block) == 0:
            scales.append(Value(kind, parameter, bytes_of(width)))
    return scales


def total(values: Sequence[Value]) -> Fraction:
    """Add up the bytes, those of one width that follow each other at once."""
    runs = groupby(value.bytes for value in values)
    return sum((width * sum(1 for _ in run) for width, run in runs), Fraction(0))


def place(
    values: Sequence[Value], devices: int, sharded: Collection[str], copies: int = 1
) -> list[list[Value]]:
    """Lay values on devices: `copies` groups of `devices` each, every group with all values.

    Within a group a value of a `sharded` kind goes to one device, the parameters dealt out in turn,
    and any other value to all of them.
    """
    held: list[list[Value]] = []
    for _ in range(positive_count("copies", copies)):
        group: list[list[Value]] = [[] for _ in range(positive_count("devices", devices))]
        for value in values:
            owners = [value.parameter % devices] if value.kind in sharded else range(devices)
            for owner in owners:
                group[owner].append(value)
        held += group
    return held


def mean(held: Sequence[Sequence[Value]]) -> Fraction:
    """Return the bytes a device holds on average."""
    return sum((total(values) for values in held), Fraction(0)) / len(held)


def flat_shard(parameters: int, devices: int) -> int:
    """Return how many values each device of a group keeps of a flat buffer cut into equal pieces.

    The buffer is padded: pieces grow one value at a time until they cover all parameters.
    """
    piece = 0
    while piece * positive_count("devices", devices) < positive_count("parameters", parameters):
        piece += 1
    return piece
