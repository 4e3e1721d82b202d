"""A measured peak of memory: whether its plan allows for it, and which accounts carry it on.

What nobody measures by itself is what lies between the plan and the peak: fragments first, then the
fixed bytes of communicators, workspace and the device's context.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from workings.planning.exact_layouts import ExactLayouts
from workings.planning.job import Figure, Job
from workings.planning.statement import Plan
from workings.units import ONE

# The accounts that a measured peak is shared out to, in this order, and the finest step of each.
ACCOUNTS = ("x_frag", "M_grp", "M_work", "M_ctx")
_SHARE, _BYTES = Fraction(1, 10**8), Fraction(100)
_NOTHING = 10**5  # bytes: more than the steps of the accounts leave


@dataclass(frozen=True)
class Peak:
    """A measured peak beside the three cases of its plan, low, base and high.

    `accounts` are the figures that carry it on. `rest` are bytes that no account takes in its range: the
    last one takes them all the same where they are missing, and where they are too many (below 0) none
    does. `carried` says whether the accounts come to the peak.
    """

    measured: Fraction
    cases: tuple[Fraction, Fraction, Fraction]
    device: Fraction
    limit: Fraction  # share of the device that a measured peak may take
    accounts: Mapping[str, Figure]
    rest: Fraction
    carried: bool

    @property
    def where(self) -> Literal["below", "inside", "above"]:
        """Where it lies: outside the cases the plan is wrong, and above them so is its verdict."""
        low, _, high = self.cases
        if self.measured < low:
            return "below"
        return "inside" if self.measured <= high else "above"


def peak(job: Job, plan: Plan, measured: Fraction, file: str) -> Peak:
    """The peak beside the plan's, and the accounts that make it up."""
    memory = _Memory(job, plan)
    low, base, high = (memory.at(_ends(job, end)) for end in ("low", "value", "high"))
    movable = [letter for letter in ACCOUNTS if job.figures[letter].kind == "assumed"]
    values = memory.shared_out(measured, movable, up=measured >= base)
    rest = measured - memory.at(values)
    rest = Fraction(0) if abs(rest) < _NOTHING else rest
    if rest > 0 and movable[-1:] not in ([], ["x_frag"]):
        values[movable[-1]] += rest
    accounts = {
        letter: _carrying(job.figures[letter], value, measured, rest, file)
        for letter, value in values.items()
    }
    carried = abs(measured - memory.at(values)) < _NOTHING
    device = job.figures["M_dev"].value
    return Peak(measured, (low, base, high), device, job.limit_if, accounts, rest, carried)


class _Memory:
    """The peak of a job as some of its letters move."""

    def __init__(self, job: Job, plan: Plan) -> None:
        self.job, self.plan = job, plan

    def at(self, values: Mapping[str, Fraction]) -> Fraction:
        """The peak with these values in place of the job's."""
        return ExactLayouts(self.plan, {**self.job.values(), **values}, ("M",)).at({})["M"]

    def shared_out(self, measured: Fraction, movable: list[str], *, up: bool) -> dict[str, Fraction]:
        """Values of the accounts that give the peak, or come nearest; all of them are settled."""
        found = {letter: self.job.figures[letter].value for letter in movable}
        for letter in movable:
            figure = self.job.figures[letter]
            end = figure.high if up else figure.low
            to = figure.value if end is None else end
            there = self.at({**found, letter: to})
            if there == self.at(found):  # a device alone has no communicators
                continue
            if (there < measured) == up:
                found[letter] = to
            else:
                found[letter] = self._between(found, letter, to, measured)
                break
        return found

    def _between(
        self, found: Mapping[str, Fraction], letter: str, to: Fraction, measured: Fraction
    ) -> Fraction:
        """Where between its value and `to` the account gives the peak: the peak grows with it."""
        step = _SHARE if self.job.figures[letter].dimension == ONE else _BYTES
        ends = (found[letter] / step, to / step)
        low, high = int(min(ends)), -int(-max(ends) // 1)
        while high - low > 1:
            middle = (low + high) // 2
            if self.at({**found, letter: middle * step}) < measured:
                low = middle
            else:
                high = middle
        return high * step


def _ends(job: Job, end: Literal["low", "value", "high"]) -> dict[str, Fraction]:
    """Every figure at one end of its range."""
    return {letter: _end(figure, end) for letter, figure in job.figures.items()}


def _end(figure: Figure, end: Literal["low", "value", "high"]) -> Fraction:
    found: Fraction | None = getattr(figure, end)
    return figure.value if found is None else found


def _carrying(figure: Figure, value: Fraction, measured: Fraction, rest: Fraction, file: str) -> Figure:
    """The account at its value: given, as the peak was measured and not the account."""
    high = max(_end(figure, "low"), _end(figure, "high"))
    text = f"peak_memory of {file}, {_gb(measured)}, made up with the other accounts"
    if rest > 0 and value > high:
        text = f"{_gb(rest)} of it above its range, in no account of the plan; {text}"
    return replace(figure, value=value, low=None, high=None, kind="given", source=text)


def _gb(value: Fraction) -> str:
    return f"{float(value / 10**9):,.4g} GB"


def sentences(found: Peak) -> Iterator[str]:
    """What the peak says of the plan, and of the limits on memory."""
    low, _, high = found.cases
    lies = f"peak_memory: {_gb(found.measured)} lies {found.where} what the plan has for it, "
    lies += f"{_gb(low)} to {_gb(high)}"
    if found.where == "above":
        lies += ": the verdict of its review rests on too little memory, "
        lies += f"{_gb(found.measured - high)} or more are in no account; look whether this layout ran, "
        lies += "and what the plan leaves out"
    elif found.where == "below":
        lies += f": {_gb(low - found.measured)} or more that it counts were not held; look whether this "
        lies += "layout ran, and whether the peak is nvidia-smi's, which has every byte, or PyTorch's"
    yield lies
    yield f"peak_memory: {_judged(found)}"


def _judged(found: Peak) -> str:
    """The share of the device's memory, by the limit on a measured peak."""
    share, most = found.measured / found.device, found.limit
    takes = f"{float(share) * 100:.1f} % of what the device reports"
    limit = f"the {float(most) * 100:.4g} % that a measured peak may take"
    return f"{takes}, {'within' if share <= most else 'above'} {limit}"


def carried_on(found: Peak) -> Iterator[str]:
    """How the accounts carry the peak on: as values of [assume]."""
    if not found.accounts:
        yield "peak_memory: every account is given or measured, so none carries it on"
        return
    parts = [f"{f.concept.name} {_figure(f)}" for f in found.accounts.values()]
    how = "carried on by" if found.carried else "no account goes lower; nearest with"
    rest = ""
    if found.rest > 0:
        rest = f", {_gb(found.rest)} of it above its range; a review counts them for every layout"
    yield f"peak_memory: {how} {', '.join(parts)}{rest}"


def _figure(figure: Figure) -> str:
    return f"{float(figure.value):.3g}" if figure.dimension == ONE else _gb(figure.value)
