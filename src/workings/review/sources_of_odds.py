"""What the odds of a review are drawn from, and when they do not apply."""

from __future__ import annotations

from collections.abc import Iterator

from workings.planning.accuracy import (
    FAR,
    FEW,
    Evidence,
    alike,
    evidence,
    kind,
    peaks,
    step_times,
)
from workings.planning.frameworks import FRAMEWORKS
from workings.planning.odds import BESIDE, deciles, of_range
from workings.planning.pairs import pair_error
from workings.review.desk import Desk
from workings.review.likelihood import RESULTS
from workings.review.numbers import percent, plain_number
from workings.review.outlook import on

KINDS = {"sharded": "that shard gradients", "experts": "with experts",
         "plain": "without experts or sharded gradients"}  # fmt: skip
# Of 100, by `python benchmarks/heldout.py --left-out`.
LEFT_OUT = {"T_step": 82, "M": 81}
FORCED = (
    "Most published mixtures had their routers balanced by force, as benchmarks do. With learned routing "
    "steps took 1.09 to 1.25 times as long (Megatron-MoE-ModelZoo, Qwen3-235B on H100, sequences of "
    "131,072 to 16,384 tokens), 1.5 times in the mean of three models late in their training (arXiv "
    "2606.04101, 64-way experts; its balancer won back nearly all), and without a loss that balances "
    "2.2 times at the end of 130 steps (marin-community/marin, issue 7668, on GB200)."
)
DRAWN = (
    ("goodput", "gamma", percent), ("number of tokens", "T_tok", plain_number),
    ("price", "c_d", lambda value: f"{plain_number(value * 3600)} USD/h"),
)  # fmt: skip
MOST_WEAK = 3  # parts of a layout that are named as little seen


def how_sure(desk: Desk) -> str:
    """What the odds are drawn from: published runs, what is known of this one, or assumptions."""
    results = [result for result in RESULTS if result not in desk.known]
    said = []
    if told := [_told(desk, result) for result in results if desk.outcome.evidence(result)]:
        said.append("The odds are the model's figure times what published runs took over what it says of "
                    f"them, each source counting alike: {' and '.join(told)}.")  # fmt: skip
    if "T_step" in desk.known:
        ends = "; P10 is that of its shorter reading, P90 that of its longer" * desk.read_in_two_ways
        said.append(f"The step is that of this very run{ends}.")
    if desk.took_place and "M" not in desk.known:
        said.append("It took place, so the odds of memory decide nothing: they test the model.")
    if guessed := [_assumed(desk, result) for result in results if not desk.outcome.evidence(result)]:
        said += [*guessed, "Measure a few steps first."]
    less = percent(pair_error() / (1 + pair_error()), 2)
    said.append(
        f"A layout is GO IF where another is likely to be faster: it takes over {less} less time, which "
        "the model can tell, and is the faster in 75 of 100 cases. It is NO-GO where it is so in 90, and "
        "the other is GO on memory and has nothing that few published runs had. A case is a pair of "
        "published runs of one model by the same people, and how far off the model had one beside the "
        "other."
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
    return (f"Days and cost rest on assumed ranges too, not on published runs: {' and '.join(told)}; so "
            "their P50 is not the product of the values of their parts.")  # fmt: skip


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
