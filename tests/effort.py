"""Work counted instead of timed: a busy machine adds no call, and what never ends is cut off."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

ENDLESS = 100_000_000


@contextmanager
def at_most(calls: int) -> Iterator[list[int]]:
    """Fail as soon as more functions, of Python or of C, are called inside; gives how many were."""
    spent = [0]

    def count(_frame: object, event: str, _argument: object) -> None:
        spent[0] += event in ("call", "c_call")
        if spent[0] > calls:
            sys.setprofile(None)
            pytest.fail(f"more than {calls:,} calls")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        yield spent
    finally:
        sys.setprofile(before)


def calls_of(work: Callable[[], object]) -> int:
    """How many functions a piece of work calls."""
    with at_most(ENDLESS) as spent:
        work()
    return spent[0]
