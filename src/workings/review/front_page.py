"""The first page: what is asked, the answer, what binds, what it costs, who signs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from workings.document.blocks import Block, Heading, Items, Note, Number, Prose, Strong, Text
from workings.planning.accuracy import (
    EVIDENCE,
    MEDIAN_ERROR,
    MEDIAN_WITH_DEFAULTS,
    MEMORIES,
    MEMORIES_WITHIN_5,
    RUNS,
    WITHIN_15,
    Evidence,
    likely,
)
from workings.planning.working import shown
from workings.review.constraints import MOST, binding
from workings.review.desk import Cell, Desk, working_of
from workings.review.naming import again, mesh, zero_stage
from workings.review.numbers import (
    DAY,
    alike,
    large,
    percent,
    plain_number,
    rate,
    words,
)
from workings.review.verdict import Verdict
from workings.units import BYTE, SECOND


def front_page(desk: Desk, verdict: Verdict, advice: str = "") -> Iterator[Block]:
    """Everything that is read before signing; `advice` is what is recommended."""
    cover = desk.job.cover
    decision = cover.decision or f"Shall {desk.job.name} be trained as laid out below?"
    yield Prose((Strong((Text("Decision asked for."),)), Text(f" {decision}")))
    yield Prose((Strong((Text("What is trained."),)), *words(f" {_what(desk)}")))
    conditions = tuple((Prose(words(c)),) for c in verdict.conditions)
    said = f"{verdict.reason[0].upper()}{verdict.reason[1:]}. {_step(desk)}"
    inside: tuple[Block, ...] = tuple(Prose(words(text)) for text in (said, advice, _rule(desk)) if text)
    kind = {"GO": "takeaway", "GO IF": "note", "NO-GO": "warning"}[verdict.word]
    yield Note(kind, (Text(verdict.word),), (*inside, *((Items(conditions),) if conditions else ())))
    yield _binding(desk, verdict)
    yield _cases(desk)
    yield Prose(words(_how_sure(desk)))
    yield from _ignored(desk)
    yield _identity(desk)
    yield _signatures(desk)


def _what(desk: Desk) -> str:
    """Model, run, devices and layout in a sentence."""
    v = desk.base
    outside = v["V"] * v["n_emb"] + v["n_pos"] + v["n_nf"] * (1 + v["beta_n"])
    parameters = v["L"] * (v["P_bd"] + v["P_be"]) + v["D"] * outside
    idle = v["L"] * v["P_be"] * (1 - v["k_E"] / v["E"]) if v["E"] else 0  # what a token does not use
    of_a_token = f" ({_large(parameters - idle)} of them active for a token)" if idle else ""
    run = f" on {_large(v['T_tok'])} tokens" if v["T_tok"] else ""
    host = f", {percent(v['x_off'])} of the optimizer state with the host" if v["x_off"] else ""
    size = "one sequence" if v["b_m"] == 1 else f"{int(v['b_m'])} sequences"
    return (
        f"A model of {_large(parameters)} parameters{of_a_token}{run}, "
        f"sequences of {int(v['s']):,} tokens, "
        f"{int(v['b']):,} a step, on {int(v['n']):,} devices: {mesh(v)}, ZeRO stage {zero_stage(v)}"
        f"{host}, micro-batches of {size}, {again(v)} computed again."
    )


def _large(value: Fraction) -> str:
    found = large(value)
    return found.number if found.unit == "1" else f"{found.number} {found.unit}"


def _how_sure(desk: Desk) -> str:
    """What the model's errors have been, and what of this layout it was little checked on."""
    said = (
        f"Beside {RUNS} published step times the model was off by {percent(MEDIAN_ERROR, 2)} in the "
        f"median ({percent(MEDIAN_WITH_DEFAULTS, 2)} with one efficiency of attention for every kernel), "
        f"and within 15 % for {percent(WITHIN_15, 2)} of them; of {MEMORIES} measured figures of memory "
        f"it had {MEMORIES_WITHIN_5} within 5 % (reports/validation)."
    )
    return " ".join((said, *(_weak(one) for one in EVIDENCE if one.weak and one.holds(desk.base))))


def _weak(one: Evidence) -> str:
    """What little a part of the model was checked on."""
    if not one.rows:
        return f"None of those runs had {one.name}."
    side = "short" if one.signed < 0 else "long"
    return (
        f"Of those runs {one.rows} had {one.name}, predicted {percent(abs(one.signed), 2)} too {side} in "
        "the median."
    )


