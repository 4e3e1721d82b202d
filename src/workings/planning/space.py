# ruff: noqa: N803 - the arguments of a constraint are letters of the plan
"""The layouts that a search goes through: its axes, and the constraints that tie them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from math import isqrt
from typing import Any, NamedTuple

from workings.planning.constraint import Constraint
from workings.planning.frameworks import refused
from workings.planning.generations import generation
from workings.planning.job import Job, JobError
from workings.planning.recomputed import spelled, stated

MOST_DEVICES = 10**7
MOST_WHOLE = 2**31  # of whole letters, so that their products stay whole in 64 bits
# What a job calls the letters that are axes.
KEYS: Mapping[str, str] = {
    "t": "tp", "c": "cp", "p": "pp", "e": "ep", "t_e": "etp", "v": "virtual_stages", "b_m": "microbatch",
}  # fmt: skip


class Axis(NamedTuple):
    """One choice of a layout: the letters it sets, and the values it may take, simplest first."""

    name: str
    letters: tuple[str, ...]
    values: tuple[tuple[int, ...], ...]
    labels: tuple[str, ...] = ()

    def only(self, wanted: Iterable[int]) -> Axis:
        """The same axis with some of its values, by their place."""
        places = tuple(wanted)
        labels = tuple(self.labels[i] for i in places) if self.labels else ()
        return Axis(self.name, self.letters, tuple(self.values[i] for i in places), labels)


class Space(NamedTuple):
    """Axes that constraints tie to each other, axes that are free, and what is given."""

    tied: tuple[Axis, ...]
    free: tuple[Axis, ...]
    constraints: tuple[Constraint, ...]
    switches: tuple[Constraint, ...]  # of a free axis and tied letters
    given: Mapping[str, int]

    @property
    def size(self) -> int:
        """How many layouts there would be without constraints."""
        return reduce(lambda n, axis: n * len(axis.values), (*self.tied, *self.free), 1)

    def allows(self, layout: Mapping[str, Fraction | int]) -> bool:
        """Whether one layout fulfils every constraint."""
        return not self.broken(layout)

    def broken(self, layout: Mapping[str, Fraction | int]) -> tuple[str, ...]:
        """The constraints that one layout breaks, in words."""
        values = {**self.given, **{name: int(value) for name, value in layout.items()}}
        return tuple(
            c.words for c in (*self.constraints, *self.switches)
            if not c.holds(*(values[name] for name in c.letters))
        )  # fmt: skip


# Written with & and | so that they read arrays of layouts as well as one; `d` follows from the mesh.
CONSTRAINTS = (
    Constraint("t divides the attention heads", lambda t, H, z_h: (z_h == 0) | (H % t == 0)),
    Constraint("t divides the key-value heads, or they divide t",
               lambda t, K, z_h: (z_h == 0) | (K % t == 0) | (t % (K + (K == 0)) == 0)),
    Constraint("t divides the width of the feed-forward", lambda t, F: F % t == 0),
    Constraint("c divides half the sequence: each rank takes a chunk from both of its ends",
               lambda c, s: (c == 1) | (s % (2 * c) == 0)),
    Constraint("t, c and p divide the devices", lambda t, c, n: n % (t * c) == 0),
    Constraint("t, c and p divide the devices", lambda t, c, p, n: n % (t * c * p) == 0),
    Constraint("the replicas divide the batch", lambda t, c, p, n, b: b % _replicas(t, c, p, n) == 0),
    Constraint("the copies of the sharded state divide the ranks that hold it",
               lambda t, c, p, n, n_r: (c * _replicas(t, c, p, n)) % n_r == 0),
    Constraint("e divides the experts", lambda e, E: (e == 1) | ((E > 0) & (E % e == 0))),
    Constraint("t_e is t or 1", lambda t, t_e, E: (E == 0) | (t_e == t) | (t_e == 1)),
    Constraint("t_e divides the width of an expert", lambda t_e, F_E: F_E % t_e == 0),
    Constraint("t_e, e and p divide the devices", lambda p, e, t_e, n: n % (t_e * e * p) == 0),
    Constraint("a rank holds one chunk where the pipeline has one stage",
               lambda p, v: (v == 1) | (p > 1)),
    Constraint("only the first and the last chunk may hold fewer blocks",
               lambda p, v, L: _spare(p * v, L) <= 2 * _largest(p * v, L)),
    Constraint("micro-batches divide a replica's sequences",
               lambda t, c, p, b_m, n, b: (b // _replicas(t, c, p, n)) % b_m == 0),
    Constraint("stages divide the micro-batches where a rank holds several chunks",
               lambda t, c, p, v, b_m, n, b: (v == 1) | (b // (_replicas(t, c, p, n) * b_m) % p == 0)),
    Constraint("a rank holds one chunk under the schedule that the job names",
               lambda p, v, z_zb, z_bi: (z_zb + z_bi == 0) | (p == 1) | (v == 1)),
    Constraint("the schedule that the job names has as many micro-batches as it needs",
               lambda t, c, p, b_m, n, b, z_zb, z_bi:
               (z_zb + z_bi == 0) | (p == 1) | (b // (_replicas(t, c, p, n) * b_m) >= p * (1 + z_bi))),
    Constraint("DualPipe has even numbers of stages and of micro-batches",
               lambda t, c, p, b_m, n, b, z_bi:
               (z_bi == 0) | ((p % 2 == 0) & (b // (_replicas(t, c, p, n) * b_m) % 2 == 0))),
)  # fmt: skip

SWITCHES = (
    Constraint("sequence parallelism needs tensor parallelism, whose ranks share the sequence evenly",
               lambda t, c, z_s, s: (z_s == 0) | ((t > 1) & (s % (c * t) == 0))),
    Constraint("ZeRO needs ranks to share with",
               lambda t, c, p, z_1, n, n_r: (z_1 == 0) | (c * _replicas(t, c, p, n) > n_r)),
)  # fmt: skip


def _replicas(t: Any, c: Any, p: Any, n: int) -> Any:
    """d, and 1 instead of none where the mesh is larger than the devices."""
    d = n // (t * c * p)
    return d + (d == 0)


def _largest(chunks: Any, blocks: int) -> Any:
    """Blocks of the largest chunk."""
    return -(-blocks // chunks)


def _spare(chunks: Any, blocks: int) -> Any:
    """Blocks that there would be too many of, were all chunks as large."""
    return chunks * _largest(chunks, blocks) - blocks


def _deals(p: int, v: int, blocks: int) -> bool:
    """Whether blocks can be dealt out to so many stages and chunks."""
    return (v == 1 or p > 1) and _spare(p * v, blocks) <= 2 * _largest(p * v, blocks)


RECOMPUTE = Axis("recompute", ("z_c", "z_f"), ((0, 0), (1, 0), (0, 1)), ("none", "core", "full"))
ZERO = Axis("zero", ("z_1", "z_2", "z_3"), ((0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1)),
            ("0", "1", "2", "3"))  # fmt: skip
SEQUENCE = Axis("sequence_parallel", ("z_s",), ((0,), (1,)), ("no", "yes"))
FREE = (ZERO, RECOMPUTE, SEQUENCE)


def free_axes(job: Job) -> tuple[Axis, ...]:
    """The free axes; what a job states of parts computed again is not searched."""
    values = job.values()
    if not stated(values):
        return FREE
    only = Axis(
        "recompute", RECOMPUTE.letters, ((int(values["z_c"]), int(values["z_f"])),), (spelled(values),)
    )
    return (ZERO, only, SEQUENCE)


def space(
    job: Job,
    only: Mapping[str, Sequence[int | str]] | None = None,
    largest_tp: int | None = None,
    most_chunks: int | None = None,
) -> Space:
    """Every layout of a job; `only` restricts axes by letter, key or name to some values.

    `largest_tp` bounds tensor parallelism, a node's devices where nothing is said, and `most_chunks` the
    chunks of a rank. Raises JobError.
    """
    letters = {key: letter for letter, key in KEYS.items()}
    given = _given(job)
    only = {letters.get(name, name): values for name, values in (only or {}).items()}
    choices = _choices(given, largest_tp or given["n_node"])
    if most_chunks is not None:
        choices["v"] = [v for v in choices["v"] if v <= most_chunks]
    axes = (Axis(name, (name,), tuple((v,) for v in several)) for name, several in choices.items())
    tied = tuple(_restricted(job, axis, only) for axis in axes)
    free = tuple(_restricted(job, axis, only) for axis in free_axes(job))
    if only:
        names = ", ".join((*KEYS.values(), *(axis.name for axis in free_axes(job))))
        raise JobError(f"{job.name}: found an axis {next(iter(only))!r:.40}, expected one of {names}")
    searched = {letter for axis in (*tied, *free) for letter in axis.letters}
    fixed = {name: value for name, value in given.items() if name not in searched}
    return Space(
        tied, free, CONSTRAINTS, (*SWITCHES, *refused(job.framework, generation(job.device))), fixed
    )


def _given(job: Job) -> dict[str, int]:
    """The whole letters of a job. Raises JobError where one that a constraint needs is none."""
    values = job.values()
    given = {name: int(v) for name, v in values.items() if v.denominator == 1 and abs(v) < MOST_WHOLE}
    for needed in ("n", "b", "s", "L", "F", "H", "K", "E", "F_E", "n_r", "n_node", "z_h"):
        if needed not in given:
            found = values.get(needed)
            raise JobError(f"{job.name}, {needed}: found {found}, expected a whole number < {MOST_WHOLE}")
    if not 1 <= given["n"] <= MOST_DEVICES or min(given["b"], given["s"], given["L"]) < 1:
        raise JobError(
            f"{job.name}: found n = {given['n']}, b = {given['b']}, s = {given['s']}, L = {given['L']}, "
            f"expected 1 to {MOST_DEVICES:,} devices, and sequences, tokens and blocks"
        )
    return given


def _choices(given: Mapping[str, int], largest_tp: int) -> dict[str, list[int]]:
    """The values of each letter that no constraint forbids by itself, simplest first."""
    shares = divisors(given["n"])
    chunks = given["L"] + 2  # the ends' chunks may hold no block
    tensor = [t for t in shares if t <= largest_tp]
    return {
        "t": tensor,
        "c": [c for c in shares if c == 1 or given["s"] % (2 * c) == 0],
        "p": [p for p in shares if p <= chunks],
        "e": [e for e in divisors(max(1, given["E"])) if e <= given["n"]],
        "t_e": tensor if given["E"] else [1],
        "v": [v for v in range(1, chunks) if any(_deals(p, v, given["L"]) for p in shares)],
        "b_m": divisors(given["b"]),
    }


def _restricted(job: Job, axis: Axis, only: dict[str, Sequence[int | str]]) -> Axis:
    """The axis with the values asked for, each of which must be one of its own."""
    wanted = only.pop(axis.name, None)
    if wanted is None:
        return axis
    key = KEYS.get(axis.name, axis.name)
    own = [str(label) for label in axis.labels or [value[0] for value in axis.values]]
    places = []
    for one in dict.fromkeys(str(value) for value in wanted):
        if one not in own:
            shown = ", ".join(own[:12]) + (", …" if len(own) > 12 else "")
            raise JobError(f"{job.name}, {key}: found {one!r:.40}, expected one of {shown}")
        places.append(own.index(one))
    if not places:
        raise JobError(f"{job.name}, {key}: found no value, expected at least one")
    return axis.only(places)


def divisors(n: int) -> list[int]:
    """The divisors of a whole number, in order."""
    small = [i for i in range(1, isqrt(n) + 1) if n % i == 0]
    return small + [n // i for i in reversed(small) if i * i != n]
