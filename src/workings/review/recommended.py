"""What the review recommends: this layout, another, or both measured beside each other."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil

from workings.planning.bound import keeps
from workings.planning.choice import at, likely_step
from workings.planning.frameworks import FRAMEWORKS
from workings.planning.letters import LAYOUT
from workings.planning.precedents import LAYOUT as KNOWN
from workings.planning.search import Option
from workings.planning.working import shown
from workings.review.alternatives import Alternatives, doubt
from workings.review.desk import Desk
from workings.review.fallback import keeps_surely, smallest_change
from workings.review.fewer import on_fewest
from workings.review.likest import published_at
from workings.review.naming import mesh, named, named_at
from workings.review.numbers import percent
from workings.review.rival import likely, prospects, rival
from workings.review.routing import routed_there
from workings.review.verdict import Verdict
from workings.units import BYTE, SECOND


def recommended(desk: Desk, answer: Verdict, found: Alternatives | None) -> str:
    """A sentence or two, from the verdict and from what a search found."""
    if found is None or found.option is None or found.proposed is None:
        return _alone(desk, answer, found)
    best = found.proposed
    if answer.word == "NO-GO":
        told = f"{prospects(desk, found.option)}{_alone_gains(found, desk)}"
        return _instead(desk, best, told, routed_there(desk, found.option))
    if rival(desk, found) is None:
        if (surer := _surer(desk, answer, found)) is not None:
            instead = f"Recommended: instead {named_at(desk.base, surer.layout)}, no slower at P50 and GO"
            return f"{instead} on memory: {prospects(desk, surer)}; or this layout on these conditions."
        kept = "keep this layout" if answer.word == "GO" else "keep this layout on these conditions"
        tried = not desk.job.chosen and published_at(desk, {}) is not None
        than = " than half-way between its P50 and what was published" * tried
        told = f"the model finds none that is likely to be faster{than}"
        return f"Recommended: {kept}; {told}{_without_condition(desk, answer, found)}.{on_fewest(desk)}"
    return (
        f"Recommended: choose only after a few steps of each are timed. Of {mesh(best)}, "
        f"{_if_right(desk, best)}: {prospects(desk, found.option)}{doubt(desk, best)}"
        f"{_refused(desk, best)}{_alone_gains(found, desk)}.{routed_there(desk, found.option)}"
        f"{_published(desk, best)}"
    )


def _published(desk: Desk, best: Mapping[str, Fraction]) -> str:
    """That a run in the mesh of the proposed layout was published, and its step and chunks."""
    wanted = {name: best[name] for name in LAYOUT}
    run = published_at(desk, wanted, [letter for letter in KNOWN if letter != "v"])
    if run is None:
        return ""
    chunks = run.values["v"]
    other = f" with {int(chunks)} chunks a rank" if chunks not in (1, best["v"]) else ""
    both = "; time that too" * bool(other)
    return f" Published of that mesh{other}: {shown(run.figure, SECOND, 3)} a step ({run.source}){both}."


def _gain(desk: Desk, best: Mapping[str, Fraction]) -> Fraction:
    return 1 - likely(desk, best) / likely(desk, desk.base)


def _if_right(desk: Desk, best: Mapping[str, Fraction]) -> str:
    """What the gain rests on: the model alone where both layouts are of one kind."""
    if desk.job.carried.times is not None:
        return "if the model is off there by as much as here"
    ours, theirs = (likely(desk, v) / v["T_step"] for v in (desk.base, best))
    return (
        "if the model is right"
        if ours == theirs
        else "if both take what published runs of their kinds did"
    )


def _alone(desk: Desk, answer: Verdict, found: Alternatives | None) -> str:
    if found is not None and found.result.best:
        program = FRAMEWORKS[desk.job.framework].name if desk.job.framework else "the job's program"
        what = "another layout by hand" if answer.word == "NO-GO" else "keep this layout"
        return f"Recommended: {what}; of what the search found {program} can be told nothing."
    if answer.word == "NO-GO":
        return "Recommended: another model, batch or cluster; the search found no layout that fits."
    return "Recommended: keep this layout; the search found no other that fits."


def _instead(desk: Desk, best: Mapping[str, Fraction], told: str, learned: str) -> str:
    """Another layout where this one is refused, unless the run's limits refuse that one too."""
    step = shown(best["T_step"], SECOND)
    passed = [one for one, limit in desk.bounds.items() if not keeps(one, best[one], limit)]
    reached = f", at an MFU of {percent(best['u'])}" if "u" in desk.bounds else ""
    if "u" in passed:  # which more devices would not raise
        return (f"Recommended: another limit on the MFU, or what its condition names; even the fastest "
                f"layout found, {named(best)}, takes {step} a step{reached}.")  # fmt: skip
    if all(best[name] == desk.base[name] for name in LAYOUT):
        return (
            "Recommended: more devices, or other limits; the model knows no faster layout than this one."
        )
    if passed:
        more = f"Recommended: more devices{_how_many(desk)}, or other limits"
        return f"{more}; even {named(best)}, of the fastest found, exceeds them with {step} a step."
    return (
        f"Recommended: instead {named(best)}, GO IF at best until a few steps are measured: {told}"
        f"{reached}{doubt(desk, best)}{_refused(desk, best)}.{learned}{_published(desk, best)}"
    )


