"""What a job with experts comes to if its router balances less than is assumed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from workings.document.blocks import Block
from workings.review.answer import answer
from workings.review.desk import Cell, Desk
from workings.review.numbers import number, plain_number, spent
from workings.units import BYTE, SECOND

# Tokens of the busiest rank over the mean: of learned routers over 64 ranks in the mean and at worst
# (marin-community/marin, issue 7668), and of Qwen3-235B late in its training (arXiv 2606.04101).
MEASURED = (Fraction(13, 10), Fraction(2), Fraction(29, 10))


def routing(desk: Desk) -> Iterator[Block]:
    """A row for each published balance that is worse than the job's; nothing where its step is known."""
    worse = [value for value in MEASURED if value > desk.base["lambda"]]
    if not desk.base["E"] or "T_step" in desk.known or not worse:
        return
    of_run = ["days", "cost"][: len(desk.of_run)]
    head = ("busiest over mean", "memory", "step", *of_run, "answer on the limits")
    caption = (
        "The same at P50 if the busiest rank of experts has so many times the mean of tokens, as learned "
        "routers had: in the mean of 64 ranks and at worst (marin-community/marin, issue 7668), and late "
        "in training (arXiv 2606.04101)"
    )
    rows = [_row(desk, value) for value in (desk.base["lambda"], *worse)]
    yield desk.table("routing", caption, "r" * (len(head) - 1) + "l", head, rows, bold=(0,))


def _row(desk: Desk, balance: Fraction) -> tuple[Cell, ...]:
    figure = replace(desk.job.figures["lambda"], value=balance, low=None, high=None)
    job = replace(desk.job, figures={**desk.job.figures, "lambda": figure})
    there = desk if balance == desk.base["lambda"] else Desk(job, desk.plan)
    memory, step = there.likely("M").middle, there.likely("T_step").middle
    run = (spent(letter, there.likely(letter).middle) for letter in desk.of_run)
    return plain_number(balance), number(memory, BYTE), number(step, SECOND), *run, answer(there)
