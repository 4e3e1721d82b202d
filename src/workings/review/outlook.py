"""What the first page's odds rest on, what is known of this very run, and what the model leaves out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from workings.planning.accuracy import (
    FAR,
    FEW,
    Evidence,
    alike,
    evidence,
    kind,
    peaks,
    spread,
    step_times,
)
from workings.planning.flows import HOST, flows
from workings.planning.frameworks import FRAMEWORKS
from workings.planning.odds import BESIDE, deciles, of_range
from workings.planning.pairs import pair_error
from workings.planning.utilization import OF_COUNT, in_words, recounted
from workings.planning.working import shown
from workings.review.desk import Desk
from workings.review.likelihood import RESULTS
from workings.review.numbers import percent, plain_number, spent
from workings.units import BYTE, FLOP, SECOND

UNKNOWN = "devices of a generation that their name does not tell"
KINDS = {"sharded": "that shard their weights", "experts": "with experts",
         "plain": "without experts or sharded weights"}  # fmt: skip
# Of 100, by `python benchmarks/heldout.py --left-out`.
LEFT_OUT = {"T_step": 79, "M": 77}
FORCED = (
    "Most published mixtures had their routers balanced by force, as benchmarks do: learned routing has "
    "cost 8 to 20 % (Megatron-MoE-ModelZoo, Qwen3-235B on H100) and, without a loss that balances, up to "
    "55 % (marin-community/marin, issue 7668, 64-way experts on GB200)."
)
DRAWN = (
    ("goodput", "gamma", percent), ("number of tokens", "T_tok", plain_number),
    ("price", "c_d", lambda value: f"{plain_number(value * 3600)} USD/h"),
)  # fmt: skip
MOST_WEAK = 3  # parts of a layout that are named as little seen
BUSY = Fraction(1, 2)  # share of a step from which on what else uses a link lengthens it
# Results that are published: their name, and how they are printed.
PUBLISHED: Mapping[str, tuple[str, Callable[[Fraction], str]]] = {
    "T_step": ("a step of", lambda value: str(shown(value, SECOND))),
    "M": ("a peak of", lambda value: str(shown(value, BYTE))),
    "C_u": ("a device does", lambda value: str(shown(value, FLOP / SECOND))),
    "u": ("an MFU of", percent),
    "R_s": ("", lambda value: f"{plain_number(value, 4)} tokens a second"),
}


def known_step(desk: Desk) -> str:
    """A step and the run as measured or published of this very run, beside the model; else nothing."""
    if "T_step" not in desk.known:
        return ""
    run = _run(desk)
    if (measured := desk.measured.get("T_step")) is not None:
        model = shown(desk.base["T_step"], SECOND)
        return f"A step was measured to take {shown(measured, SECOND)}{run}; the model says {model}."
    published = desk.published["T_step"]
    said = f"By what was published of it a step takes {shown(published, SECOND)}{run}: plan with that."
    others = spread(desk.runs)
    if others is None or others.least <= published / desk.base["T_step"] <= others.most:
        return said
    return (f"{said} Of 100 published runs on {on(desk)} fewer than 20 lie so far off: the model does "
            "not know this run, or is not told all of it.")  # fmt: skip


def _run(desk: Desk) -> str:
    """P50 of days and cost in words, behind a step."""
    found = [spent(letter, desk.likely(letter).middle) for letter in desk.of_run]
    return f", the run {' and '.join(found)} (P50)" if found else ""


def on(desk: Desk) -> str:
    """The devices that a job shares with the runs that are evidence for it."""
    generation, precision = desk.device
    return f"{generation or UNKNOWN} at {precision} precision"


GO_ASKS = (
    "GO asks that 90 keep each limit and no other layout may be faster by more than the model can tell; "
    "GO IF that 50 do (of memory 10, as a few steps show its peak); all else is NO-GO."
)


def on_odds(desk: Desk) -> str:
    """What P10, P50 and P90 are, what the answers ask of them, and the price."""
    said = ["Of 100 runs like this one 10, 50 and 90 lie below P10, P50 and P90 (see Odds).", GO_ASKS]
    if "c_run" in desk.of_run:
        said.append(f"The price is {_price(desk)}.")
    return " ".join(said)


def how_sure(desk: Desk) -> str:
    """What the odds are drawn from: published runs, what is known of this one, or assumptions."""
    results = [result for result in RESULTS if result not in desk.known]
    said = []
    if told := [_told(desk, result) for result in results if desk.outcome.evidence(result)]:
        said.append("The odds are the model's figure times what published runs took over what it says of "
                    f"them, each source counting alike: {' and '.join(told)}.")  # fmt: skip
    if "T_step" in desk.known:
        said.append("The step is that of this very run.")
    if guessed := [_assumed(desk, result) for result in results if not desk.outcome.evidence(result)]:
        said += [*guessed, "Measure a few steps first."]
    off = percent(pair_error(), 2)
    said.append(
        f"A layout is GO IF where another one is more than {off} faster at P50, and NO-GO where nine of "
        "ten runs of that one would be faster than half of this one's."
    )
    return " ".join(said)


def where_odds_fail(desk: Desk) -> Iterator[str]:
    """When the odds do not apply, what they are drawn from beside runs, and what was little seen."""
    if any(result not in desk.known for result in RESULTS):
        yield (f"With each source left out in turn, {LEFT_OUT['T_step']} of 100 step times and "
               f"{LEFT_OUT['M']} of 100 peaks lay from P10 to P90; most of these runs are what the "
               "model was fitted to. Devices of a family count alike (H100, H200 and H800; GB200 and "
               "GB300).")  # fmt: skip
    if desk.base["E"] and "T_step" not in desk.known:
        yield FORCED
    if drawn := _drawn(desk):
        yield drawn
    if little := _little_seen(desk):
        yield little


def _drawn(desk: Desk) -> str:
    """The assumed ranges that days and cost are drawn from, beside the step."""
    drawn = {letter for result in desk.of_run for letter in BESIDE[result]}
    told = []
    for name, letter, unit in DRAWN:
        figure = desk.figures[letter]
        if letter in drawn and not figure.sure:
            ends = [unit(end) for end in sorted(figure.value * e for e in deciles(of_range(figure)))]
            told.append(f"a {name} of {unit(figure.value)} (eight of ten times {ends[0]} to {ends[2]}, "
                        f"{ends[1]} in the middle)")  # fmt: skip
    if not told:
        return ""
    return (f"Days and cost rest on assumed ranges too, which no run tells: {' and '.join(told)}; so "
            "their P50 is not the product of the values of their parts.")  # fmt: skip


def _price(desk: Desk) -> str:
    """What the cost is reckoned with, where that may lie, and whether the job says it."""
    price = desk.job.figures["c_d"]
    ends = [plain_number(end * 3600) for end in (price.low, price.high) if end is not None]
    value = f"{plain_number(price.value * 3600)} USD/h"
    assumed = ["assumed"] * (price.kind == "assumed")
    return ", ".join([value, *[" to ".join(ends)] * bool(ends), *assumed])


def _told(desk: Desk, result: str) -> str:
    """The runs that tell a result's odds, and the odds as multiples of what the model says."""
    runs = desk.outcome.evidence(result)
    sources = len({run.source for run in runs})
    what = f"step times on {on(desk)}{_kind(desk)}"
    if result == "M":
        own = all(run.program == desk.job.framework for run in runs)
        what = f"measured peaks {_at(desk)}{_by(desk) if own else ''}"
    if desk.carried(result):
        what += ", each told by another run of its model on its page,"
    from_ = f"{sources} sources" if sources > 1 else "one source"
    floor = result == "T_step" and any(run.ratio == desk.at_peak for run in runs)
    peak = ", none counted as shorter than this job's FLOPs take at the peak" if floor else ""
    return f"{len(runs)} {what} from {from_} ({_times(desk, result)} times){peak}"


