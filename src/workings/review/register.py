"""The assumption register: every input with its origin, its weight and the range it may have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from workings.document.blocks import Block, Code, Line, Prose, Reference, Text
from workings.planning.assumed import FLOORS
from workings.planning.elasticity import BRANCH, RELAXED, Elasticity
from workings.planning.inputs.names import key_of
from workings.planning.job import Figure
from workings.planning.letters import LAYOUT, MODEL, PARTS
from workings.planning.measure import LEAST
from workings.planning.moves import moves_of
from workings.planning.working import shown
from workings.review import thresholds
from workings.review.desk import Cell, Desk, letter, working_of
from workings.review.front_page import heading
from workings.review.numbers import number, percent, plain_number, words
from workings.review.otherwise import Otherwise, otherwise, told
from workings.review.thresholds import Holds, bounds
from workings.units import SECOND

_CHOSEN = {*LAYOUT, *PARTS, "n", "n_r"}
FAR = 10  # times its value, or a part of it, beyond which a threshold is no news
LONGEST = 110  # characters of an origin that is neither the job's own nor of days and cost
ALWAYS = ("c_d", "gamma", "T_tok")  # they make the days and the cost
WITH_HOST = {"W_h": ("x_host", "x_off"), "W_hm": ("x_off",)}  # and what a host is used by
SMALL = Fraction(1, 200)  # elasticity below which an input does not matter
NEAR = Fraction(1, 20)  # share of a step from which compute that traffic hides behind is spoken of
LITTLE = 0.05  # by which the ends of a range move memory and step time, from which on it matters
UNSURE, SURE, OF_MODEL = "uncertain", "sure", "of the model"
COLUMNS = (
    "Memory and step time: by how many per cent the model's figure grows when the input grows by one (r: "
    "without the rounding to whole numbers; c: while the same of several terms, say compute or the "
    "traffic beside it, decides)."
)
NONE = " –: no value within ten times it changes the answer, or it never moves alone."
MARGIN = Fraction(1, 5)  # of that compute, within which traffic that hides is nearly too long


@dataclass(frozen=True)
class Entry:
    """A line of the register; `holds` has from and up to which values the answer is GO, or GO IF."""

    id: str
    figure: Figure
    memory: Elasticity | None
    time: Elasticity | None
    holds: tuple[Holds, ...]
    little: bool = False  # whether its range neither decides nor moves much
    otherwise: Otherwise | None = None  # if the job did not give it, where that moves much

    @property
    def kind(self) -> str:
        """The table that it stands in."""
        if self.figure.letter in MODEL:
            return OF_MODEL
        if self.otherwise:
            return UNSURE
        return SURE if self.figure.sure or self.little else UNSURE


def entries(desk: Desk) -> tuple[Entry, ...]:
    """Every input that moves memory or step time, the heaviest first; the sizes of the model last."""
    slopes = {result: {e.letter: e for e in found} for result, found in desk.slopes.items()}
    memory, time = slopes["u_M"], slopes["T_step"]
    found = []
    for name, figure in desk.job.figures.items():
        m, s = memory.get(name), time.get(name)
        other = otherwise(desk, figure)
        range_ = max([*desk.effects.get(name, {}).values(), other.effect if other else 0.0])
        matters = range_ >= LEAST or any(e and abs(e.value) >= SMALL for e in (m, s))
        used = name in ALWAYS or any(desk.base[share] for share in WITH_HOST.get(name, ()))
        if name in _CHOSEN or not (matters or used):
            continue
        found.append((range_, Entry("", figure, m, s, (), range_ < LITTLE, other)))
    found.sort(key=lambda row: (
        row[1].figure.letter in MODEL, -row[0], -_weight(row[1].memory, row[1].time), row[1].figure.letter
    ))  # fmt: skip
    return tuple(_entry(desk, f"A{place}", one) for place, (_, one) in enumerate(found, start=1))


def _entry(desk: Desk, id_: str, one: Entry) -> Entry:
    """With its id, and what its value decides."""
    holds = tuple(_holds(desk, one.figure))
    return replace(one, id=id_, holds=holds, little=one.little and not holds)


def _weight(memory: Elasticity | None, time: Elasticity | None) -> Fraction:
    return max((abs(e.value) for e in (memory, time) if e), default=Fraction(0))


def _holds(desk: Desk, figure: Figure) -> Iterator[Holds]:
    """Where the answer changes if the input alone moves; nothing far from its value."""
    moves = moves_of(figure.letter, desk.base)
    if moves is None or not figure.value:
        return
    for held in thresholds.of_input(desk, figure.letter, moves):
        floor = FLOORS.get(figure.concept.name, held.value)
        if 1 / FAR < held.value / figure.value < FAR and held.value >= floor:
            yield held


def register(desk: Desk, found: Sequence[Entry]) -> Iterator[Block]:
    """What is uncertain, and how to read it."""
    yield heading("Assumption register")
    yield Prose((
        Text("Every input that matters and may lie elsewhere, or that the job gives in place of what is "
             "usual, those first that move most. The word in front is its key, in the job's file and "
             "for "), Code("--set"),
        Text(f". {_columns(desk, found, UNSURE)} What else has no range, or one that decides "
             "nothing and moves both by less than 5 %, and the model's sizes stand in the "),
        Reference("register-sure", (Text("workings"),)), Text("."),
    ))  # fmt: skip
    if decides := _which_decides(desk):
        yield Prose(decides)
    yield from _table(desk, "register", "What is uncertain, its origin and weight", found, UNSURE)


def register_sure(desk: Desk, found: Sequence[Entry]) -> Iterator[Block]:
    """The inputs without a range that matters, and the model's sizes."""
    yield heading("Inputs without a range that matters")
    yield Prose((Text(_columns(desk, found, SURE, OF_MODEL)),))
    yield from _table(
        desk, "register-sure", "Inputs without a range that matters, their origin and weight", found, SURE
    )
    caption = "The model's sizes and their weight"
    yield from _table(desk, "register-model", caption, found, OF_MODEL)


