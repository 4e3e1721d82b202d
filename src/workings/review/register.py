"""The assumption register: every input with its origin, its weight and the range it may have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from workings.document.blocks import Block, Code, Items, Line, Prose, Strong, Text
from workings.planning.bound import FALLING
from workings.planning.breakeven import BreakEven, break_even
from workings.planning.elasticity import BRANCH, RELAXED, Elasticity
from workings.planning.inputs.names import key_of
from workings.planning.job import Figure
from workings.planning.letters import LAYOUT, MODEL, PARTS
from workings.planning.measure import LEAST
from workings.planning.moves import moves_of
from workings.planning.working import shown
from workings.review.desk import Cell, Desk, letter, working_of
from workings.review.front_page import heading
from workings.review.numbers import asked, bounded, number, percent, plain_number, words
from workings.units import BYTE, SECOND

_CHOSEN = {*LAYOUT, *PARTS, "n", "n_r"}
FAR = 10  # times its value, or a part of it, beyond which a break-even is no news
LONGEST = 110  # characters of an origin
ALWAYS = ("goodput", "price", "training_tokens")  # they make the days and the cost
SMALL = Fraction(1, 200)  # elasticity below which an input does not matter
NEAR = Fraction(1, 20)  # share of a step from which compute that traffic hides behind is spoken of
MARGIN = Fraction(1, 5)  # of that compute, within which traffic that hides is nearly too long
HEADS = {"T_run": "keeps days", "c_run": "keeps cost", "u": "keeps MFU"}


@dataclass(frozen=True)
class Entry:
    """A line of the register; `keeps` has where the input keeps each limit that it moves."""

    id: str
    figure: Figure
    memory: Elasticity | None
    time: Elasticity | None
    keeps: Mapping[str, BreakEven]


def entries(desk: Desk) -> tuple[Entry, ...]:
    """Every input that moves memory or step time, the heaviest first; the sizes of the model last."""
    slopes = {result: {e.letter: e for e in found} for result, found in desk.slopes.items()}
    memory, time = slopes["u_M"], slopes["T_step"]
    found = []
    for name, figure in desk.job.figures.items():
        m, s = memory.get(name), time.get(name)
        range_ = max(desk.effects.get(name, {}).values(), default=0.0)
        matters = range_ >= LEAST or any(e and abs(e.value) >= SMALL for e in (m, s))
        if name in _CHOSEN or not (matters or figure.concept.name in ALWAYS):
            continue
        found.append((name, figure, m, s, range_))
    found.sort(key=lambda row: (row[0] in MODEL, -row[4], -_weight(row[2], row[3]), row[0]))
    return tuple(
        Entry(f"A{place}", figure, m, s, _keeps(desk, name, slopes))
        for place, (name, figure, m, s, _) in enumerate(found, start=1)
    )


def _weight(memory: Elasticity | None, time: Elasticity | None) -> Fraction:
    return max((abs(e.value) for e in (memory, time) if e), default=Fraction(0))


def _keeps(desk: Desk, name: str, slopes: Mapping[str, Mapping[str, Elasticity]]) -> dict[str, BreakEven]:
    """Where the input keeps the limits, each of those that it moves; none if it never moves alone."""
    moves = moves_of(name, desk.base)
    if moves is None:
        return {}
    return {
        result: break_even(
            desk.plan,
            desk.base,
            name,
            result,
            bound,
            rising=(slope.value > 0) != (result in FALLING),
            moves=moves,
        )
        for result, bound in desk.bounds.items()
        if (slope := slopes[result].get(name)) is not None
    }


def register(desk: Desk, found: Sequence[Entry]) -> Iterator[Block]:
    """The tables, and how to read them."""
    yield heading("Assumption register")
    yield Prose((
        Text("Every input that matters, those first whose range moves memory or step time most. The word "
             "in front is its key, in the job's file and for "), Code("--set"), Text("."),
    ))  # fmt: skip
    yield Items(tuple(_columns(desk)))
    if decides := _which_decides(desk):
        yield Prose(decides)
    head = ("id", "input, and where it is from", "value", "memory", "step time", "keeps memory")
    rows: list[tuple[Cell, ...]] = [_row(entry) for entry in found if not _of_model(entry)]
    yield from desk.long_table("register", "Inputs, their origin and weight", "lwrrrr", head, rows)
    sizes: list[tuple[Cell, ...]] = [_row(entry) for entry in found if _of_model(entry)]
    head = ("id", "size of the model", *head[2:])
    caption = "The model's sizes and their weight"
    yield from desk.long_table("register-model", caption, "lwrrrr", head, sizes)
    yield from _run(desk, found)


def _of_model(entry: Entry) -> bool:
    return entry.figure.letter in MODEL


def _columns(desk: Desk) -> Iterator[tuple[Block, ...]]:
    """What the columns say, one after the other."""
    share, device = desk.job.limit_if, desk.base["M_dev"]
    here = "The plan keeps it."
    if desk.base["u_M"] > share:
        here = "The plan is beyond it; each value here, alone, would bring it back."
    for name, said in (
        ("Memory, step time", "by how many per cent each grows when the input grows by one. An r: "
         "taken without the rounding to whole numbers. A c: of several terms only the largest, or the "
         "smallest, counts."),
        ("Keeps memory", "up to (≤) or from (≥) which value the fullest rank stays within "
         f"{shown(share * device, BYTE)}, {percent(share)} of what the device reports, all other inputs "
         f"as they are. {here} “any”: all values that are allowed and were tried do; “none”: none of "
         "them does; “far”: beyond ten times its value, or a tenth of it; –: the input does "
         "not move memory, or never moves alone."),
    ):  # fmt: skip
        yield (Prose((Strong((Text(f"{name}:"),)), *words(f" {said}"))),)


def _which_decides(desk: Desk) -> Line:
    """Why step time hardly follows what hides behind something longer; nothing where that is not so."""
    v = desk.base
    if not v["T_d"] or v["T_hide"] < NEAR * v["T_step"]:
        return ()
    takes, hides = (shown(v[letter], SECOND) for letter in ("T_d", "T_hide"))
    both: Line = (
        *words(f"Gradients and gathered weights take {takes} "), working_of("T_d"),
        *words(f", the compute that they may hide behind {hides} "), working_of("T_hide"),
    )  # fmt: skip
    if v["T_sync"]:
        more = percent(v["T_d"] / v["T_hide"] - 1, 2)
        return (*both, *words(
            ": the longer counts. What makes that compute shorter uncovers as much of the traffic, so "
            f"step time hardly follows it; only if it took {more} longer would it be what counts."
        ))  # fmt: skip
    if v["T_d"] < (1 - MARGIN) * v["T_hide"]:
        return ()
    more = percent(v["T_hide"] / v["T_d"] - 1, 2)
    return (*both, *words(f": they hide, but would not if they took {more} longer."))


def _run(desk: Desk, found: Sequence[Entry]) -> Iterator[Block]:
    """The same of the limits on the run that were set."""
    limits = {result: limit for result, limit in desk.bounds.items() if result != "u_M"}
    if not limits:
        return
    said = " and ".join(asked(result, limit) for result, limit in limits.items())
    caption = (
        f"By the model alone, up to or from which value an input keeps {said} for the run, all "
        "others as they are; the answer goes by published runs, and may ask for more"
    )
    rows: list[tuple[Cell, ...]] = [
        (entry.id, letter(entry.figure.letter), number(entry.figure.value, entry.figure.dimension),
         *(_kept(entry, result) for result in limits))
        for entry in found if entry.keeps.keys() & limits.keys() and entry.figure.value
    ]  # fmt: skip
    head = ("id", "input", "value", *(HEADS[result] for result in limits))
    yield from desk.long_table("register-run", caption, "llr" + "r" * len(limits), head, rows)


def _row(entry: Entry) -> tuple[Cell, ...]:
    f = entry.figure
    said = f" {f.concept.meaning}" + ("" if _of_model(entry) else f" ({_origin(f)}{_range(f)})")
    return (
        entry.id, (Code(key_of(f.letter) or f.concept.name), Text(" "), letter(f.letter), Text(said)),
        number(f.value, f.dimension), _slope(f, entry.memory), _slope(f, entry.time), _kept(entry, "u_M"),
    )  # fmt: skip


def _range(figure: Figure) -> str:
    """`; 0.5 to 0.8`, where it may lie, or nothing."""
    ends = sorted({e for e in (figure.low, figure.high, figure.value) if e is not None})
    if len(ends) == 1:
        return ""
    least, most = (shown(end, figure.dimension, 3) for end in (ends[0], ends[-1]))
    return f"; {least} to {most}"


def _origin(figure: Figure) -> str:
    """Kind and source, in few words; the JSON holds them whole."""
    said = figure.source if figure.source.startswith(figure.kind) else f"{figure.kind}: {figure.source}"
    return said if len(said) <= LONGEST else said[: LONGEST - 2].rstrip() + " …"


def _slope(figure: Figure, found: Elasticity | None) -> str:
    """By how many per cent; of nothing there is no per cent."""
    if not figure.value:
        return "–"
    if found is None or abs(found.value) < SMALL:
        return "0"
    marks = "r" * (RELAXED in found.marks) + "c" * (BRANCH in found.marks)
    return f"{plain_number(found.value, 2)} {marks}".strip().replace("-", "−")


def _kept(entry: Entry, result: str) -> Cell:
    found = entry.keeps.get(result)
    if found is None or not entry.figure.value:
        return "–"
    if found.value is None:
        return "any" if found.kept else "none"
    if found.kept and not 1 / FAR < found.value / entry.figure.value < FAR:
        return "far"
    concept = entry.figure.concept
    return bounded(found.value, concept.dimension, at_most=found.at_most, whole=concept.domain.integer)