def _at(desk: Desk) -> str:
    """Of which peaks the odds of memory are: they hang on the device where a compiler places all."""
    tpus = " on TPUs" if desk.device[0].startswith("TPU") else ""
    return f"at {desk.device[1]} precision{tpus}"


def _times(desk: Desk, result: str) -> str:
    ends = zip(("P10", "P50", "P90"), desk.outcome.ends(result), strict=True)
    return ", ".join(f"{name} {float(end):.3f}" for name, end in ends)


def _assumed(desk: Desk, result: str) -> str:
    """That odds are assumed where too few runs were published, and within which ends."""
    every = len(peaks() if result == "M" else step_times())
    count = len(desk.peaks if result == "M" else desk.runs)
    what, noun = ("memory", "peak") if result == "M" else ("a step", "step time")
    few = f"only {count}" if count else "no"
    where = _at(desk) if result == "M" else f"on {on(desk)}"
    known = f"{noun}{'s' * (count != 1)} {where} {'is' if count == 1 else 'are'} known here"
    return (f"The odds of {what} are assumed, as {few} published {known}: {_times(desk, result)} times "
            f"what the model says, the ends of the assumptions or of all {every} published {noun}s, "
            "whichever lie further apart.")  # fmt: skip


def _little_seen(desk: Desk) -> str:
    """The parts of this layout that few runs on such devices had, the furthest off first."""
    every = alike(step_times(), *desk.device)
    if "T_step" in desk.known or desk.carried("T_step") or not every:
        return ""
    weak = [
        one for one in evidence(every)
        if (one.rows < FEW or abs(one.alike) > FAR) and one.feature.holds(desk.base)
    ]  # fmt: skip
    weak.sort(key=lambda one: (one.rows > 0, -abs(one.alike)))
    if not weak:
        return ""
    told = "; ".join(map(_weak, weak[:MOST_WEAK]))
    return f"Of all runs on such devices {told}. The odds are not corrected for it."


