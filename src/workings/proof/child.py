"""Heavy algebra in a child process: limited memory, killed from outside when it takes too long."""

from __future__ import annotations

import multiprocessing
import resource
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import TypeVar

T = TypeVar("T")
SECONDS = 30.0
BYTES = 4 * 2**30


def in_child(work: Callable[[T], bool], argument: T, *, quick: bool) -> bool:
    """`work(argument)`; not quick: in a child process, where a time-out counts as False."""
    if quick:
        return work(argument)
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_answer, args=(there, work, argument), daemon=True)
    child.start()
    there.close()
    try:
        return bool(here.recv()) if here.poll(SECONDS) else False
    except EOFError:
        return False
    finally:
        child.kill()
        child.join()


def _answer(there: Connection, work: Callable[[T], bool], argument: T) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    there.send(work(argument))
