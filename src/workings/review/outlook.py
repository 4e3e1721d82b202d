"""What the first page expects of the run: by the model, by published runs, by what it leaves out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction

from workings.planning.accuracy import Evidence, Run, alike, evidence, median, step_times
from workings.planning.flows import flows
from workings.planning.utilization import OF_COUNT, in_words, recounted
from workings.planning.working import shown
from workings.review.desk import Desk
from workings.review.numbers import percent, plain_number, spent
from workings.units import BYTE, FLOP, SECOND

UNKNOWN = "devices of a generation that their name does not tell"
BUSY = Fraction(1, 2)  # share of a step from which on what else uses a link lengthens it
# Results that are published: their name, and how they are printed.
PUBLISHED: Mapping[str, tuple[str, Callable[[Fraction], str]]] = {
    "T_step": ("a step of", lambda value: str(shown(value, SECOND))),
    "M": ("a peak of", lambda value: str(shown(value, BYTE))),
    "C_u": ("a device does", lambda value: str(shown(value, FLOP / SECOND))),
    "u": ("an MFU of", percent),
    "R_s": ("", lambda value: f"{plain_number(value, 4)} tokens a second"),
}


def expected(desk: Desk) -> str:
    """How long a step and the run take, and where they and the memory would lie by published runs."""
    return " ".join((_step(desk), *_by_published(desk)))


def _step(desk: Desk) -> str:
    """A step and the run, as measured, as published of this very run, or by the model."""
    model = shown(desk.base["T_step"], SECOND)
    run = _run(desk, [desk.expected(letter) for letter in desk.of_run])
    if (measured := desk.measured.get("T_step")) is not None:
        return f"A step was measured to take {shown(measured, SECOND)}{run}; the model says {model}."
    if (published := desk.published.get("T_step")) is None:
        return f"By the model a step takes {model}{run}."
    low, high = desk.low["T_step"], desk.high["T_step"]
    ends = f"{shown(low, SECOND)} at best and {shown(high, SECOND)} at worst"
    said = f"By what was published of it a step takes {shown(published, SECOND)}{run}: plan with that."
    if low <= published <= high:
        return f"{said} The model says {model}, {ends}."
    return (f"{said} That lies outside what the model holds possible, {model} and {ends}: it does not "
            "know this run, or is not told all of it.")  # fmt: skip


def _run(desk: Desk, values: Sequence[Fraction]) -> str:
    """Days and cost in words, behind a step."""
    found = [spent(letter, value) for letter, value in zip(desk.of_run, values, strict=True)]
    return f", the run {' and '.join(found)}" if found else ""


def _by_published(desk: Desk) -> Iterator[str]:
    """What to plan with, and where eight of ten of them lie; nothing of what this very run showed."""
    step, memory = desk.likely("T_step"), desk.likely("M")
    if "T_step" not in desk.known:
        if step is None:
            yield _unseen(desk)
        else:
            least, middle, most = (shown(end, SECOND, 3) for end in step)
            odds = {n: found for n in desk.of_run if (found := desk.likely(n))}
            run = _run(desk, [found.middle for found in odds.values()])
            ends = [f"{spent(n, found.least)} to {spent(n, found.most)}" for n, found in odds.items()]
            whole = f", the run {' and '.join(ends)}" if ends else ""
            yield (f"Plan with {middle}{run.replace(' the run', '')} (P50), the middle of "
                   f"{_runs(len(desk.runs))} on {on(desk)} beside the model: eight of ten took {least} "
                   f"to {most} (P10 to P90){whole}.")  # fmt: skip
    if "M" not in desk.known and memory is not None:
        low, _, high = (shown(end, BYTE, 3) for end in memory)
        device = shown(desk.base["M_dev"], BYTE)
        yield (f"As {len(desk.peaks)} measured peaks on such devices lie beside the model, eight of ten "
               f"held {low} to {high} of memory (the device reports {device}).")  # fmt: skip


def _runs(number: int) -> str:
    return "one published run" if number == 1 else f"{number} published runs"


def _unseen(desk: Desk) -> str:
    """That there are too few runs on such devices to say where this one would lie."""
    count = len(desk.runs)
    few = "No published run" if not count else f"No more than {_runs(count)}"
    return (f"{few} on {on(desk)} stands beside the model, so where this one would lie cannot be said: "
            "time a few steps first.")  # fmt: skip


def on(desk: Desk) -> str:
    """The devices that a job shares with the runs that are evidence for it."""
    generation, precision = desk.device
    return f"{generation or UNKNOWN} at {precision} precision"


def how_sure(desk: Desk) -> str:
    """How far off the model was on such devices, and what of this layout it was little checked on."""
    every = alike(step_times(), *desk.device)
    if not every:
        return (f"None of the published step times that the model was checked on (reports/validation) "
                f"was measured on {on(desk)}: how far off it is there nobody has seen. Measure a step "
                "first.")  # fmt: skip
    kind = "" if len(desk.runs) == len(every) else f", of runs {_kind(desk)},"
    said = (f"Of {len(desk.runs)} published step times on {on(desk)}{kind} the model was "
            f"{_off(desk.runs, 'short', 'long')} in the median")  # fmt: skip
    held = (
        f"; of {len(desk.peaks)} measured peaks {_off(desk.peaks, 'low', 'high')}" if desk.peaks else ""
    )
    weak = (one for one in evidence(every) if one.weak and one.feature.holds(desk.base))
    return " ".join((f"{said}{held} (reports/validation).", *map(_weak, weak)))


def _off(runs: Sequence[Run], below: str, above: str) -> str:
    signed = median([run.error for run in runs])
    return f"{percent(abs(signed), 2)} too {below if signed < 0 else above}"


def _kind(desk: Desk) -> str:
    if desk.base["z_3"]:
        return "that shard their weights"
    return "with experts" if desk.base["E"] else "without experts or sharded weights"


def _weak(one: Evidence) -> str:
    """What little a part of the model was checked on there."""
    if not one.rows:
        return f"None on such devices had {one.feature.name}."
    side = "short" if one.signed < 0 else "long"
    return (f"On such devices {one.rows} had {one.feature.name}, predicted "
            f"{percent(abs(one.signed), 2)} too {side} in the median.")  # fmt: skip


def beside_published(desk: Desk) -> str:
    """What was published of this very run, and what the model says of it by the source's own count."""
    told = desk.job.published
    if not told.values:
        return ""
    theirs, ours = [], []
    for letter, value in told.values.items():
        name, printed = PUBLISHED[letter]
        theirs.append(f"{name} {printed(value)}".strip())
        counts = told.counts if letter in OF_COUNT else None
        ours.append(printed(recounted(desk.plan, desk.job.values(), letter, counts)))
    by = f" ({told.source})" if told.source else ""
    counted = ""
    if told.counts is not None and desk.base["z_h"] and told.values.keys() & set(OF_COUNT):
        counted = f", with {in_words(told.counts)}"
    return f"Published of this run{by}: {', '.join(theirs)}{counted}; the model says {', '.join(ours)}."


def took_place(desk: Desk, word: str) -> str:
    """Why the model refuses a run that took place."""
    told = desk.job.published
    if word != "NO-GO" or not told.values:
        return ""
    why = told.why or "Nobody has said why (published.why in the job)"
    v = desk.base
    said = ""
    if v["u_M"] > desk.job.limit_if:
        least, most, has = (shown(x, BYTE) for x in (desk.low["M"], v["M"], v["M_dev"]))
        said = f" It holds {most}, at best {least}, where the device reports {has}."
    fault = "what the model says against it is the model's fault or its input's"
    return f"This run took place, so {fault}.{said} {_ended(why)}"


def _ended(text: str) -> str:
    return f"{text[0].upper()}{text[1:].rstrip('.')}."


def contention(desk: Desk) -> str:
    """That the links between nodes are busy for most of a step, where nothing is left for others."""
    far = (flow for flow in flows(desk.base) if not flow.link.startswith(("node", "inside")))
    share = sum((flow.seconds for flow in far), Fraction(0)) / desk.expected("T_step")
    if share < BUSY:
        return ""
    return (
        f"The network between nodes is busy for {percent(share, 2)} of the step, hidden or not; other "
        "jobs on it and slow links, which the model leaves out, make it longer."
    )
