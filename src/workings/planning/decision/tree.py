"""The five questions of text 001 and the practices it lists, each answered with this job's numbers."""

from __future__ import annotations

from fractions import Fraction

from workings.planning.cost import plan
from workings.planning.decision.bands import band_for
from workings.planning.decision.choosing import (
    FULLEST,
    LIMIT,
    STATE,
    Layout,
    divisors,
    first_that_fits,
    replica,
)
from workings.planning.decision.practices import chunks, micro_batches, shares
from workings.planning.decision.step import Decision, DecisionStep, Tried, answer
from workings.planning.exact import exactly
from workings.planning.job import Job
from workings.planning.letters import LAYOUT
from workings.planning.rules.rule import GO, GO_IF
from workings.planning.working import shown
from workings.units import ONE

HELD = "state of the fullest rank"
EFFICIENCY = "1 - (T_idle + T_send + T_sync + m*max(L_first, L_mid, L_last)*T_link)/T_step"
BEFORE = (
    "the text asks for memory before data parallelism, so nothing is shared by replicas yet; the model "
    "is its state, activations come with the fifth question"
)


def decide(job: Job) -> Decision:
    """Walk the tree from a single device on; the job's own layout plays no part.

    Raises DoesNotEvaluateError where the job lacks a letter.
    """
    given = {**job.values(), GO: job.limit, GO_IF: job.limit_if}
    layout = _start(given)
    steps: list[DecisionStep] = []
    for question in (_tensor, _pipeline, _data, _experts, shares, _sequence, chunks, micro_batches):
        layout, step = question(layout, len(steps) + 1)
        steps.append(step)
    values = exactly(plan(), layout.given)
    decided = {letter: layout.given[letter] for letter in LAYOUT}
    return Decision(
        tuple(steps), decided, layout.given, values, layout.fits(FULLEST) and layout.runs(),
        layout.worth(EFFICIENCY), band_for(layout.given["n"]),
    )  # fmt: skip


def _start(given: dict[str, Fraction]) -> Layout:
    """One device, with what the text's own configuration switches on.

    That is ZeRO-1, and attention's core computed again where its scores are kept at all.
    """
    again = 1 - given["z_a"]
    alone = {letter: Fraction(1) for letter in ("t", "c", "p", "e", "t_e", "v", "b_m", "z_1", "n_r")}
    off = {letter: Fraction(0) for letter in ("z_2", "z_3", "z_s", "z_f")}
    return Layout({**given, **alone, **off, "z_c": again})


def _tensor(layout: Layout, number: int) -> tuple[Layout, DecisionStep]:
    alone = layout.with_({"n": 1})
    value, limit = alone.worth(STATE), layout.worth(LIMIT)
    question = "Does the model fit on a single device?"
    if value <= limit:
        step = DecisionStep(
            number,
            "tree",
            question,
            HELD,
            STATE,
            value,
            limit,
            "yes",
            "no tensor parallelism",
            {},
            reading=BEFORE,
        )
        return layout, step
    node, devices = layout.given["n_node"], layout.given["n"]
    degrees = [t for t in divisors(devices, node) if node % t == 0]
    chosen, tried = first_that_fits(layout, "t", degrees, STATE)
    t = chosen.given["t"]
    enough = bool(tried) and tried[-1].enough
    outcome = (
        f"tensor parallelism of {t}, the {'first that fits' if enough else 'most that a node takes'}"
    )
    reading = f"{BEFORE}; degrees are those that divide a node"
    return chosen, DecisionStep(
        number, "tree", question, HELD, STATE, value, limit, "no", outcome, {"t": t}, reading=reading,
        tried=tried,
    )  # fmt: skip


def _pipeline(layout: Layout, number: int) -> tuple[Layout, DecisionStep]:
    value, limit = layout.with_({"n": replica(layout)}).worth(STATE), layout.worth(LIMIT)
    question = "Must memory shrink further?"
    if value <= limit:
        outcome = "no pipeline"
        return layout, DecisionStep(
            number, "tree", question, HELD, STATE, value, limit, "no", outcome, {}, reading=BEFORE
        )
    most = layout.given["n"] / layout.given["t"]
    chosen, tried = first_that_fits(layout, "p", divisors(most, layout.given["L"]), STATE)
    p = chosen.given["p"]
    enough = bool(tried) and tried[-1].enough
    outcome = f"{p} stages, {'the first that fit' if enough else 'and it still does not fit'}"
    return chosen, DecisionStep(
        number, "tree", question, HELD, STATE, value, limit, "yes", outcome, {"p": p}, reading=BEFORE,
        tried=tried,
    )  # fmt: skip


def _data(layout: Layout, number: int) -> tuple[Layout, DecisionStep]:
    d, b = layout.worth("n/(t*p)"), layout.given["b"]
    outcome = f"data parallelism of {shown(d, ONE)}" if d > 1 else "no data parallelism"
    if d > b:
        outcome += (
            f", although the batch has only {shown(b, ONE)} sequences; the tree has no answer to that"
        )
    question, measure = "Are there more devices to use?", "replicas that the devices hold"
    return layout, DecisionStep(
        number, "tree", question, measure, "n/(t*p)", d, None, answer(d > 1), outcome, {"d": d}
    )


def _experts(layout: Layout, number: int) -> tuple[Layout, DecisionStep]:
    experts, question, measure = layout.given["E"], "Does the model have experts?", "experts of a block"
    if not experts:
        return layout, DecisionStep(
            number, "tree", question, measure, "E", experts, None, "no", "no expert parallelism", {}
        )  # fmt: skip
    replicas = layout.worth("n/(t*p)")
    e = max((x for x in divisors(experts) if replicas % x == 0), default=1)
    outcome = f"expert parallelism of {e}, over {replicas} replicas"
    if e == 1:
        outcome = "no expert parallelism: no degree divides experts and replicas"
    reading = "the text names no degree; taken is the largest that divides experts and replicas"
    return layout.with_({"e": e}), DecisionStep(
        number, "tree", question, measure, "E", experts, None, "yes", outcome, {"e": Fraction(e)},
        reading=reading,
    )  # fmt: skip


def _sequence(layout: Layout, number: int) -> tuple[Layout, DecisionStep]:
    value, limit = layout.worth(FULLEST), layout.worth(LIMIT)
    chosen, tried = layout, tuple[Tried, ...]()
    if value > limit:
        replicas = layout.worth("n/(t*p)")
        chosen, tried = first_that_fits(layout, "c", divisors(replicas), FULLEST, whole=True)
    c = chosen.given["c"]
    outcome = f"context parallelism of {c}" if c > 1 else "no context parallelism"
    if not chosen.fits(FULLEST):
        outcome += ", and it still does not fit"
    return chosen, DecisionStep(
        number, "tree", "Are the sequences long?", "peak of the fullest rank", FULLEST, value, limit,
        answer(value > limit), outcome, {"c": c},
        reading="a sequence is taken for long if the layout so far does not hold its activations",
        tried=tried,
    )  # fmt: skip
