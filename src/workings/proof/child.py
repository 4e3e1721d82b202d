"""Heavy algebra in a child process: limited memory and processor time, given up when it sleeps.

The child is forked and its limits are POSIX's. A system without them (Windows) does without it: what is
light is answered all the same, what is heavy is refused in one sentence.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import TypeVar

from workings.errors import UserError

T = TypeVar("T")
R = TypeVar("R")
SECONDS = 30.0  # of the child's own processor time, so that a busy machine changes no verdict
PATIENCE = 20  # times as long by the clock, for a child that does nothing
BYTES = 4 * 2**30


class NoChildError(UserError):
    """What is asked is too heavy to be worked out without a child process, and there can be none."""


def in_child(work: Callable[[T], R], argument: T, *, quick: bool) -> R | None:
    """`work(argument)`, None if it fails; not quick: in a child, where too much work is None too.

    Raises NoChildError where it is not quick and the system forks no child.
    """
    if quick:
        return _tried(work, argument)
    if not hasattr(os, "fork"):
        raise NoChildError(
            "found no os.fork on this system, expected one, since algebra this heavy runs only in a "
            "forked child process with a memory limit"
        )
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_answer, args=(there, work, argument), daemon=True)
    child.start()
    there.close()
    try:
        answer: R | None = here.recv() if here.poll(PATIENCE * SECONDS) else None
        return answer
    except EOFError:
        return None
    finally:
        child.kill()
        child.join()


def _answer(there: Connection, work: Callable[[T], object], argument: T) -> None:
    import resource  # noqa: PLC0415 - not there where nothing can be forked

    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)  # SIGPROF ends the process when it is used up
    there.send(_tried(work, argument))


def _tried(work: Callable[[T], R], argument: T) -> R | None:
    """SymPy gives up in many ways, NotImplementedError to RecursionError: all are no answer."""
    try:
        return work(argument)
    except Exception:
        return None
