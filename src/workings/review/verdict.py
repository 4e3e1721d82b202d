"""GO, GO IF or NO-GO: the plan held against the limits on memory, days, cost and MFU."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from workings.planning.bound import FALLING, keeps
from workings.planning.breakeven import break_even
from workings.planning.moves import FREELY, moves_of
from workings.planning.utilization import COUNTED, in_words
from workings.planning.working import shown
from workings.review.constraints import Constraint, constraints
from workings.review.desk import Desk
from workings.review.numbers import USUAL, apart, below, percent, told_apart
from workings.units import BYTE, CURRENCY, SECOND

ABOUT = {"u_M": "memory", "T_run": "days", "c_run": "cost", "u": "MFU"}  # what the limits are on
WORDS = ("GO", "GO IF", "NO-GO")  # from the best to the worst
Values = Mapping[str, Fraction]


@dataclass(frozen=True)
class Verdict:
    """The answer, why, and what it depends on."""

    word: str
    reason: str
    conditions: tuple[str, ...]
    constraints: tuple[Constraint, ...]
    about: tuple[str, ...] = ("memory",)

    @property
    def said(self) -> str:
        """The answer with what it is about: `GO on memory and days`."""
        *others, last = self.about
        listed = f"{', '.join(others)} and {last}" if others else last
        return f"{self.word} on {listed}"

    def __repr__(self) -> str:
        """What a notebook shows."""
        asked = f"; if {'; '.join(self.conditions)}" if self.word == "GO IF" else ""
        return f"{self.said}: {self.reason}{asked}"


class Condition(NamedTuple):
    """What has to hold, in words; of one on the step the longest that meets it."""

    words: str
    step: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """What one limit says; `step` is the longest step at which a condition on it is met."""

    word: str
    reason: str
    conditions: tuple[str, ...] = ()
    step: Fraction | None = None
    about: str = "memory"


def verdict(desk: Desk, errors: tuple[str, ...] = ()) -> Verdict:
    """GO where every limit holds even if every assumption goes against it and no rule is broken.

    What was measured or published of the job's own run takes the place of what the model says, at its
    worst too.
    """
    judged = [_memory(desk), *_run(desk), *_reached(desk)]
    if errors and judged[0].word != "NO-GO":
        judged.insert(0, Judged("NO-GO", "one is broken that no run can break", about="rules"))
    worst = max(judged, key=lambda one: WORDS.index(one.word)).word
    deciding = [one for one in judged if one.word == worst]
    conditions = (*errors, *(words for one in _strictest(judged) for words in one.conditions))
    reason = "; ".join(one.reason for one in deciding)
    about = tuple(one.about for one in deciding)
    return Verdict(worst, reason, conditions, tuple(constraints(desk.job, desk.base)), about)


def _strictest(judged: list[Judged]) -> Iterator[Judged]:
    """What is not GO; of several conditions on a step only the strictest, which includes the others."""
    asked = [one for one in judged if one.word != "GO"]
    least = min((one.step for one in asked if one.step is not None), default=None)
    return (one for one in asked if one.step in (None, least))


def _memory(desk: Desk) -> Judged:
    job, base, high = desk.job, dict(desk.base), dict(desk.high)
    measured = desk.known.get("M")
    share, worst = base["u_M"], high["u_M"]
    if measured is not None:
        share = worst = measured / base["M_dev"]
    limit, limit_if = percent(job.limit), percent(job.limit_if)
    now, then, *_ = told_apart((share, worst), (job.limit, job.limit_if), _fine)
    takes = f"the fullest rank takes {now} of the memory"
    if measured is not None:
        model = _beyond(measured, base, high)
        how = "measured" if "M" in desk.measured else "published"
        takes = f"the fullest rank was {how} to take {now} of the memory{model}"
    most = below(job.limit_if * base["M_dev"], BYTE)
    condition = f"the measured peak stays below {most}, {limit_if} of what the device reports"
    if share > job.limit_if:
        return Judged("NO-GO", f"{takes}, more than {limit_if}")
    if measured is not None:
        return Judged("GO", f"{takes}, within the {limit_if} that a measured peak may take")
    if share > job.limit:
        return Judged("GO IF", f"{takes}, between {limit} and {limit_if}, at worst {then}", (condition,))
    if worst > job.limit_if:
        reason = f"{takes}, but {then} if every assumption goes against it"
        return Judged("GO IF", reason, (condition,))
    return Judged("GO", f"{takes}, at worst {then}")


def _beyond(measured: Fraction, base: Values, high: Values) -> str:
    """What a measured peak says of a plan whose worst case it passes."""
    if measured <= high["M"]:
        return f" (the model: {shown(base['M'], BYTE)})"
    return (f" ({shown(measured - high['M'], BYTE)} more than the model has at worst: it leaves "
            "something out, and its alternatives may hold more too)")  # fmt: skip


def _run(desk: Desk) -> Iterator[Judged]:
    """The limits on the whole run that a person set."""
    job, base, high = desk.job, desk.base, desk.high
    step = desk.known.get("T_step")
    for verb, letter, limit in (
        ("the run takes", "T_run", job.max_time), ("the run costs", "c_run", job.max_cost),
    ):  # fmt: skip
        if limit is not None and base[letter]:
            value, worst = base[letter], high[letter]
            if step is None:
                condition, most = _of_step(letter, limit, base), limit / value * base["T_step"]
                found = desk.likely(letter)
                middle = value if found is None else found.middle
                yield _below(
                    desk, verb, letter, limit, (value, middle, worst), Condition(condition, most)
                )
                continue
            value, worst = (v[letter] * step / v["T_step"] for v in (base, high))
            condition = _of_rest(letter, limit / value, base)
            yield _below(desk, verb, letter, limit, (value, value, worst), Condition(condition))


def _below(
    desk: Desk, verb: str, letter: str, limit: Fraction, cases: tuple[Fraction, ...],
    condition: Condition,
) -> Judged:  # fmt: skip
    """By the model, by the middle of published runs, and at worst, with the odds of keeping it."""
    value, middle, worst, allowed = apart(letter, cases, limit)
    passed, within = f"more than the {allowed} allowed", f"{value} of the {allowed} allowed"
    if letter in FALLING:
        passed, within = f"less than the {allowed} asked for", f"{value} where {allowed} is asked for"
    asked = ((condition.words,), condition.step, ABOUT[letter])
    kept = [keeps(letter, case, limit) for case in cases]
    odds = _odds(desk, letter, limit)
    if not kept[0]:
        return Judged("NO-GO", f"{verb} {value}, {passed}{odds}", *asked)
    if not all(kept):
        published = "" if kept[1] else f"{middle} by the middle of published runs (P50) and "
        against = f"but {published}{worst} if every assumption goes against it"
        return Judged("GO IF", f"{verb} {within}, {against}{odds}", *asked)
    return Judged("GO", f"{verb} {within}, at worst {worst}{odds}", about=ABOUT[letter])


def _odds(desk: Desk, letter: str, limit: Fraction) -> str:
    """The chance of keeping a limit in words; nothing where nothing tells it."""
    chance = desk.chance(letter, limit)
    if chance is None:
        return ""
    said = {0: "fewer than 1", 100: "more than 99"}.get(number := int(100 * chance), str(number))
    return f" (as {len(desk.runs)} published runs went, {said} of 100 would keep to it)"


def _reached(desk: Desk) -> Iterator[Judged]:
    """The limit on the MFU, which says how it counts attention."""
    least, base = desk.job.min_mfu, desk.base
    if least is None:
        return
    counted = f", with {in_words(base[COUNTED])}," if base["z_h"] else ""
    value, found = desk.expected("u"), desk.likely("u")
    middle = value if found is None else found.middle
    worst = value if "T_step" in desk.known else desk.high["u"]
    most = base["T_step"] * base["u"] / least
    condition = f"a measured step takes at most {below(most, SECOND)}"
    if not keeps("u", base["u"], least) and (knobs := list(_knobs(desk, least))):
        condition += f"; by the model it does with {' or with '.join(knobs)}, all else as assumed"
    yield _below(
        desk, f"the MFU{counted} is", "u", least, (value, middle, worst), Condition(condition, most)
    )


def _knobs(desk: Desk, least: Fraction) -> Iterator[str]:
    """What alone would bring the MFU of this layout to what is asked for."""
    for letter in ("b", "eta"):
        moves = moves_of(letter, desk.base) or FREELY
        found = break_even(desk.plan, desk.base, letter, "u", least, rising=False, moves=moves).value
        if found is not None and letter == "b":
            yield f"a batch of {int(found):,} sequences"
        elif found is not None:
            yield f"matrix products that reach {percent(_up(found))} of the peak"


def _of_step(letter: str, limit: Fraction, base: Values) -> str:
    """What a measured step must keep to, everything else of the run as assumed."""
    price = f" and a price of {_price(base['c_d'])} a device" if letter == "c_run" else ""
    most = below(limit / base[letter] * base["T_step"], SECOND)
    return f"a measured step takes at most {most}, at a goodput of {percent(base['gamma'])}{price}"


def _of_rest(letter: str, times: Fraction, base: Values) -> str:
    """What is left to keep to once the step was measured; `times` is the limit over what is expected."""
    if letter == "T_run":
        return f"the goodput is {percent(min(Fraction(1), _up(base['gamma'] / times)))} or more"
    goodput = percent(base["gamma"])
    return f"a device costs at most {_price(base['c_d'] * times)} at a goodput of {goodput}"


def _price(value: Fraction) -> str:
    return str(shown(value, CURRENCY / SECOND))


def _up(share: Fraction) -> Fraction:
    """A share rounded up to a tenth of a per cent."""
    return Fraction(ceil(share * 1000), 1000)


def _fine(share: Fraction, digits: int) -> str:
    """A share with one decimal, or more where they are asked for."""
    return f"{float(share) * 100:.{digits - USUAL + 1}f} %"
