"""What the first page expects of the run: by the model, by published runs, by what it leaves out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
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
    measured = desk.measured.get("T_step")
    step = shown(desk.base["T_step"] if measured is None else measured, SECOND)
    was = " as measured" if measured is not None else ""
    said = f"A step takes {step}{was}{_run(desk)}."
    by_published = "; ".join(_by_published(desk))
    return f"{said} By published runs beside the model, {by_published}." if by_published else said


def _run(desk: Desk) -> str:
    """Days and cost of the run, where it has an end."""
    if not desk.base["T_tok"]:
        return ""
    letters = ("T_run", "c_run") if desk.base["c_d"] else ("T_run",)
    found = [spent(letter, desk.likely(letter).middle if "T_step" in desk.measured else desk.base[letter])
             for letter in letters]  # fmt: skip
    return f", the run {' and '.join(found)}"


def _by_published(desk: Desk) -> Iterator[str]:
    """Where half and eight of ten of them lie; nothing of what was measured."""
    if "T_step" not in desk.measured:
        least, middle, most = (shown(end, SECOND, 3) for end in desk.likely("T_step"))
        yield f"half of them take more than {middle} a step, eight of ten {least} to {most}"
    if "M" not in desk.measured:
        low, _, high = (shown(end, BYTE, 3) for end in desk.likely("M"))
        device = shown(desk.base["M_dev"], BYTE)
        yield f"eight of ten hold {low} to {high} of memory, of which the device reports {device}"


def beside_published(desk: Desk) -> str:
    """What was published of this very run, and what the model says of it."""
    values, source = desk.job.published
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
    share = sum((flow.seconds for flow in far), Fraction(0)) / desk.base["T_step"]
    if share < BUSY:
        return ""
    return (
        f"The network between nodes is busy for {percent(share, 2)} of the step, hidden or not; other "
        "jobs on it and slow links, which the model leaves out, make it longer."
    )
