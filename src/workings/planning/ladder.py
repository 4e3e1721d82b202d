"""Counts of devices worth a look: doublings round the number that a run of so many days needs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil

from workings.planning.exact import exactly
from workings.planning.job import Job
from workings.planning.space import MOST_DEVICES
from workings.planning.statement import Plan

RUNGS = 5
_USUAL = Fraction(2, 5)  # MFU of a usual run: it only says where to look
_NO_NODE = 10**6  # devices, from which on a node is no part of the network


def counts(job: Job, plan: Plan, most_time: Fraction | None, own: int) -> tuple[int, ...]:
    """Doublings round the number that a run of so many seconds needs at an MFU of 40 %.

    Without a time they are round `own`, the job's own number, which is always among them if it is whole
    nodes or part of one, and more than one device. `job` may be of any number of devices.
    """
    v = job.values()
    node = int(v["n_node"]) if v["n_node"] < _NO_NODE else 1
    needed = Fraction(own)
    if most_time is not None:
        flops = exactly(plan, v, ["Phi_s"])["Phi_s"] * v["T_tok"] / (v["b"] * v["s"])
        needed = flops / (_USUAL * v["C"] * v["gamma"] * most_time)
    whole = {own} if 1 < own <= node or own % node == 0 else set()  # a job that says none has 1
    return tuple(sorted({*_rungs(min(ceil(needed), MOST_DEVICES), node), *whole}))


def _rungs(needed: int, node: int) -> Iterator[int]:
    """From one below what is needed: powers of two in a node, then doublings of nodes."""
    rungs = [2**power for power in range(node.bit_length()) if 2**power < node]
    rungs += [number for power in range(25) if (number := node << power) <= MOST_DEVICES]
    first = max(0, sum(rung <= needed for rung in rungs) - 2)
    yield from rungs[first : first + RUNGS]
