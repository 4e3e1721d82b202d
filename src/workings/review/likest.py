"""Published runs of the very model on such devices, and what this job would take at their MFU."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from workings.document.blocks import Block, Prose
from workings.planning.accuracy import Run, alike, median, of_memory, peaks, step_times
from workings.planning.precedents import LAYOUT, SAME, as_large, batch_of, of_model
from workings.planning.working import shown
from workings.review.desk import Cell, Desk
from workings.review.naming import axes, mesh
from workings.review.numbers import number, percent, words
from workings.units import SECOND

PRINTED = 3  # runs, each of another source
BY_MODEL = {
    "of its model": 17,
    "of its kind": 16,
}  # per cent off, by `python benchmarks/heldout.py --left-out`


def likest(desk: Desk) -> tuple[Run, ...]:
    """Published step times of this model on such devices at this precision, the likest first.

    Like is the program, then the length of a sequence, then the number of devices.
    """
    v = desk.base

    def far(run: Run) -> tuple[bool, bool, float]:
        other = run.program != desk.job.framework
        return other, run.values["s"] != v["s"], abs(math.log(run.values["n"] / v["n"]))

    own = of_model(desk.base, alike(step_times(), *desk.device))
    return tuple(sorted((run for run in own if run.mfu and not _itself(desk, run)), key=far))


def _itself(desk: Desk, run: Run) -> bool:
    """Whether it is the very run that the job has the published step of."""
    if "T_step" not in desk.published or any(run.values[n] != desk.base[n] for n in (*LAYOUT, "s")):
        return False
    return any(abs(step_at(desk, run) / end - 1) < SAME for end in desk.published["T_step"][::2])


def peaks_of_this_model(desk: Desk) -> str:
    """How far off the model was where a peak of this model was published, in a sentence; or nothing."""
    found = of_model(desk.base, of_memory(peaks(), *desk.device))
    if not found:
        return ""
    ends = sorted(run.ratio for run in found)
    least, middle, most = (f"{float(end):.2f}" for end in (ends[0], median(ends), ends[-1]))
    lay = f"{least} to {most} times what the model says of it, {middle} in the middle"
    if len(found) == 1:
        return (
            f" One peak of this model was published, in some layout: {least} times what the model says."
        )
    return f" {len(found)} peaks of this model were published, each in some layout: {lay}."


def published_at(
    desk: Desk, layout: Mapping[str, Fraction | int], letters: Sequence[str] = LAYOUT
) -> Run | None:
    """The fastest published run of this model on such devices at this precision in a layout.

    `layout` has values by letter; what it leaves out is as in the job. Of a run there are known its
    devices, degrees, chunks of a rank, whether it shards weights and computes blocks again. Its
    sequences are as long as the job's, its batch is half to twice as large.
    """
    wanted = {**desk.base, **layout}
    found = (
        run
        for run in likest(desk)
        if all(run.values[letter] == wanted[letter] for letter in letters)
        and run.values["s"] == wanted["s"]
        and as_large(desk.base, run, step_at(desk, run))
    )
    return max(found, key=lambda run: run.mfu, default=None)


def untried(desk: Desk) -> bool:
    """Whether a search chose the layout and nobody is known to have run it, or the model at all.

    What is best of thousands by a model owes some of that to the model's errors.
    """
    return not desk.job.chosen and desk.base["n"] > 1 and published_at(desk, {}) is None


def published_instead(desk: Desk) -> str:
    """The fastest published layout, from which step on it is better than one nobody is known to have run.

    Of runs in that layout the one on nearly as many devices tells its step.
    """
    runs = [run for run in likest(desk) if _as_long(desk, run) and _scaled(desk, run)]
    if not runs or not untried(desk):
        return ""
    best = max(runs, key=lambda run: run.mfu)
    same = [run for run in runs if _scaled(desk, run) == _scaled(desk, best)]
    told = min(same, key=lambda run: abs(math.log(run.values["n"] / desk.base["n"])))
    v = {**desk.base, **_scaled(desk, best)}
    chunks = f" with {int(v['v'])} chunks a rank" if v["v"] > 1 else ""
    step = shown(step_at(desk, told), SECOND)
    return (
        f" If it takes more than {step}: {mesh(v)}{chunks}, as was published on "
        f"{int(told.values['n']):,} devices ({told.source}), takes that at its MFU."
    )


def _scaled(desk: Desk, run: Run) -> Mapping[str, Fraction]:
    """A published layout on the job's devices, with more or fewer replicas; nothing where none fits."""
    v = run.values
    replicas = desk.base["n"] / (v["t"] * v["c"] * v["p"])
    whole = replicas.denominator == 1 and (desk.base["b"] / replicas).denominator == 1
    return {**{n: Fraction(v[n]) for n in LAYOUT if n != "n"}, "d": replicas} if whole else {}


def batch(desk: Desk, run: Run) -> Fraction:
    """The sequences of a published run's step."""
    return batch_of(desk.base, run, step_at(desk, run))


