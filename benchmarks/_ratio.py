"""Timing whole commands against a baseline, in one run, so that only the ratio counts."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time

RUNS = 15


def seconds(*commands: list[str]) -> list[float]:
    """The median wall time of each command; all must succeed.

    Each runs once before, so that its bytecode is there, as where it is installed; then they take turns,
    so that a machine that is busy for a while is busy for all of them.
    """
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    times: list[list[float]] = [[] for _ in commands]
    for turn in range(RUNS + 1):
        for command, taken in zip(commands, times, strict=True):
            started = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True, env=environment)
            if turn:
                taken.append(time.perf_counter() - started)
    return [statistics.median(taken) for taken in times]


def ratio(name: str, command: list[str], base: list[str], aim: float) -> None:
    """Print how many times a command takes its baseline, and the aim."""
    mine, theirs = seconds(command, base)
    word = "met" if mine <= aim * theirs else "MISSED"
    print(f"{name:44} {mine / theirs:5.2f} ×  (aim ≤ {aim} ×, {word}; {mine * 1e3:.0f} ms "
          f"against {theirs * 1e3:.0f} ms)")  # fmt: skip


def workings(*arguments: str) -> list[str]:
    """The command beside this Python."""
    return [sys.executable.rsplit("/", 1)[0] + "/workings", *arguments]


def python(code: str) -> list[str]:
    """A baseline: this Python running a line."""
    return [sys.executable, "-c", code]
