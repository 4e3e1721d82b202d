"""What binds: the limit that is nearest, what a step would gain most without, what stops growth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import zip_longest
from typing import Literal

from workings.planning.bound import taken
from workings.planning.cost import plan
from workings.planning.flows import Flow, flows
from workings.planning.job import Job
from workings.planning.savings import without
from workings.planning.waterfall import waterfall
from workings.planning.working import shown
from workings.review.numbers import apart, below, percent
from workings.units import BYTE

Kind = Literal["limit", "speed", "growth"]
MOST = 3  # on the first page, but for limits that are passed
FAR = Fraction(1, 2)  # share of a limit up to which it does not bind: there is room for twice as much
SLIGHT = Fraction(1, 100)  # of a step, below which a part of it does not matter
TOLD = Fraction(1, 200)  # of a step, by which a part's share and what it costs differ worth saying
# Parts of a step that are the model's own work.
WORK = ("matrix products", "attention's core", "logits and loss")
# Parts of a step that are traffic, and the axes that it belongs to.
TRAFFIC = {
    "tensor parallelism": ("tensor",), "context parallelism": ("context",),
    "expert parallelism": ("expert", "expert tensor"), "pipeline sends": ("pipeline",),
    "data parallelism": ("data", "expert data"),
}  # fmt: skip
PLACES = {"node": "inside a node", "network": "between nodes"}
Values = Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class Constraint:
    """What keeps the plan from more, which `holds` names.

    Of a limit, and of what stops growth, `used` is the share of it that is taken, above 1 where it is
    passed. Of what slows a step
    it is the part of the step that would be saved without it, and `share` the part that it takes.
    """

    name: str
    kind: Kind
    holds: str
    used: Fraction
    words: str
    letter: str = ""
    share: Fraction | None = None


def constraints(job: Job, v: Values, expected: Values | None = None) -> list[Constraint]:
    """Every constraint: the first of each kind, then the second of each, the tightest first.

    Limits are held against what is `expected`, else against the plan's own values. Last come those that
    bind hardly: limits but the nearest, growth, and parts of a step, that leave room enough.
    """
    limits, slowing, growth = (
        sorted(found, key=lambda c: -c.used)
        for found in (_limits(job, {**v, **(expected or {})}), _slowing(v), _stopping(v))
    )
    far = [c for c in (*limits[1:], *growth) if c.used <= FAR]
    slight = [c for c in slowing[1:] if c.used < SLIGHT]
    kinds = [[c for c in kind if c not in (*far, *slight)] for kind in (limits, slowing, growth)]
    near = [c for turn in zip_longest(*kinds) for c in turn if c is not None]
    return [*near, *(replace(c, words=f"not near: {c.words}") for c in far), *slight]


def binding(found: tuple[Constraint, ...]) -> list[Constraint]:
    """The first three, and every other limit that is passed."""
    more = [c for c in found[MOST:] if c.kind == "limit" and c.used > 1]
    return [*found[:MOST], *more]


def _limits(job: Job, v: Values) -> Iterator[Constraint]:
    """What must not be exceeded."""
    peak, room = v["u_M"] * v["M_dev"], job.limit_if * v["M_dev"]
    yield Constraint(
        "memory of a rank", "limit", "the plan", peak / room,
        f"{shown(peak, BYTE)} of {below(room, BYTE)} allowed", "u_M",
    )  # fmt: skip
    of_run = (("days", "T_run", job.max_time), ("cost", "c_run", job.max_cost))
    for name, letter, most in of_run:
        if most is not None:
            takes, allowed = apart(letter, (v[letter],), most)
            yield Constraint(
                f"{name} of the run", "limit", "the plan", v[letter] / most,
                f"{takes} of {allowed} allowed", letter,
            )  # fmt: skip
    if (least := job.min_mfu) is not None and v["u"]:
        reaches, wanted = apart("u", (v["u"],), least)
        yield Constraint(
            "MFU", "limit", "the plan", taken("u", v["u"], least),
            f"{reaches}, where {wanted} is asked for", "u",
        )  # fmt: skip


def _slowing(v: Values) -> Iterator[Constraint]:
    """The parts of a step in which the model's own work waits, by what the step would save without.

    Where the part that takes most is not the one that costs most, the latter says why.
    """
    parts = {span.name: span for span in waterfall(v) if span.name not in WORK}
    if not parts:
        return
    shares = {name: span.seconds / v["T_step"] for name, span in parts.items()}
    saved = {name: 1 - without(plan(), v, name)["T_step"] / v["T_step"] for name in parts}
    most, longest = (max(by, key=lambda name: by[name]) for by in (saved, shares))
    said = _why(v)
    for name, span in parts.items():
        words = [said.get(name, ""), _apart(shares[name], saved[name])]
        if name == most != longest:
            words.append(f"{longest} takes {percent(shares[longest])}, but hides gradients: without it "
                         f"{percent(saved[longest])} saved")  # fmt: skip
        yield Constraint(
            name, "speed", "a faster step", saved[name], "; ".join(filter(None, words)), span.letter,
            shares[name],
        )  # fmt: skip


def _apart(share: Fraction, saved: Fraction) -> str:
    """Why a step does not save what a part of it takes."""
    if abs(saved - share) < TOLD:
        return ""
    if saved < share:
        return f"{percent(share)} of a step, but gradients hide behind it"
    return f"{percent(share)} of a step, and its bubble"


def _why(v: Values) -> dict[str, str]:
    """A few words for each part of a step that is not the model's own work."""
    all_flows = flows(v)
    said = {
        "norms, activations": "they wait for the device's memory",
        "computed again": "to save memory",
        "activations to the host": "the host's link is slower than a block computes",
        "bubble": f"{int(v['p'])} stages, {int(v['m']):,} micro-batches",
        "optimizer": "its state is read and written",
    }
    for name, axes in TRAFFIC.items():
        if own := [flow for flow in all_flows if flow.axis in axes]:
            seconds = sum(flow.seconds for flow in own)
            hidden = 1 - sum(flow.exposed for flow in own) / seconds if seconds else Fraction(0)
            said[name] = f"traffic {_places(own)}, {percent(hidden, 2)} hidden"
    return said


def _places(own: Sequence[Flow]) -> str:
    """Where traffic goes, each place with its share of the time where there are several."""
    times: dict[str, Fraction] = {}
    for flow in own:
        place = PLACES.get(flow.link, flow.link)
        times[place] = times.get(place, Fraction(0)) + flow.seconds
    if len(times) == 1:
        return next(iter(times))
    whole = sum(times.values())
    return " and ".join(f"{place} ({percent(time / whole, 2)})" for place, time in times.items())


def _stopping(v: Values) -> Iterator[Constraint]:
    """What is used up of the ways to share the work among more devices."""
    turn = v["p"] if v["v"] > 1 else Fraction(1)
    words = f"{int(v['m']):,} micro-batches, at least {int(turn)}"
    used = v["d"] * v["b_m"] * turn / v["b"]
    yield Constraint("sequences of the batch", "growth", "more replicas", used, words, "m")
    if v["p"] > 1:
        yield Constraint(
            "blocks to share out", "growth", "more stages", v["p"] * v["v"] / (v["L"] + 2),
            f"{int(v['p'] * v['v'])} chunks of {int(v['L']) + 2} at most", "k",
        )  # fmt: skip
    if 1 < v["t"] <= v["n_node"]:  # beyond a node this is no limit any more; a rule warns of it
        yield Constraint(
            "tensor ranks of a node", "growth", "a wider mesh", v["t"] / v["n_node"],
            f"{int(v['t'])} of {int(v['n_node'])} devices",
        )  # fmt: skip