def of_this_model(desk: Desk) -> Iterator[Block]:
    """What they reached; one sentence where none is known."""
    found = likest(desk)
    if not found:
        other = "other " * desk.took_place
        yield Prose(words(
            f"No {other}published run of this model on such devices at this precision is known here: "
            "whoever knows one should hold it against this page."
        ))  # fmt: skip
        return
    yield Prose(words(" ".join(filter(None, (_known(desk, found), beside_odds(desk))))))
    degrees = " · ".join(name for name, _ in _axes(desk))
    head = ("run, and where it is from", "devices", degrees, "sequence", "MFU, causal",
            "model over published", "this job at that MFU")  # fmt: skip
    rows = [_row(desk, run) for run in _printed(found)]
    caption = (
        "Published runs of this model, the likest first, one of each source, and the fastest; the device "
        f"may be another of its family, {desk.device[0]}, and parts of blocks computed again are told "
        "of some"
    )
    yield desk.table("likest", caption, "wrwrrrr", head, rows)


def _known(desk: Desk, found: Sequence[Run]) -> str:
    """How many are known, and which steps they would bring this job to."""
    ends = sorted(step_at(desk, run) for run in found if _as_long(desk, run))
    reach = "; none had sequences as long as these, on which an MFU hangs"
    if ends:
        least, middle, most = (shown(ends[place], SECOND) for place in (0, len(ends) // 2, -1))
        steps = f"{least} to {most}, {middle} in the middle" if least != most else f"{least}"
        reach = f": at the MFU of those with sequences as long this job's step would take {steps}"
    many = f"{len(found)} published runs" if len(found) > 1 else "One published run"
    verb = "are" if len(found) > 1 else "is"
    each = ", each of a layout, a batch and a program of its own" if len(found) > 1 else ""
    return (f"{many} of this model on such devices at this precision {verb} in this "
            f"collection{each}{reach}.{_no_nearer(desk)}")  # fmt: skip


def _no_nearer(desk: Desk) -> str:
    """Why the odds are not of these runs alone."""
    if "T_step" in desk.known:
        return ""
    own, all_ = BY_MODEL["of its model"], BY_MODEL["of its kind"]
    return (
        " The odds are of all runs of this kind all the same: others' runs of the same model were "
        f"{own} % off those of a source that was left out in the median, and all of its kind {all_} %."
    )


def _as_long(desk: Desk, run: Run) -> bool:
    """Whether its sequences are as long as the job's: an MFU hangs on that."""
    return run.values["s"] == desk.base["s"]


def beside_odds(desk: Desk) -> str:
    """Whether any published run of this model was as fast as P10, or P50, of a step, in a sentence."""
    found = [run for run in likest(desk) if _as_long(desk, run)]
    if not found:
        return ""
    best = max(found, key=lambda run: run.mfu)
    fastest = step_at(desk, best)
    said = (
        f"The fastest published run of this model at {desk.device[1]} precision in this collection "
        f"({best.name}, {best.source}) would take "
        f"{shown(fastest, SECOND)} a step at its MFU"
    )
    forced = ", its router perhaps balanced by force" if desk.base["E"] else ""
    if "T_step" in desk.known:
        less = 1 - fastest / desk.known["T_step"].middle
        return f"{said}{forced}, {percent(less, 2)} less than this run took." if less > SAME else ""
    if fastest < desk.likely("T_step").least:
        return f"{said}{forced}, less than P10."
    end = "P50" if fastest > desk.likely("T_step").middle else "P10"
    return f"{said}: none was as fast as {end}."


def _printed(found: Sequence[Run]) -> list[Run]:
    """The likest of each source, and the fastest of all."""
    first = {run.source: run for run in reversed(found)}
    likest_of_each = [run for run in found if run is first[run.source]][:PRINTED]
    fastest = max(found, key=lambda run: run.mfu)
    return likest_of_each if fastest in likest_of_each else [*likest_of_each, fastest]


def _row(desk: Desk, run: Run) -> tuple[Cell, ...]:
    devices, tokens = (f"{int(run.values[letter]):,}" for letter in ("n", "s"))
    return (f"{run.name} ({run.source})", devices, _layout(desk, run), tokens, percent(run.mfu, 3),
            f"{float(1 / run.ratio):.2f}",
            number(step_at(desk, run), SECOND) if _as_long(desk, run) else "–")  # fmt: skip


def _axes(desk: Desk) -> tuple[tuple[str, str], ...]:
    """The degrees that are known of a run."""
    return tuple(axis for axis in axes(desk.base) if axis[1] != "t_e")


def _layout(desk: Desk, run: Run) -> str:
    """A run's degrees, as other tables write them, and what else is known of its layout."""
    v = run.values
    degrees = {**v, "d": v["n"] / (v["t"] * v["c"] * v["p"])}
    more = [" · ".join(f"{int(degrees[letter]):,}" for _, letter in _axes(desk))]
    more += [f"{int(v['v'])} chunks"] if v["v"] > 1 else []
    more += ["ZeRO-3"] if v["z_3"] else []
    again = ["blocks again"] if v["z_f"] == 1 else ["parts again"] if v["z_f"] else []
    return ", ".join([*more, *again])


def step_at(desk: Desk, run: Run) -> Fraction:
    """The seconds of this job's step at a run's MFU, which counts half of attention's scores."""
    return desk.base["T_step"] * desk.at_peak / run.mfu