def _kind(desk: Desk) -> str:
    """What tells the runs of a step's odds from others on such devices."""
    if all(kind(run.values) == kind(desk.base) for run in desk.runs):
        own = desk.job.framework and all(run.program == desk.job.framework for run in desk.runs)
        return f"{_by(desk) if own else ''} {KINDS[kind(desk.base)]}"
    return ""


def _by(desk: Desk) -> str:
    return f" of {FRAMEWORKS[desk.job.framework].name} and what was made from it"


def _weak(one: Evidence) -> str:
    """What little a part of the model was checked on there."""
    if not one.rows:
        return f"none had {one.feature.name}"
    side = "short" if one.alike < 0 else "long"
    return f"{one.rows} had {one.feature.name}, predicted {percent(abs(one.alike), 2)} too {side}"


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
    said = f"Published of this run{by}: {', '.join(theirs)}{counted}; the model says {', '.join(ours)}."
    return said + _by_others(desk)


def _by_others(desk: Desk) -> str:
    """The odds of a step as they would be, were nothing published of this run."""
    found = spread(desk.runs)
    if found is None or "T_step" not in desk.published:
        return ""
    ends = ", ".join(
        f"{name} {shown(end * desk.base['T_step'], SECOND)}"
        for name, end in zip(("P10", "P50", "P90"), found, strict=True)
    )
    return f" By the model and other runs like it a step would take {ends}."


def took_place(desk: Desk, word: str) -> str:
    """What is to be made of a run that took place and is not GO."""
    told = desk.job.published
    if word == "GO" or not told.values:
        return ""
    if word == "GO IF":
        return ("This run took place, so it fits if it is laid out as here: the odds of memory test the "
                "model.")  # fmt: skip
    why = told.why or "Nobody has said why (published.why in the job)"
    fault = "the model or its input is at fault"
    return f"This run took place, so {fault}. {_ended(why)}"


def _ended(text: str) -> str:
    return f"{text[0].upper()}{text[1:].rstrip('.')}."


def contention(desk: Desk) -> str:
    """That the links between nodes are busy for most of a step, where nothing is left for others."""
    far = (flow for flow in flows(desk.base) if not flow.link.startswith(("node", "inside", HOST)))
    share = sum((flow.seconds for flow in far), Fraction(0)) / desk.expected("T_step")
    if share < BUSY:
        return ""
    return (
        f"The network between nodes is busy for {percent(share, 2)} of the step, hidden or not; other "
        "jobs on it and slow links, which the model leaves out, make it longer."
    )
