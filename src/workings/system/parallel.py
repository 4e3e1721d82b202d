"""Work shared out to the machine's processors, results in the order they were asked for."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")
FEW = 4  # fewer things are not worth starting processes for
UNCOLLECTED = 100_000  # objects that a worker makes between two looks for cycles, of which SymPy has few
REMEMBERED = 100_000  # results that SymPy keeps of each of its functions; by default it keeps 1,000


def in_parallel(work: Callable[[T], R], items: Sequence[T], processors: int | None = None) -> Iterator[R]:
    """`work` of every item; with one processor or few items, one after the other."""
    if processors is None:
        processors = min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1, 8)
    if processors < 2 or len(items) < FEW:
        yield from map(work, items)
        return
    # A fresh interpreter each: SymPy's caches and our own are not safe to inherit half-way.
    with ProcessPoolExecutor(processors, get_context("spawn"), _settle_in) as pool:
        yield from pool.map(work, items)


def _settle_in() -> None:
    """Trade memory for time in a process that does much of one thing and ends, before SymPy is loaded.

    What SymPy has found of a part of one formula it is often asked of the next. Looking for cycles among
    all modules and formulas again and again takes a tenth of a proof, and finds hardly any.
    """
    os.environ.setdefault("SYMPY_CACHE_SIZE", str(REMEMBERED))
    gc.set_threshold(UNCOLLECTED, 50, 100)
