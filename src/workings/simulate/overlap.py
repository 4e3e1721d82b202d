"""Transfers in hops beside the work on each chunk: when it is all done.

A rank works on `chunks` chunks. Its compute and its link each do one thing at a time, both at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ._checks import amount, positive_count


@dataclass(frozen=True)
class Timeline:
    """When everything is done, and how long compute and link were busy."""

    finish: Fraction
    computing: Fraction
    sending: Fraction

    @property
    def exposed(self) -> Fraction:
        """Time in which the rank was not computing."""
        return self.finish - self.computing


def gather_beside_work(chunks: int, work: Fraction, hop: Fraction) -> Timeline:
    """The own chunk is there at once, each further chunk one hop after the one before it."""
    positive_count("chunks", chunks)
    work, hop = amount("work", work), amount("hop", hop)
    compute = arrived = Fraction(0)
    for _ in range(chunks):
        compute = max(compute, arrived) + work
        arrived += hop
    return Timeline(compute, chunks * work, (chunks - 1) * hop)


def work_beside_reduce(chunks: int, work: Fraction, hop: Fraction) -> Timeline:
    """Each hop passes on a partial sum, to which the next rank's product of that chunk is added.

    A hop starts once the product is there and the sum so far has arrived; the last product, of the
    rank's own chunk, is added to what arrived last.
    """
    positive_count("chunks", chunks)
    work, hop = amount("work", work), amount("hop", hop)
    compute = arrived = sending = Fraction(0)
    for _ in range(chunks - 1):
        compute += work
        arrived = max(compute, arrived) + hop
        sending += hop
    return Timeline(max(compute + work, arrived), chunks * work, sending)


def queue_beside_work(transfers: Sequence[Fraction], hiding: Fraction, other: Fraction) -> Timeline:
    """Transfers one after the other while `hiding` is computed; the rest waits for both.

    `other` is compute that needs the transfers' results or must come before them.
    """
    sending = sum((amount("transfer", one) for one in transfers), Fraction(0))
    both = max(amount("hiding", hiding), sending)
    return Timeline(both + amount("other", other), hiding + other, sending)
