"""Practices of text 001: shares of a sequence, chunks of a pipeline, and micro-batches."""

from __future__ import annotations

from fractions import Fraction

from workings.planning.decision.choosing import FULLEST, Layout, divisors
from workings.planning.decision.step import DecisionStep, Tried, answer

STAGES = 4  # from which the text asks for several chunks
FEW, MANY = 4, 8  # micro-batches a stage


def shares(layout: Layout, number: int) -> tuple[Layout, DecisionStep]:
    """Sequence parallelism with every tensor parallelism."""
    t = layout.given["t"]
    chosen = layout.with_({"z_s": 1}) if t > 1 else layout
    outcome = "sequence parallelism beside it" if t > 1 else "no sequence parallelism"
    return chosen, DecisionStep(
        number, "practice", "Is there tensor parallelism?", "tensor-parallel degree", "t", t, Fraction(2),
        answer(t > 1), outcome, {"z_s": chosen.given["z_s"]}, "wanted 2 or more",
        "the text's practices ask for it with every tensor parallelism; its tree names it with long "
        "sequences",
    )  # fmt: skip


def chunks(layout: Layout, number: int) -> tuple[Layout, DecisionStep]:
    """Two chunks a rank from four stages on, where blocks, micro-batches and memory allow it."""
    p, chosen = layout.given["p"], layout
    outcome = "one chunk a rank"
    if p >= STAGES:
        two = layout.with_({"v": 2})
        if not two.runs() or two.worth("m/p").denominator != 1:
            outcome += ": two take no whole number of blocks or turns"
        elif layout.fits(FULLEST) and not two.fits(FULLEST):
            outcome += ": two do not fit"
        else:
            chosen, outcome = two, "two chunks a rank"
    question = "Is the pipeline at least four stages long?"
    return chosen, DecisionStep(
        number, "practice", question, "pipeline stages", "p", p, Fraction(STAGES), answer(p >= STAGES),
        outcome, {"v": chosen.given["v"]}, f"wanted {STAGES} or more",
        "the text's configuration has two chunks",
    )  # fmt: skip


def micro_batches(layout: Layout, number: int) -> tuple[Layout, DecisionStep]:
    """The smallest micro-batch with which at most eight a stage remain."""
    m, p = layout.worth("m"), layout.given["p"]
    question, measure = "Are there four to eight micro-batches a stage?", "micro-batches of a replica"
    if p == 1:
        outcome = "micro-batches of one sequence, as there is no pipeline"
        return layout, DecisionStep(
            number, "practice", question, measure, "m", m, None, "yes", outcome, {}
        )
    chosen, tried = _larger(layout, m, p)
    there, b_m = chosen.worth("m"), chosen.given["b_m"]
    size = "one sequence" if b_m == 1 else f"{b_m} sequences"
    outcome = f"{there} micro-batches of {size}"
    if there < FEW * p:
        outcome += ": the batch has no more"
    elif there > MANY * p:
        outcome += ": larger ones do not fit"
    return chosen, DecisionStep(
        number, "practice", question, measure, "m", m, MANY * p, answer(FEW * p <= m <= MANY * p),
        outcome,
        {"b_m": b_m}, f"wanted {FEW * p} to {MANY * p}",
        "the smallest micro-batch in the range holds the least memory", tried,
    )  # fmt: skip


def _larger(layout: Layout, m: Fraction, p: Fraction) -> tuple[Layout, tuple[Tried, ...]]:
    """Micro-batches made larger until there are few enough, or they would not fit."""
    tried: list[Tried] = []
    chosen = layout
    turns = p if layout.given["v"] > 1 else Fraction(1)
    sizes = divisors(m) if m > MANY * p else []
    for size in sizes:
        there = layout.with_({"b_m": size})
        if m / size < FEW * p or (m / size) % turns or not there.runs():
            continue
        if not there.fits(FULLEST):
            break
        chosen = there
        tried.append(Tried("b_m", Fraction(size), m / size, m / size <= MANY * p))
        if tried[-1].enough:
            break
    return chosen, tuple(tried)