def _columns(desk: Desk, found: Sequence[Entry], *kinds: str) -> str:
    """What the columns say of the inputs of these kinds."""
    read = thresholds.how_to_read(desk, _decided(found, *kinds))
    return COLUMNS + (read + NONE if read else "")


def _decided(found: Sequence[Entry], *kinds: str) -> list[str]:
    return thresholds.decided(held for entry in found if entry.kind in kinds for held in entry.holds)


def _table(
    desk: Desk, label: str, caption: str, found: Sequence[Entry], kind: str
) -> Iterator[Block]:  # fmt: skip
    """One of the tables, with columns for what any of its inputs decides."""
    chosen = [entry for entry in found if entry.kind == kind]
    decided = _decided(found, kind)
    head = ("id", "input" if kind == OF_MODEL else "input, and where it is from", "value", "memory",
            "step time", *decided)  # fmt: skip
    rows = [_row(entry, decided) for entry in chosen] or [("–", "none", *[""] * (len(head) - 2))]
    yield from desk.long_table(label, caption, "lwrrr" + "w" * len(decided), head, rows)


def _which_decides(desk: Desk) -> Line:
    """Why step time hardly follows what hides behind something longer; nothing where that is not so."""
    v = desk.base
    if not v["T_d"] or v["T_hide"] < NEAR * v["T_step"]:
        return ()
    takes, bare, hides = (shown(v[letter], SECOND) for letter in ("T_d", "T_ends", "T_hide"))
    both: Line = (
        *words(f"Gradients and gathered weights take {takes} "), working_of("T_d"),
        *words(f", {bare} of it with nothing to hide behind "), working_of("T_ends"),
        *words(f", the compute that the rest may hide behind {hides} "), working_of("T_hide"),
    )  # fmt: skip
    rest = v["T_d"] - v["T_ends"]
    if rest > v["T_hide"]:
        more = percent(rest / v["T_hide"] - 1, 2)
        return (*both, *words(
            ": the longer counts. What makes that compute shorter uncovers as much of the traffic, so "
            f"step time hardly follows it; only if it took {more} longer would it be what counts."
        ))  # fmt: skip
    if rest < (1 - MARGIN) * v["T_hide"]:
        return ()
    more = percent(v["T_hide"] / rest - 1, 2)
    return (*both, *words(f": it hides, but would not if it took {more} longer."))


def _row(entry: Entry, decided: Sequence[str]) -> tuple[Cell, ...]:
    f = entry.figure
    said = f" {f.concept.meaning}" + (
        "" if entry.kind == OF_MODEL else f" ({_origin(f)}{_range(f)}{_other(entry)})"
    )
    dimension, whole = f.dimension, f.concept.domain.integer
    return (
        entry.id, (Code(key_of(f.letter) or f.concept.name), Text(" "), letter(f.letter), Text(said)),
        number(f.value, dimension), _slope(f, entry.memory), _slope(f, entry.time),
        *(bounds(entry.holds, word, dimension, whole=whole) for word in decided),
    )  # fmt: skip


def _range(figure: Figure) -> str:
    """`; 0.5 to 0.8`, where it may lie, or nothing."""
    ends = sorted({e for e in (figure.low, figure.high, figure.value) if e is not None})
    if len(ends) == 1:
        return ""
    least, most = (shown(end, figure.dimension, 3) for end in (ends[0], ends[-1]))
    return f"; {least} to {most}"


def _other(entry: Entry) -> str:
    """What results would be if the job did not give it."""
    return f"; {told(entry.figure, entry.otherwise)}" if entry.otherwise else ""


def _origin(figure: Figure) -> str:
    """Kind and source, in few words where they are not the job's own; the JSON holds them whole."""
    if figure.place.key and figure.source == f"{figure.place.file}: {figure.place.key}":
        return f"{figure.kind} in {figure.place.file}"  # its key stands in front
    said = figure.source if figure.source.startswith(figure.kind) else f"{figure.kind}: {figure.source}"
    whole = figure.kind in ("given", "measured") or figure.letter in ALWAYS
    return said if whole or len(said) <= LONGEST else said[: LONGEST - 2].rstrip() + " …"


def _slope(figure: Figure, found: Elasticity | None) -> str:
    """By how many per cent; of nothing there is no per cent."""
    if not figure.value:
        return "–"
    if found is None or abs(found.value) < SMALL:
        return "0"
    marks = "r" * (RELAXED in found.marks) + "c" * (BRANCH in found.marks)
    return f"{plain_number(found.value, 2)} {marks}".strip().replace("-", "−")
