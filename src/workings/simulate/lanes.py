"""Packets put on whichever of several equal lanes is free first: how long they take together."""

from fractions import Fraction

from ._checks import positive_amount, positive_count


def seconds_to_send(packets: int, lanes: int, rate: Fraction | int) -> Fraction:
    """Seconds until the last packet of one byte is over; each lane carries `rate` bytes a second.

    ValueError if a count is below 1 or the rate is not above 0.
    """
    free = [Fraction(0)] * positive_count("lanes", lanes)
    for _packet in range(positive_count("packets", packets)):
        first = min(range(lanes), key=free.__getitem__)
        free[first] += 1 / positive_amount("rate", rate)
    return max(free)
