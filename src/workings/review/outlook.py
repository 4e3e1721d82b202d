"""What the answers ask of the odds, what is known of this very run, and how busy the network is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from workings.planning.accuracy import spread
from workings.planning.flows import HOST, flows
from workings.planning.utilization import OF_COUNT, in_words, recounted
from workings.planning.working import shown
from workings.review.answer import by_odds, limited
from workings.review.desk import Desk
from workings.review.likelihood import in_hundredths
from workings.review.numbers import DAY, percent, plain_number, spent
from workings.units import BYTE, FLOP, SECOND

UNKNOWN = "devices of a generation that their name does not tell"
TOLD_APART = Fraction(1, 20)  # of all runs, by which fewer keep two limits than the harder of them
BUSY = Fraction(1, 2)  # share of a step from which on what else uses a link lengthens it
ROUNDED = Fraction(1, 200)  # by which a share differs that is printed in whole per cent
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
    least, _, most = desk.published["T_step"]
    takes = str(shown(least, SECOND))
    if least < most:
        takes += f" or {shown(most, SECOND)}, as its source does not say how it counts attention"
    which = "the longer" if least < most else "that"
    said = f"By what was published of it a step takes {takes}{run}: plan with {which}."
    others, ours = spread(desk.runs), desk.base["T_step"]
    if others is None or any(others.least <= end / ours <= others.most for end in (least, most)):
        return said
    return (f"{said} Of 100 published runs on {on(desk)} fewer than 20 lie so far off: the model does "
            "not know this run, or is not told all of it.")  # fmt: skip


def _run(desk: Desk) -> str:
    """P50 of days and cost in words, behind a step."""
    found = [
        " or ".join(spent(letter, at.middle) for at in desk.outcome.by_reading(letter))
        for letter in desk.of_run
    ]
    return f", the run {' and '.join(found)} (P50)" if found else ""


def on(desk: Desk) -> str:
    """The devices that a job shares with the runs that are evidence for it."""
    generation, precision = desk.device
    return f"{generation or UNKNOWN} at {precision} precision"


GO_ASKS = (
    "GO asks that 90 keep each limit and no layout is likely to be faster; GO IF that 50 do (of memory "
    "10); all else is NO-GO."
)


def on_odds(desk: Desk) -> str:
    """What P10, P50 and P90 are, what the answers ask of them, and the price."""
    said = ["Of 100 such runs 10, 50 and 90 lie below P10, P50 and P90 (see Odds).", GO_ASKS]
    if desk.took_place and "M" not in desk.known:
        said.append("A run that took place fits.")
    if desk.read_in_two_ways:
        said.append(
            "Of the step, days and cost P10 is by the shorter reading, P90 by the longer; of MFU the "
            "other way round."
        )
    said += filter(None, [_together(desk)])
    if "c_run" in desk.of_run:
        drawn = "" if desk.figures["c_d"].sure else "; costs are drawn from that range"
        said.append(f"The price is {_price(desk)}{drawn}.{_reserved(desk)}")
    return " ".join(said)


def _together(desk: Desk) -> str:
    """How many keep all limits: days, cost and MFU hang on one step, memory on none."""
    limits = limited(desk)
    if not limits or "M" in desk.known or desk.took_place:
        return ""
    found = desk.outcome
    fits = found.chance("u_M", desk.job.limit_if)
    runs = min(found.chance(letter, limit) for letter, limit in limits.items())
    if fits * runs > min(fits, runs) - TOLD_APART:
        return ""
    sources = min(map(found.number_of_sources, ("M", "T_step")))
    said = in_hundredths(fits * runs, sources)
    return f"Of 100 {said} keep the limits on memory and on the run, if these are independent."


def _reserved(desk: Desk) -> str:
    """What all devices cost for as long as the run may take."""
    limit, most = desk.job.max_time, desk.job.max_cost
    if limit is None:
        return ""
    rate = desk.base["n"] * desk.base["c_d"]
    held = ""
    if most is not None and rate * limit > most:
        held = f", more than is allowed: they can be held for {plain_number(most / rate / DAY)} days"
    cost = spent("c_run", rate * limit)
    return f" All devices for the {plain_number(limit / DAY)} days allowed cost {cost}{held}."


def _price(desk: Desk) -> str:
    """What the cost is reckoned with, where that may lie, and whether the job says it."""
    price = desk.job.figures["c_d"]
    ends = [plain_number(end * 3600) for end in (price.low, price.high) if end is not None]
    value = f"{plain_number(price.value * 3600)} USD/h"
    assumed = ["assumed"] * (price.kind == "assumed")
    return ", ".join([value, *[" to ".join(ends)] * bool(ends), *assumed])


def beside_published(desk: Desk) -> str:
    """What was published of this very run, and what the model says of it by the source's own count."""
    told = desk.job.published
    if not told.values:
        return ""
    theirs, ours = [], []
    for letter, value in told.values.items():
        name, printed = PUBLISHED[letter]
        theirs.append(f"{name} {printed(value)}".strip())
        counts = told.counts if letter in OF_COUNT and told.counts else (None,)
        rates = (recounted(desk.plan, desk.job.values(), letter, share) for share in counts)
        ours.append(" or ".join(map(printed, rates)))
    by = f" ({told.source})" if told.source else ""
    counted = ""
    if desk.base["z_h"] and told.values.keys() & set(OF_COUNT):
        counted = f", read with {' or '.join(map(in_words, told.counts))}"
    said = f"Published of this run{by}: {', '.join(theirs)}{counted}; the model says {', '.join(ours)}."
    return said + _of_another_peak(desk) + _by_others(desk)


def _of_another_peak(desk: Desk) -> str:
    """That a published rate and MFU are not of the same peak, where both are told."""
    told = desk.job.published.values
    if not {"u", "C_u"} <= told.keys():
        return ""
    share = told["C_u"] / desk.base["C"]
    if abs(share - told["u"]) <= ROUNDED:
        return ""
    rate, peak = (shown(value, FLOP / SECOND) for value in (told["C_u"], desk.base["C"]))
    return f" By the data sheet's {peak} its {rate} are {percent(share)}, not {percent(told['u'])}."


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


def at_fault(desk: Desk) -> str:
    """What is to be made of a run that took place though by the odds it would not fit."""
    if not desk.took_place or by_odds(desk, "u_M") != "NO-GO":
        return ""
    why = desk.job.published.why or "Nobody has said why (published.why in the job)"
    return f"Of its memory the model or its input is at fault. {_ended(why)}"


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
