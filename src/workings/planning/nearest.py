"""Where no layout fits, or reaches the MFU asked for: which comes nearest, what would let one fit.

Every change named was tried by a search of its own, which looks at memory alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from workings.planning.job import Job, JobError
from workings.planning.naming import named_at
from workings.planning.search import Wishes, lightest, limit_of, search
from workings.planning.space import KEYS
from workings.planning.statement import Plan
from workings.planning.utilization import mfu_said
from workings.planning.working import shown
from workings.units import BYTE

_MOST_TIMES = 16  # as many devices are looked at


def nearest(job: Job, plan: Plan, wishes: Wishes | None = None) -> str:
    """Why nothing fits, for an error: the lightest layout, and what would help. Raises JobError."""
    wishes = wishes or Wishes()
    if wishes.min_mfu is not None and (too_slow := _unreached(job, plan, wishes, wishes.min_mfu)):
        return too_slow
    limit = limit_of(job, wishes)
    least, tally = lightest(job, plan, wishes)
    share = job.limit if wishes.limit is None else wishes.limit
    memory = f"{_percent(share)} of the memory ({shown(limit, BYTE)})"
    needed = f"takes {shown(least.values['M'], BYTE)}, {_of(least.values['M'] / limit)} that"
    which = f"of {tally.valid:,} the lightest, {named_at(job.values(), least.layout)}, {needed}"
    advice = _advice(list(_helping(job, plan, wishes)))
    return f"{job.name}: no layout fits {memory}: {which}; {advice}"


def _unreached(job: Job, plan: Plan, wishes: Wishes, least: Fraction) -> str:
    """Why none of the layouts that fit is wanted: the best MFU, beside the one asked for."""
    any_mfu = wishes._replace(
        min_mfu=None, objective="time", late=(Fraction(1), Fraction(1)), number=1, alike=()
    )
    found = search(job, plan, any_mfu).best
    if not found:
        return ""
    v = job.values()
    reached = f"{named_at(v, found[0].layout)}, reaches {_percent(found[0].values['u'])}"
    return (f"{job.name}: no layout that fits reaches an {mfu_said(v)} of {_percent(least)}: the "
            f"fastest, {reached}; expected a lower min_mfu, a larger batch or other devices")  # fmt: skip


def nearest_in_short(job: Job, plan: Plan, wishes: Wishes | None = None) -> str:
    """The same as one cell of a table. Raises JobError."""
    least, _ = lightest(job, plan, wishes)
    limit = limit_of(job, wishes or Wishes())
    needed = f"{shown(least.values['M'], BYTE)}, {_of(least.values['M'] / limit)} the limit"
    return f"no layout fits: the lightest takes {needed}"


def _helping(job: Job, plan: Plan, wishes: Wishes) -> Iterator[str]:
    """The changes that let some layout fit."""
    yield from _unrestricted(job, plan, wishes)
    n = job.values()["n"]
    times = (2**power for power in range(1, _MOST_TIMES.bit_length()))
    enough = next((n * k for k in times if _fits(job.with_values({"n": n * k}), plan, wishes)), None)
    if enough is not None:
        yield f"{int(enough):,} devices"
    if not job.values()["x_off"] and _fits(job.with_values({"x_off": Fraction(1)}), plan, wishes):
        yield "the optimizer state with the host (offload_optimizer = 1)"


def _unrestricted(job: Job, plan: Plan, wishes: Wishes) -> Iterator[str]:
    """Each restriction of an axis that keeps all from fitting."""
    only: Mapping[str, Sequence[int | str]] = wishes.only or {}
    alone = False
    for name, values in only.items():
        others = {axis: kept for axis, kept in only.items() if axis != name}
        if _fits(job, plan, wishes._replace(only=others)):
            alone = True
            yield f"another {KEYS.get(name, name)} than {', '.join(map(str, values))}"
    if len(only) > 1 and not alone and _fits(job, plan, wishes._replace(only=None)):
        yield f"no restriction of {' and '.join(KEYS.get(name, name) for name in only)}"


def _fits(job: Job, plan: Plan, wishes: Wishes) -> bool:
    """Whether the lightest layout fits; a job that has none at all does not."""
    try:
        return lightest(job, plan, wishes)[0].values["M"] <= limit_of(job, wishes)
    except JobError:
        return False


def _advice(helping: Sequence[str]) -> str:
    if helping:
        return f"one fits with {', or with '.join(helping)}"
    return (
        f"none fits with {_MOST_TIMES} times the devices or the optimizer state with the host either, "
        "expected a smaller model, batch or sequence"
    )


def _percent(share: Fraction) -> str:
    return f"{float(share) * 100:.4g} %"


def _of(ratio: Fraction) -> str:
    """A ratio above 1 before what it is of: `112 % of`, or `6.0 times` where it is large."""
    return f"{float(ratio) * 100:.1f} % of" if ratio < 2 else f"{float(ratio):,.1f} times"
