"""Meters that run on devices and are read at unlike times: money, energy, FLOPs."""

from fractions import Fraction

from ._checks import amount, positive_count

_SPELLS = (1, 5, 2, 7)


def metered(rate: Fraction | int, seconds: Fraction | int, devices: int = 1) -> Fraction:
    """What the meters of all devices show together after a time, each read after unlike spells of it.

    `rate` is what one device's meter counts in a second. ValueError if it is negative.
    """
    speed, whole = amount("rate", rate), amount("seconds", seconds)
    shown = Fraction(0)
    for device in range(positive_count("devices", devices)):
        first = device % len(_SPELLS)
        for spell in (*_SPELLS[first:], *_SPELLS[:first]):
            shown += speed * whole * spell / sum(_SPELLS)
    return shown


def side_by_side(*lanes: Fraction) -> Fraction:
    """When the last of several lanes is done that begin together, each in pieces of its own size."""
    clocks = []
    for number, work in enumerate(lanes):
        spells = _SPELLS[: number + 1]
        clock = Fraction(0)
        for spell in spells:
            clock += amount("work", work) * spell / sum(spells)
        clocks.append(clock)
    return sorted(clocks)[-1]


def one_after_the_other(*lanes: Fraction) -> Fraction:
    """When the last of several pieces of work is done that wait for each other."""
    clock = Fraction(0)
    for work in lanes:
        clock += amount("work", work)
    return clock