def _how_many(desk: Desk) -> str:
    """How many would keep a limit on days, if each were as fast as here."""
    limit, run = desk.job.max_time, desk.likely("T_run")
    if limit is None or run.middle <= limit:
        return ""
    v = desk.base
    half, nine = (ceil(v["n"] * end / limit) for end in (run.middle, run.most))
    most = v["n"] * v["b"] / (v["d"] * v["b_m"])  # of replicas with a micro-batch each
    fed = f", with more than {int(v['b']):,} sequences a step, which feed {int(most):,} in this mesh"
    batch = fed if nine > most else ""
    return f" (about {half:,} at P50 and {nine:,} at P90, if each stays as fast{batch})"


def _alone_gains(found: Alternatives, desk: Desk) -> str:
    """The one setting whose change alone gains most, where that is more than the model can tell."""
    if found.alone is None:
        return ""
    name, option = found.alone
    gain = 1 - option.values["T_step"] / desk.base["T_step"]
    there = Desk(at(desk.job, option), desk.plan)
    fit = there.outcome.in_words("u_M", there.job.limit_if)
    step = shown(likely_step(desk.job, option), SECOND, 3)
    return (f"; on the way there, {name} alone takes {percent(gain, 2)} less than this layout ({step} at "
            f"P50), with {shown(option.values['M'], BYTE, 3)}, and {fit} would fit")  # fmt: skip


def _surer(desk: Desk, answer: Verdict, found: Alternatives) -> Option | None:
    """Another layout that needs no condition on the memory and is no slower, where this never ran."""
    if "memory" not in answer.about or "T_step" in desk.known or not found.sure or found.surest is None:
        return None
    slower = _gain(desk, _at(desk, found.surest)) < 0
    return found.surest if answer.word == "GO IF" and not slower else None


def _at(desk: Desk, option: Option) -> Mapping[str, Fraction]:
    """The job's values, with the layout, the memory and the step of an option."""
    layout = {name: Fraction(value) for name, value in option.layout.items()}
    return {**desk.base, **layout, **option.values}


def _without_condition(desk: Desk, answer: Verdict, found: Alternatives) -> str:
    """A layout that is GO on memory or far lighter, where this one is not GO; hardly slower."""
    if answer.word != "GO IF" or "memory" not in answer.about or found.surest is None:
        return ""
    there = _at(desk, found.surest)
    more = -_gain(desk, there)
    layout = f"{named_at(desk.base, found.surest.layout)}{_refused(desk, there)}"
    longer = f"takes {percent(more, 2)} more time a step (P50)" if more > 0 else "is no slower"
    if found.sure:
        change = smallest_change(desk)
        if change is not None and change.time <= more and keeps_surely(desk, change):
            return ""  # the same layout does it as well, as stands beside the condition
        return f". Without a condition on the memory: {layout}, which {longer}"
    if more > 0:  # a smaller change is told beside the condition
        return ""
    held = shown(there["M"], BYTE, 3)
    return f". More likely to fit: {layout}, which holds {held} by the model and {longer}"


def _refused(desk: Desk, best: Mapping[str, Fraction]) -> str:
    """Which programs refuse the layout and not the job's own, where the job names none."""
    if desk.job.framework:
        return ""
    theirs, ours = ({name: int(v[name]) for name in LAYOUT} for v in (best, desk.base))
    names = [
        one.name for one in FRAMEWORKS.values()
        if all(c.allows(ours) for c in one.refuses) and not all(c.allows(theirs) for c in one.refuses)
    ]  # fmt: skip
    verb = "refuses" if len(names) == 1 else "refuse"
    return f" ({' and '.join(names)} {verb} such a layout)" if names else ""