def _ignored(desk: Desk) -> Iterator[Block]:
    """What the inputs say and the model has no letter for."""
    found = [n for n in desk.job.noted if n.remark in ("ignored", "contradicts")]
    if found:
        named = ", ".join(dict.fromkeys(n.key for n in found[:6]))
        more = f" and {len(found) - 6} more" if len(found) > 6 else ""
        yield Prose((Text(f"Not taken into account or contradicted, see Inputs: {named}{more}."),))


def _step(desk: Desk) -> str:
    """How long a step takes, and where it and the memory would lie by published runs."""
    least, most = (shown(end, SECOND, 3) for end in likely(desk.base, "T_step"))
    low, high = (shown(end, BYTE, 3) for end in likely(desk.base, "M"))
    return (
        f"A step takes {shown(desk.base['T_step'], SECOND)}. By published runs beside the model, eight "
        f"of ten lie within {least} to {most} a step and {low} to {high} of memory; the device "
        f"reports {shown(desk.base['M_dev'], BYTE)}."
    )


def _rule(desk: Desk) -> str:
    """What the word above stands for."""
    go, if_ = percent(desk.job.limit), percent(desk.job.limit_if)
    return f"GO speaks of limits, not of speed: {go} of the memory as assumed, {if_} at worst."


def _binding(desk: Desk, verdict: Verdict) -> Block:
    found = binding(verdict.constraints)
    rows: list[tuple[Cell, ...]] = [
        (
            c.holds,
            c.name,
            f"{percent(c.used)} {'saved' if c.kind == 'speed' else 'used'}",
            c.words,
            working_of(c.letter) if c.letter in desk.plan.by_letter() else "",
        )
        for c in found
    ]
    caption = "What binds: the tightest limit, what would shorten a step most, what stops growth"
    if len(found) > MOST:
        caption += "; and further limits that are passed"
    head = ("holds back", "constraint", "how much", "here", "worked")
    return desk.table("binding", caption, "llrwr", head, rows)


def _cases(desk: Desk) -> Block:
    """Memory, step time, days and cost: best, likely, base, likely, worst."""
    units = {letter: desk.plan.named(letter).unit for letter in ("M", "T_step", "c_run")}
    rows: list[tuple[Cell, ...]] = [
        (name, *alike(_five(desk, letter), units[letter], 4), working_of(letter))
        for name, letter in (("memory, fullest rank", "M"), ("step time", "T_step"))
    ]
    rows.append(("tokens a second", *map(rate, _five(desk, "R_s")), working_of("R_s")))
    rows.append(("MFU", *map(percent, _five(desk, "u")), working_of("u")))
    if desk.base["T_tok"]:
        runs = _five(desk, "T_run")
        hours = (_many(desk.base["n"] * seconds * 24 / DAY) for seconds in runs)
        rows.append(("days of the run", *(plain_number(s / DAY, 4) for s in runs), working_of("T_run")))
        rows.append(("device-hours", *hours, ""))
    if desk.base["T_tok"] and desk.base["c_d"]:
        costs = (_many(cost) for cost in _five(desk, "c_run"))
        rows.append(("cost, USD", *costs, working_of("c_run")))
    caption = (
        "What it comes to: every assumption at its best, as assumed, at its worst; and from … to, where "
        "eight of ten published runs lay beside what the model says of them"
    )
    head = ("", "best", "from", "base", "to", "worst", "worked")
    return desk.table("cases", caption, "lrrrrrr", head, rows)


def _five(desk: Desk, letter: str) -> list[Fraction]:
    """A result at its best, likely to be at best, as assumed, likely to be at worst, at its worst."""
    best, here, worst = (v[letter] for v in (desk.low, desk.base, desk.high))
    least, most = likely(desk.base, letter)
    return [best, least, here, most, worst]


def _many(value: Fraction) -> Number:
    """Hours or USD: in words from a million on, to four digits below."""
    found = large(value)
    return Number(rate(value)) if found.unit == "1" else found


def _identity(desk: Desk) -> Block:
    """Owner, date, version, and what was read."""
    cover = desk.job.cover
    said = ", ".join(f"{k} {getattr(cover, k) or 'not given'}" for k in ("version", "date", "owner"))
    hashes = "; ".join(f"{name} {digest[:16]}" for name, digest in sorted(desk.job.hashes.items()))
    read = f" Read, with the first digits of SHA-256: {hashes}." if hashes else ""
    return Prose((Strong((Text("This document:"),)), Text(f" {said}.{read}")))


def _signatures(desk: Desk) -> Block:
    head = tuple(f"{role}: name, date" for role in ("proposed by", "reviewed by", "approved by"))
    return desk.table("signatures", "Signatures", "www", head, [(" ",) * len(head)])


def heading(text: str, level: int = 2) -> Heading:
    """A heading of words."""
    return Heading(level, (Text(text),))
