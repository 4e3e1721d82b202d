"""GO, GO IF or NO-GO, and the constraints that bind most."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from workings.planning.job import Job


@dataclass(frozen=True, slots=True)
class Constraint:
    """Something that must not be exceeded: how much of it is used, and what by."""

    name: str
    used: Fraction
    words: str
    letter: str = ""


@dataclass(frozen=True)
class Verdict:
    """The answer, why, and what it depends on."""

    word: str
    reason: str
    conditions: tuple[str, ...]
    constraints: tuple[Constraint, ...]


def verdict(
    job: Job,
    base: dict[str, Fraction],
    high: dict[str, Fraction],
    errors: tuple[str, ...] = (),
) -> Verdict:
    """GO where the plan fits even if every assumption goes against it and no rule is broken."""
    found = tuple(sorted(constraints(job, base), key=lambda c: (-c.used, c.name)))
    share, worst = base["u_M"], high["u_M"]
    limit, limit_if = _percent(job.limit), _percent(job.limit_if)
    if share > job.limit_if:
        reason = f"the fullest rank takes {_percent(share)} of the memory, more than {limit_if}"
        return Verdict("NO-GO", reason, errors, found)
    if errors:
        return Verdict("NO-GO", "a rule is broken that no run can break", errors, found)
    if share > job.limit:
        reason = f"the fullest rank takes {_percent(share)} of the memory, between {limit} and {limit_if}"
        return Verdict(
            "GO IF",
            reason,
            (f"the measured peak stays below {limit_if} of what the device reports",),
            found,
        )
    if worst > job.limit_if:
        reason = (
            f"the fullest rank takes {_percent(share)} of the memory, but {_percent(worst)} if every "
            "assumption goes against it"
        )
        return Verdict(
            "GO IF",
            reason,
            (f"the measured peak stays below {limit_if} of what the device reports",),
            found,
        )
    reason = f"the fullest rank takes {_percent(share)} of the memory, at worst {_percent(worst)}"
    return Verdict("GO", reason, (), found)


def constraints(job: Job, v: dict[str, Fraction]) -> Iterator[Constraint]:
    """What limits the layout, each as the share of its limit that is used."""
    yield Constraint(
        "memory",
        v["u_M"] / job.limit,
        f"{_percent(v['u_M'])} of what the device reports, limit {_percent(job.limit)}",
        "u_M",
    )
    if v["t"] > 1:
        yield Constraint(
            "tensor parallelism inside a node",
            v["t"] / v["n_node"],
            f"{int(v['t'])} of {int(v['n_node'])} devices",
            "t",
        )
    if v["p"] > 1:
        yield Constraint(
            "micro-batches to fill the pipeline",
            4 * v["p"] / v["m"],
            f"{int(v['m'])} micro-batches for {int(v['p'])} stages, 4 a stage wanted",
            "m",
        )
        yield Constraint(
            "blocks to share out",
            v["p"] * v["v"] / v["L"],
            f"{int(v['p'] * v['v'])} chunks of {int(v['L'])} blocks",
            "k",
        )
    yield Constraint(
        "sequences of the batch",
        v["d"] * v["b_m"] / v["b"],
        f"{int(v['d'])} replicas of {int(v['b_m'])} in {int(v['b'])} sequences",
        "m",
    )
    if v["T_d"]:
        window = v["T_hide"]
        if window:
            yield Constraint(
                "gradient traffic behind the backward",
                v["T_d"] / window,
                f"{_percent(v['T_d'] / window)} of the compute it may hide behind",
                "T_sync",
            )
    if v["T_t"]:
        yield Constraint(
            "tensor-parallel traffic beside compute",
            v["T_t"] / (v["T_fwd"] + v["T_bwd"]),
            f"{_percent(v['T_t'] / (v['T_fwd'] + v['T_bwd']))} of a block's compute",
            "T_t",
        )


def _percent(share: Fraction) -> str:
    return f"{float(share) * 100:.1f} %"
