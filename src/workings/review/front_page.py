"""The first page: what is asked, the answer, what binds, what it costs, who signs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from workings.document.blocks import Block, Heading, Items, Note, Prose, Strong, Text
from workings.planning.accuracy import (
    MEDIAN_ERROR,
    MEDIAN_WITH_DEFAULTS,
    RUNS,
    SHARDED_TOO_FAST,
    WITHIN_15,
)
from workings.review.desk import Cell, Desk, number, percent, plain_number, working_of
from workings.review.verdict import Verdict

DAY = Fraction(86400)
AXES = (("TP", "t"), ("CP", "c"), ("PP", "p"), ("EP", "e"), ("DP", "d"))


def front_page(desk: Desk, verdict: Verdict, standing: str = "") -> Iterator[Block]:
    """Everything that is read before signing; `standing` is where the layout stands among others."""
    cover = desk.job.cover
    decision = cover.decision or f"Shall {desk.job.name} be trained as laid out below?"
    yield Prose((Strong((Text("Decision asked for."),)), Text(f" {decision}")))
    yield Prose((Strong((Text("What is trained."),)), Text(f" {_what(desk)}")))
    conditions = tuple((Prose((Text(c),)),) for c in verdict.conditions)
    said = f"{verdict.reason[0].upper()}{verdict.reason[1:]}. {standing}".strip()
    inside: tuple[Block, ...] = (Prose((Text(said),)),)
    kind = {"GO": "takeaway", "GO IF": "note", "NO-GO": "warning"}[verdict.word]
    yield Note(kind, (Text(verdict.word),), (*inside, *((Items(conditions),) if conditions else ())))
    yield _binding(desk, verdict)
    yield _cases(desk)
    yield Prose((Text(_how_sure()),))
    yield from _ignored(desk)
    yield _identity(desk)
    yield _signatures(desk)


def _what(desk: Desk) -> str:
    """Model, run, devices and layout in a sentence."""
    v = desk.base
    between = max(Fraction(0), v["p"] - 2)
    parameters = v["t"] * (v["P_first"] + v["P_last"] * v["x_p"] + v["P_mid"] * between)
    parameters += v["L"] * v["P_be"]
    axes = " · ".join(f"{name} {int(v[n])}" for name, n in AXES if v[n] > 1) or "no axis"
    stage = int(v["z_1"] + v["z_2"] + v["z_3"])
    again = "blocks" if v["z_f"] else "attention's scores" if v["z_c"] else "nothing"
    run = f" on {_large(v['T_tok'])} tokens" if v["T_tok"] else ""
    return (
        f"A model of about {_large(parameters)} parameters{run}, sequences of {int(v['s']):,} tokens, "
        f"{int(v['b']):,} a step, on {int(v['n']):,} devices: {axes}, ZeRO stage {stage}, micro-batches "
        f"of {int(v['b_m'])}, {again} computed again."
    )


def _large(value: Fraction) -> str:
    """A count in words: 33.7 billion."""
    for scale, word in ((10**12, "trillion"), (10**9, "billion"), (10**6, "million")):
        if value >= scale:
            return f"{plain_number(value / scale, 3)} {word}"
    return plain_number(value, 3)


def _how_sure() -> str:
    """What the model's errors have been."""
    fast = " to ".join(percent(share, 2) for share in SHARDED_TOO_FAST)
    return (
        f"Beside {RUNS} published step times the model was off by {percent(MEDIAN_ERROR, 2)} in the "
        f"median ({percent(MEDIAN_WITH_DEFAULTS, 2)} with one efficiency of attention for every kernel), "
        f"and within 15 % for {percent(WITHIN_15, 2)} of them; sharded data parallelism on H100 as "
        f"PyTorch runs it came out {fast} too fast (reports/validation)."
    )


def _ignored(desk: Desk) -> Iterator[Block]:
    """What the inputs say and the model has no letter for."""
    found = [n for n in desk.job.noted if n.remark in ("ignored", "contradicts")]
    if found:
        named = ", ".join(dict.fromkeys(n.key for n in found[:6]))
        more = f" and {len(found) - 6} more" if len(found) > 6 else ""
        yield Prose((Text(f"Not taken into account or contradicted, see Inputs: {named}{more}."),))


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
