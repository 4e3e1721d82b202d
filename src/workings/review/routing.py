"""What a job with experts comes to if its router balances less than is assumed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import floor

from workings.document.blocks import Block
from workings.planning.choice import at
from workings.planning.search import Option
from workings.planning.working import listed, shown
from workings.review import thresholds
from workings.review.alternatives import Alternatives
from workings.review.answer import answer, limited
from workings.review.desk import Cell, Desk
from workings.review.naming import mesh
from workings.review.numbers import DAY, number, plain_number
from workings.review.rival import rival
from workings.units import BYTE, SECOND

# Tokens of the busiest rank over the mean: of learned routers over 64 ranks in the mean and at worst, in
# the first of 130 steps on mock data (marin-community/marin, issue 7668), and of Qwen3-235B late in its
# training (arXiv 2606.04101).
MEASURED = (Fraction(13, 10), Fraction(2), Fraction(29, 10))
OF_RUN = {"T_run": ("days", DAY), "c_run": ("million USD", Fraction(10**6))}  # heads, and what is one


def routed(desk: Desk) -> str:
    """In a sentence, the answers on the limits at each published balance worse than the job's own."""
    worse = _worse(desk)
    if not worse:
        return ""
    own = plain_number(desk.base["lambda"])
    return (
        f"All this with {own} times the mean of tokens on the busiest rank of experts; with "
        f"{_answers(desk, worse)} on the limits{_last(desk)}."
    )


def routed_there(desk: Desk, option: Option) -> str:
    """The same of another layout, which is proposed."""
    worse, there = _worse(desk), Desk(at(desk.job, option), desk.plan)
    return f" {mesh(there.base)} with {_answers(there, worse)} on the limits." if worse else ""


def _answers(desk: Desk, worse: Sequence[Fraction]) -> str:
    there = [balanced(desk, value) for value in worse]
    alike = len({answer(one) for one in there}) == 1  # then the last, which holds most, tells of all
    told = there[-1:] if alike else there
    at_last = f" at {plain_number(worse[-1])}" if alike and worse[1:] else ""
    said = listed(f"{answer(one)}{'' if limited(desk) else _fits(one, at_last)}" for one in told)
    return (
        f"{listed(plain_number(value) for value in worse)} times the mean, as learned routers had: {said}"
    )


def _fits(desk: Desk, at_last: str) -> str:
    """The peak, the step, and who of 100 fits, where memory alone decides."""
    fit = desk.outcome.in_words("u_M", desk.job.limit_if)
    peak, step = shown(desk.likely("M").middle, BYTE, 3), shown(desk.likely("T_step").middle, SECOND, 3)
    return f" ({peak}, {step}{at_last}, {fit} of 100 fit)"


def _last(desk: Desk) -> str:
    """From which balance on the answer is NO-GO."""
    found = thresholds.of_input(desk, "lambda", words=("GO IF",))
    most = next((held.value for held in found if held.at_most), None)
    return "" if most is None else f", NO-GO above {float(floor(100 * most)) / 100:g}"


def routing(desk: Desk, found: Alternatives | None) -> Iterator[Block]:
    """A row for each such balance, with another layout beside it that is likely to be faster."""
    worse = _worse(desk)
    if not worse:
        return
    other = None
    if found is not None and found.option is not None and rival(desk, found) is not None:
        other = Desk(at(desk.job, found.option), desk.plan)
    of_run = [OF_RUN[letter][0] for letter in desk.of_run]
    beside = ["the other", "its step", "its answer"] if other else []
    head = ("busiest over mean", "memory", "step", *of_run, "answer", *beside)
    caption = (
        "P50 and the answer on the limits if the busiest rank of experts has so many times the mean of "
        "tokens, as learned routers had: on average and at worst of 64 ranks, in the first of 130 steps "
        "on mock data (marin-community/marin, issue 7668), and late in training (arXiv 2606.04101)"
    )
    if other:
        caption += "; then memory, step and answer of the layout that is proposed"
    rows = [_row(desk, other, value) for value in (desk.base["lambda"], *worse)]
    yield desk.table("routing", caption, "r" * len(head), head, rows, bold=(0,))


def balanced(desk: Desk, balance: Fraction) -> Desk:
    """The same with so many times the mean on the busiest rank, whatever was assumed of it."""
    if balance == desk.base["lambda"]:
        return desk
    figure = replace(desk.job.figures["lambda"], value=balance, low=None, high=None)
    return Desk(replace(desk.job, figures={**desk.job.figures, "lambda": figure}), desk.plan)


def _worse(desk: Desk) -> list[Fraction]:
    """Nothing without experts, or where the step is known, and with it how its router balanced."""
    if not desk.base["E"] or "T_step" in desk.known:
        return []
    return [value for value in MEASURED if value > desk.base["lambda"]]


def _row(desk: Desk, other: Desk | None, balance: Fraction) -> tuple[Cell, ...]:
    there = balanced(desk, balance)
    run = (plain_number(there.likely(n).middle / OF_RUN[n][1]) for n in desk.of_run)
    beside = _cells(balanced(other, balance)) if other else ()
    memory, step, word = _cells(there)
    return plain_number(balance), memory, step, *run, word, *beside


def _cells(desk: Desk) -> tuple[Cell, Cell, Cell]:
    memory, step = desk.likely("M").middle, desk.likely("T_step").middle
    return number(memory, BYTE), number(step, SECOND), answer(desk)
