"""The first page: what is asked, the answer, what binds, what it costs, who signs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from workings.document.blocks import Block, Heading, Items, Note, Prose, Strong, Text
from workings.review.desk import Cell, Desk, number, percent, plain_number, working_of
from workings.review.verdict import Verdict

DAY = Fraction(86400)


def front_page(desk: Desk, verdict: Verdict) -> Iterator[Block]:
    """Everything that is read before signing."""
    cover = desk.job.cover
    decision = cover.decision or f"Shall {desk.job.name} be trained as laid out below?"
    yield Prose((Strong((Text("Decision asked for."),)), Text(f" {decision}")))
    conditions = tuple((Prose((Text(c),)),) for c in verdict.conditions)
    inside: tuple[Block, ...] = (Prose((Text(f"{verdict.reason[0].upper()}{verdict.reason[1:]}."),)),)
    kind = {"GO": "takeaway", "GO IF": "note", "NO-GO": "warning"}[verdict.word]
    yield Note(kind, (Text(verdict.word),), (*inside, *((Items(conditions),) if conditions else ())))
    yield _binding(desk, verdict)
    yield _cases(desk)
    yield _identity(desk)
    yield _signatures(desk)


def _binding(desk: Desk, verdict: Verdict) -> Block:
    rows: list[tuple[Cell, ...]] = [
        (
            c.name,
            percent(c.used),
            c.words,
            working_of(c.letter) if c.letter in desk.plan.by_letter() else "",
        )
        for c in verdict.constraints[:3]
    ]
    return desk.table("binding", "The three constraints that bind most", "lrwr",
                      ("constraint", "used", "what", "worked"), rows)  # fmt: skip


def _cases(desk: Desk) -> Block:
    """Memory, step time, days and cost: low, base, high."""
    rows: list[tuple[Cell, ...]] = []
    for name, letter in (
        ("memory of the fullest rank", "M"), ("step time", "T_step"),
    ):  # fmt: skip
        unit = desk.plan.named(letter).unit
        cells = [number(v[letter], unit) for v in (desk.low, desk.base, desk.high)]
        rows.append((name, *cells, working_of(letter)))
    cases = (desk.low, desk.base, desk.high)
    rows.append(("tokens per second", *(plain_number(v["R_s"], 4) for v in cases), working_of("R_s")))
    rows.append(("model FLOPs utilization", *(percent(v["u"]) for v in cases), working_of("u")))
    if desk.base["T_tok"]:
        days = [number(v["T_run"] / DAY, desk.plan.letters["t"].dimension)
                for v in (desk.low, desk.base, desk.high)]  # fmt: skip
        rows.append(("days of the run", *days, working_of("T_run")))
    if desk.base["T_tok"] and desk.base["c_d"]:
        unit = desk.plan.named("c_run").unit
        costs = [number(v["c_run"], unit) for v in (desk.low, desk.base, desk.high)]
        rows.append(("cost of the run", *costs, working_of("c_run")))
    caption = "What it comes to: low and high with every assumption at one end of its range"
    return desk.table("cases", caption, "lrrrr", ("", "low", "base", "high", "worked"), rows)


def _identity(desk: Desk) -> Block:
    cover = desk.job.cover
    rows: list[tuple[Cell, ...]] = [
        ("owner", cover.owner or "not given"), ("date", cover.date or "not given"),
        ("version", cover.version or "not given"),
    ]  # fmt: skip
    rows += [(f"SHA-256 of {name}", digest[:16]) for name, digest in sorted(desk.job.hashes.items())]
    return desk.table("identity", "This document", "ll", ("", ""), rows)


def _signatures(desk: Desk) -> Block:
    rows: list[tuple[Cell, ...]] = [
        (role, "", "") for role in ("proposed by", "reviewed by", "approved by")
    ]
    return desk.table("signatures", "Signatures", "lll", ("", "name", "date and signature"), rows)


def heading(text: str, level: int = 2) -> Heading:
    """A heading of words."""
    return Heading(level, (Text(text),))
