"""What the first page expects of the run: by the model, by published runs, by what it leaves out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction

from workings.planning.flows import flows
from workings.planning.working import shown
from workings.review.desk import Desk
from workings.review.numbers import percent, plain_number, spent
from workings.units import BYTE, FLOP, SECOND

ALL, HALF = Fraction(1), Fraction(1, 2)  # of attention's scores, counted for the MFU
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
    """A step and the run, as measured or by the model."""
    model, measured = shown(desk.base["T_step"], SECOND), desk.measured.get("T_step")
    run = _run(desk, [desk.expected(letter) for letter in desk.of_run])
    if measured is None:
        return f"By the model a step takes {model}{run}."
    return f"A step was measured to take {shown(measured, SECOND)}{run}; the model says {model}."


def _run(desk: Desk, values: Sequence[Fraction]) -> str:
    """Days and cost in words, behind a step."""
    found = [spent(letter, value) for letter, value in zip(desk.of_run, values, strict=True)]
    return f", the run {' and '.join(found)}" if found else ""


def _by_published(desk: Desk) -> Iterator[str]:
    """What to plan with, and where eight of ten of them lie; nothing of what was measured."""
    device = shown(desk.base["M_dev"], BYTE)
    low, _, high = (shown(end, BYTE, 3) for end in desk.likely("M"))
    memory = f"{low} to {high} of memory (the device reports {device})"
    if "T_step" not in desk.measured:
        least, middle, most = (shown(end, SECOND, 3) for end in desk.likely("T_step"))
        middles = [desk.likely(letter).middle for letter in desk.of_run]
        run = _run(desk, middles).replace(" the run", "")
        also = f", and held {memory}" if "M" not in desk.measured else ""
        yield (f"Plan with {middle}{run}, the middle of published runs beside the model: eight of ten "
               f"took {least} to {most}{also}.")  # fmt: skip
    elif "M" not in desk.measured:
        yield f"Of published runs beside the model eight of ten held {memory}."


def beside_published(desk: Desk) -> str:
    """What was published of this very run, and what the model says of it."""
    values, source, _ = desk.job.published
    if not values:
        return ""
    theirs, ours = [], []
    for letter, value in values.items():
        name, printed = PUBLISHED[letter]
        theirs.append(f"{name} {printed(value)}".strip())
        ours.append(printed(desk.base[letter]))
    by = f" ({source})" if source else ""
    return f"Published of this run{by}: {', '.join(theirs)}; the model says {', '.join(ours)}."


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
