"""A layout with what it comes to: what `plan` finds and `review` lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from workings.planning.job import Job
from workings.planning.naming import named
from workings.planning.recomputed import spelled
from workings.planning.working import shown
from workings.units import BYTE, SECOND
from workings.values.tabled import tabled


@dataclass(frozen=True, repr=False)
class Layout:
    """How a job is spread over its devices.

    Degrees: `tp`, `cp`, `pp`, `ep`, `etp` and `dp`, replicas. `virtual_stages`: model chunks on a rank.
    `microbatch`: sequences. `zero`: the stage, 0 to 3. `recompute`: none, selective, full or what is
    stated.
    `memory`: bytes on the fullest rank. `step_time`: seconds. `mfu`: a share of 1. `tied`: the model
    cannot tell it from the fastest. `words`: the layout in words, what is usual unsaid.
    """

    tp: int
    cp: int
    pp: int
    dp: int
    ep: int
    etp: int
    virtual_stages: int
    microbatch: int
    zero: int
    recompute: str
    sequence_parallel: bool
    memory: float
    step_time: float
    mfu: float
    tied: bool
    words: str
    experts: bool

    @property
    def settings(self) -> dict[str, Any]:
        """The layout as `set=` of `review`, `lint`, `plan` and `sweep` takes it."""
        names = ["tp", "cp", "pp", *(("ep", "etp") if self.experts else ()), "virtual_stages",
                 "microbatch", "zero", "recompute", "sequence_parallel"]  # fmt: skip
        return {name: getattr(self, name) for name in names}

    def __repr__(self) -> str:
        words, memory, step, mfu = cells(self)
        return f"{words}: {memory}, {step} a step, MFU {mfu}"

    def _repr_html_(self) -> str:
        return tabled(*COLUMNS, [cells(self)])


COLUMNS = (("layout", "memory", "step", "MFU"), "lrrr")


def cells(layout: Layout) -> tuple[str, ...]:
    """A row of a table of layouts."""
    memory, step = shown(Fraction(layout.memory), BYTE), shown(Fraction(layout.step_time), SECOND)
    return layout.words, str(memory), str(step), f"{layout.mfu * 100:.1f} %"


def layout_at(
    job: Job, layout: Mapping[str, int], values: Mapping[str, Fraction], *, tied: bool = False
) -> Layout:
    """The layout of a job where its letters are these, with the values that it comes to."""
    v = {**job.values(), **{name: Fraction(value) for name, value in layout.items()}}
    v["d"] = v["n"] / (v["t"] * v["c"] * v["p"])
    tp, cp, pp, dp, ep, etp, chunks, micro, z_1, z_2, z_3 = (
        int(v[n]) for n in ("t", "c", "p", "d", "e", "t_e", "v", "b_m", "z_1", "z_2", "z_3")
    )
    memory, step, mfu = (float(values[n]) for n in ("M", "T_step", "u"))
    return Layout(
        tp, cp, pp, dp, ep, etp, chunks, micro, z_1 + z_2 + z_3, spelled(v), bool(v["z_s"]),
        memory, step, mfu, tied, named(v), bool(v["E"]),
    )  # fmt: skip
