"""Changes of one setting that leave degrees as they are and make a rank hold less, the smallest first.

A loss in parts, state that ranks share, half of the micro-batch, a part of a block computed again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, TypeVar

from workings.planning.frameworks import refused
from workings.planning.generations import generation
from workings.planning.job import Job
from workings.planning.letters import LAYOUT
from workings.planning.recomputed import MODULES, UnknownError, again, idle, letters, spelled
from workings.planning.sayable import sayable

Values = Mapping[str, Fraction]
PARTS = (2, 4, 8)  # of a loss


@dataclass(frozen=True, slots=True)
class Change:
    """Letters that move together, in words and as a job file says it."""

    words: str
    said: str
    changed: Values


class _Said(Protocol):
    """What stands in a job file so."""

    @property
    def said(self) -> str: ...


Found = TypeVar("Found", bound=_Said)


def smallest(found: Iterable[Found]) -> list[Found]:
    """Of changes of one setting the first alone, such as a loss in the fewest parts.

    What is computed again are many settings.
    """
    kept: dict[str, Found] = {}
    for one in found:
        setting = one.said.partition(" = ")[0]
        kept.setdefault(one.said if setting == "recompute" else setting, one)
    return list(kept.values())


def changes(job: Job) -> tuple[Change, ...]:
    """Every such change of a job that its program can be told."""
    known = sayable(job)
    return tuple(
        one for one in _changes(job)
        if _allowed(job, one) and (not known or sayable(job.with_values(one.changed)))
    )  # fmt: skip


def _allowed(job: Job, one: Change) -> bool:
    """Whether the program that is named runs it."""
    v = {**job.values(), **one.changed}
    layout = {name: int(v[name]) for name in LAYOUT}
    return all(constraint.allows(layout) for constraint in refused(job.framework, generation(job.device)))


def _changes(job: Job) -> Iterator[Change]:
    v = job.values()
    for times in PARTS:
        parts = v["n_l"] * times
        yield Change(f"a loss in {int(parts)} parts", f"loss_parts = {int(parts)}", {"n_l": parts})
    for stage in (1, 2):
        if stage > v["z_1"] + v["z_2"] + v["z_3"]:
            moved = {f"z_{i}": Fraction(1) for i in range(1, stage + 1) if not v[f"z_{i}"]}
            yield Change(f"ZeRO stage {stage}", f"zero = {stage}", moved)
    if v["b_m"] % 2 == 0:
        half = v["b_m"] / 2
        yield Change(f"micro-batches of {int(half)}", f"microbatch = {int(half)}", {"b_m": half})
    yield from _computed_again(job, v)


def _computed_again(job: Job, v: Values) -> Iterator[Change]:
    """Each module beside those that are, or torchtitan's own policy; whole blocks."""
    if v["z_f"] or v["x_keep"]:
        return
    modules = () if v["k_com"] else tuple(MODULES)
    parts = ("operations",) if job.framework == "torchtitan" else modules
    for said in (*parts, "full"):
        try:
            found = letters(said, v, bool(v["z_a"]))
        except UnknownError:
            continue
        if (said == "core_attn" and v["z_a"]) or idle(said, v):
            continue
        own = {name: Fraction(0) if said == "full" else v[name] for name in found}
        moved = {name: max(value, own[name]) for name, value in found.items()}
        moved = {name: value for name, value in moved.items() if value != v[name]}
        there = {**v, **moved}
        if moved:
            yield Change(f"{again(there)} computed again", f'recompute = "{spelled(there)}"', moved)
