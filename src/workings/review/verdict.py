"""GO, GO IF or NO-GO: the plan held against the limits on memory, days and cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from workings.planning.job import Job
from workings.planning.working import shown
from workings.review.constraints import Constraint, constraints
from workings.review.numbers import USUAL, apart, below, percent, told_apart
from workings.units import BYTE, CURRENCY, SECOND

WORDS = ("GO", "GO IF", "NO-GO")  # from the best to the worst
Values = Mapping[str, Fraction]


@dataclass(frozen=True)
class Verdict:
    """The answer, why, and what it depends on."""

    word: str
    reason: str
    conditions: tuple[str, ...]
    constraints: tuple[Constraint, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """What one limit says."""

    word: str
    reason: str
    conditions: tuple[str, ...] = ()


def verdict(job: Job, base: Values, high: Values, errors: tuple[str, ...] = ()) -> Verdict:
    """GO where every limit holds even if every assumption goes against it and no rule is broken."""
    judged = [_memory(job, base, high), *_run(job, base, high)]
    if errors and judged[0].word != "NO-GO":
        judged.insert(0, Judged("NO-GO", "a rule is broken that no run can break"))
    worst = max(judged, key=lambda one: WORDS.index(one.word)).word
    deciding = [one for one in judged if one.word == worst]
    asked = [one for one in judged if one.word != "GO"]
    conditions = (*errors, *(words for one in asked for words in one.conditions))
    reason = "; ".join(one.reason for one in deciding)
    return Verdict(worst, reason, conditions, tuple(constraints(job, base)))


def _memory(job: Job, base: Values, high: Values) -> Judged:
    share, worst = base["u_M"], high["u_M"]
    limit, limit_if = percent(job.limit), percent(job.limit_if)
    now, then, *_ = told_apart((share, worst), (job.limit, job.limit_if), _fine)
    takes = f"the fullest rank takes {now} of the memory"
    most = below(job.limit_if * base["M_dev"], BYTE)
    condition = f"the measured peak stays below {most}, {limit_if} of what the device reports"
    if share > job.limit_if:
        return Judged("NO-GO", f"{takes}, more than {limit_if}")
    if share > job.limit:
        return Judged("GO IF", f"{takes}, between {limit} and {limit_if}, at worst {then}", (condition,))
    if worst > job.limit_if:
        reason = f"{takes}, but {then} if every assumption goes against it"
        return Judged("GO IF", reason, (condition,))
    return Judged("GO", f"{takes}, at worst {then}")


def _run(job: Job, base: Values, high: Values) -> Iterator[Judged]:
    """The limits on the whole run that a person set."""
    if job.max_time is not None and base["T_run"]:
        most = job.max_time / base["T_run"] * base["T_step"]
        yield _below("the run takes", "T_run", job.max_time, base, high, _condition(base, most))
    if job.max_cost is not None and base["c_run"]:
        most = job.max_cost / base["c_run"] * base["T_step"]
        price = f" and a price of {shown(base['c_d'], CURRENCY / SECOND)} a device"
        condition = _condition(base, most, price)
        yield _below("the run costs", "c_run", job.max_cost, base, high, condition)


def _below(verb: str, letter: str, limit: Fraction, base: Values, high: Values, condition: str) -> Judged:
    value, worst, allowed = apart(letter, (base[letter], high[letter]), limit)
    if base[letter] > limit:
        return Judged("NO-GO", f"{verb} {value}, more than the {allowed} allowed", (condition,))
    if high[letter] > limit:
        against = f"but {worst} if every assumption goes against it"
        reason = f"{verb} {value} of the {allowed} allowed, {against}"
        return Judged("GO IF", reason, (condition,))
    return Judged("GO", f"{verb} {value} of the {allowed} allowed, at worst {worst}")


def _condition(base: Values, step: Fraction, more: str = "") -> str:
    """What a measured step must keep to, everything else of the run as assumed."""
    return (
        f"a measured step takes at most {below(step, SECOND)}, at a goodput of {percent(base['gamma'])}"
        f"{more}"
    )


def _fine(share: Fraction, digits: int) -> str:
    """A share with one decimal, or more where they are asked for."""
    return f"{float(share) * 100:.{digits - USUAL + 1}f} %"
