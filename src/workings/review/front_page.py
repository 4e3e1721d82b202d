"""The first page: what is asked, the answer, what binds, what it costs, who signs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from workings.document.blocks import Block, Heading, Items, Note, Prose, Strong, Text
from workings.planning.bound import FALLING
from workings.planning.unfollowed import taken, unfollowed
from workings.review.cases import cases
from workings.review.constraints import MOST, Constraint, binding
from workings.review.desk import Cell, Desk, working_of
from workings.review.naming import again, mesh, zero_stage
from workings.review.numbers import (
    asked,
    large,
    percent,
    words,
)
from workings.review.outlook import beside_published, contention, expected, how_sure, took_place
from workings.review.verdict import Verdict


def front_page(desk: Desk, verdict: Verdict, advice: str = "") -> Iterator[Block]:
    """Everything that is read before signing; `advice` is what is recommended."""
    cover = desk.job.cover
    decision = cover.decision or f"Shall {desk.job.name} be trained as laid out below?"
    yield Prose((Strong((Text("Decision asked for."),)), Text(f" {decision}")))
    yield Prose((Strong((Text("What is trained."),)), *words(f" {_what(desk)}")))
    conditions = tuple((Prose(words(c)),) for c in verdict.conditions)
    said = f"{verdict.reason[0].upper()}{verdict.reason[1:]}. {expected(desk)}"
    more = (
        took_place(desk, verdict.word), beside_published(desk), taken(desk.job.noted),
        unfollowed(desk.job.noted),
        contention(desk), advice, _rule(desk),
    )  # fmt: skip
    inside: tuple[Block, ...] = (
        Prose(words(said)), *((Items(conditions),) if conditions else ()),
        *(Prose(words(text)) for text in more if text),
    )  # fmt: skip
    kind = {"GO": "takeaway", "GO IF": "note", "NO-GO": "warning"}[verdict.word]
    yield Note(kind, (Text(verdict.said),), inside)
    yield _binding(desk, verdict)
    yield cases(desk)
    yield Prose(words(how_sure(desk)))
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
        f"{int(v['b']):,} a step, on {_where(v)}, ZeRO stage {zero_stage(v)}"
        f"{host}, micro-batches of {size}, {again(v)} computed again."
    )


def _where(v: Mapping[str, Fraction]) -> str:
    return f"{int(v['n']):,} devices: {mesh(v)}" if v["n"] > 1 else "one device"


def _large(value: Fraction) -> str:
    found = large(value)
    return found.number if found.unit == "1" else f"{found.number} {found.unit}"


def _rule(desk: Desk) -> str:
    """What the word above stands for."""
    go, if_ = percent(desk.job.limit), percent(desk.job.limit_if)
    limits = [asked(result, limit) for result, limit in desk.bounds.items() if result != "u_M"]
    run = " and ".join(limits) + " for the run" if limits else "none on days, cost or MFU"
    if "M" in desk.measured:
        return f"GO is about limits: {if_} of the memory for a measured peak; {run}."
    return f"GO is about limits: {go} of the memory as assumed, {if_} at worst; {run}."


def _binding(desk: Desk, verdict: Verdict) -> Block:
    found = binding(verdict.constraints)
    rows: list[tuple[Cell, ...]] = [
        (
            c.holds,
            c.name,
            _how_much(c),
            c.words,
            working_of(c.letter) if c.letter in desk.plan.by_letter else "",
        )
        for c in found
    ]
    caption = "What binds: the tightest limit, what would shorten a step most, what stops growth"
    if len(found) > MOST:
        caption += "; and further limits that are passed"
    head = ("holds back", "constraint", "how much", "here", "worked")
    return desk.table("binding", caption, "llrwr", head, rows)


def _how_much(one: Constraint) -> str:
    """What a step would save, or the share of a limit that is taken."""
    if one.kind == "speed":
        return f"{percent(one.used)} saved"
    if one.letter in FALLING:
        return f"{percent(1 / one.used)} of it reached"
    return f"{percent(one.used)} of it" if one.used <= 1 else f"{percent(one.used - 1, 2)} above it"


def _identity(desk: Desk) -> Block:
    """Owner, date, version, and what was read."""
    cover = desk.job.cover
    said = ", ".join(f"{k} {getattr(cover, k) or 'not given'}" for k in ("version", "date", "owner"))
    hashes = "; ".join(f"{name} {digest[:8]}" for name, digest in sorted(desk.job.hashes.items()))
    read = f" Read (SHA-256): {hashes}." if hashes else ""
    return Prose((Strong((Text("This document:"),)), Text(f" {said}.{read}")))


def _signatures(desk: Desk) -> Block:
    head = tuple(f"{role}: name, date" for role in ("proposed by", "reviewed by", "approved by"))
    return desk.table("signatures", "Signatures", "www", head, [(" ",) * len(head)])


def heading(text: str, level: int = 2) -> Heading:
    """A heading of words."""
    return Heading(level, (Text(text),))
