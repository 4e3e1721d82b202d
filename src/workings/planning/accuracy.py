"""How far the cost model is off, by the published runs of reports/validation, one by one.

`evidence.json` is written with that report: of each run its source, its device's generation, its
precision, the published figure over the predicted one, and the letters that tell what it had. Where runs
lie is asked of sources alike: those of a source that has many count less each.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from typing import NamedTuple

from workings.planning.bound import FALLING

SOURCES = 9  # from which on runs are told apart by what they have: the last of nine is P90 of a tenth
FEW, FAR = 20, Fraction(1, 10)  # runs, and their median error, at which evidence counts as weak
MOST_CHUNKS = 12  # of a rank, in nearly all published runs
LIKELY = ("M", "T_step", "R_s", "u", "T_run", "c_run")  # results that have a likely range


class Spread(NamedTuple):
    """Published over predicted: eight of ten lie from `least` to `most`, half of them below `middle`."""

    least: Fraction
    middle: Fraction
    most: Fraction


@dataclass(frozen=True, eq=False)
class Run:
    """A published figure: on what, over what the model says of it, what the run had, and which program.

    `program` is what `launch.framework` calls it, or was made from it; empty for any other. A step time
    also has the run's `name`, and its MFU, with half of attention's scores counted. Runs of one `page`
    are told of by the same people. `figure` is what was published, in seconds or bytes.
    """

    generation: str
    precision: str
    ratio: Fraction
    values: Mapping[str, Fraction]
    source: str
    program: str = ""
    name: str = ""
    mfu: Fraction = Fraction(0)
    page: str = ""
    figure: Fraction = Fraction(0)

    @cached_property
    def error(self) -> Fraction:
        """The model's figure over the published one, less one."""
        return 1 / self.ratio - 1


class Feature(NamedTuple):
    """What a run has where `letter` is more than `above`."""

    name: str
    letter: str
    above: int

    def holds(self, values: Mapping[str, Fraction]) -> bool:
        """Whether a layout has it."""
        return values[self.letter] > self.above


FEATURES = (
    Feature("tensor parallelism", "t", 1),
    Feature("context parallelism", "c", 1),
    Feature("context parallelism of more than 4", "c", 4),
    Feature("a pipeline", "p", 1),
    Feature("more than 16 stages", "p", 16),
    Feature("several chunks a rank", "v", 1),
    Feature(f"more than {MOST_CHUNKS} chunks a rank", "v", MOST_CHUNKS),
    Feature("expert parallelism", "e", 1),
    Feature("sharded weights (ZeRO-3)", "z_3", 0),
    Feature("blocks computed again", "z_f", 0),
    Feature("latent attention", "r_kv", 0),
    Feature("an optimizer with the host", "x_off", 0),
    Feature("1,024 devices or more", "n", 1023),
)
MODEL = ("D", "L", "E", "z_h")  # and F, or of experts F_E, and nearly V: runs of one model
SAME = (*MODEL, "F", "F_E", "V", "s")  # what runs of a pair share, beside page, program and devices
LETTERS = (*dict.fromkeys(f.letter for f in FEATURES), "z_2", *SAME)  # of `evidence.json`


class Evidence(NamedTuple):
    """Published step times of runs with a feature, and the model's errors there."""

    feature: Feature
    rows: int
    median: Fraction = Fraction(0)
    signed: Fraction = Fraction(0)
    alike: Fraction = Fraction(0)  # signed, of sources alike, as the odds of a review are
    size: Fraction = Fraction(0)  # of errors without their sign, likewise

    @property
    def weak(self) -> bool:
        """Whether there are few such runs, or the model is far off in them."""
        return self.rows < FEW or self.median > FAR


@cache
def _text() -> str:
    return files("workings.planning").joinpath("evidence.json").read_text(encoding="utf-8")


def edition() -> str:
    """Eight digits that stand for the published runs: with others, odds are others."""
    from hashlib import sha256  # noqa: PLC0415 - slow to load, and a search needs none

    return sha256(_text().encode()).hexdigest()[:8]


@cache
def _published(kind: str) -> tuple[Run, ...]:
    """The published runs of step times (`time`) or of measured peaks (`memory`)."""
    return tuple(
        Run(generation, precision, Fraction(ratio),
            dict(zip(LETTERS, (Fraction(value) for value in values), strict=True)), source, program,
            name, Fraction(mfu), page, Fraction(figure))
        for generation, precision, ratio, values, source, program, name, mfu, page, figure
        in json.loads(_text())[kind]
    )  # fmt: skip


def step_times() -> tuple[Run, ...]:
    """Every published step time, but those that the model was fitted to."""
    return _published("time")


def peaks() -> tuple[Run, ...]:
    """Every published peak of memory that was measured."""
    return _published("memory")


def alike(runs: Sequence[Run], generation: str, precision: str) -> tuple[Run, ...]:
    """Those that ran on devices of one generation at one precision."""
    return tuple(r for r in runs if r.generation == generation and r.precision == precision)


def of_kind(runs: Sequence[Run], values: Mapping[str, Fraction], program: str = "") -> tuple[Run, ...]:
    """Those that shard weights, or have experts, as a layout does, of the program if one is named.

    Of any program where these are of few sources, and all where those are too.
    """
    some = tuple(r for r in runs if kind(r.values) == kind(values))
    own = tuple(r for r in some if r.program == program) if program else ()
    return next((found for found in (own, some) if enough(found)), tuple(runs))


def of_memory(runs: Sequence[Run], generation: str, precision: str, program: str = "") -> tuple[Run, ...]:
    """Measured peaks at a precision, of the program that is named where it has enough of them.

    What a rank holds does not hang on its device, but for TPUs, on which a compiler places everything.
    """
    some = tuple(
        r for r in runs
        if r.precision == precision and r.generation.startswith("TPU") == generation.startswith("TPU")
    )  # fmt: skip
    own = tuple(r for r in some if r.program == program) if program else ()
    return own if enough(own) else some


def enough(runs: Sequence[Run]) -> bool:
    """Whether there are sources enough, from which odds can be told."""
    return len({run.source for run in runs}) >= SOURCES


def kind(values: Mapping[str, Fraction]) -> str:
    """Whether a run shards its gradients, with its weights or without, or else has experts."""
    return "sharded" if values["z_2"] else "experts" if values["E"] else "plain"


def median(numbers: Sequence[Fraction]) -> Fraction:
    """The middle one, or the mean of the two in the middle."""
    ordered = sorted(numbers)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def off_by(runs: Sequence[Run]) -> Fraction:
    """The median of the errors' sizes."""
    return median([abs(run.error) for run in runs])


def spread(runs: Sequence[Run]) -> Spread | None:
    """Where eight of ten new ones lie; of too few sources it cannot be told."""
    if not enough(runs):
        return None
    return Spread(*at_shares(runs, [Fraction(tenths, 10) for tenths in (1, 5, 9)]))


def widened(low: Fraction, high: Fraction, runs: Sequence[Run]) -> Spread:
    """What is assumed over the model where no run on such devices tells: no narrower than all runs."""
    everywhere = spread(runs)
    ends = (low, high) if everywhere is None else (low, high, everywhere.least, everywhere.most)
    return Spread(min(ends), Fraction(1), max(ends))


def at_shares(runs: Sequence[Run], shares: Sequence[Fraction]) -> list[Fraction]:
    """Published over predicted below which a new source lies with these chances, each source alike.

    Of n known sources the first is where the chance is 1/(n + 1), and the last n/(n + 1): left out one
    at a time, sources lie within P10 to P90 so in eight of ten cases, and without in fewer.
    """
    return list(_at_shares(tuple(runs), tuple(shares)))


@lru_cache(256)  # a review asks the same of the same runs at every threshold
def _at_shares(runs: tuple[Run, ...], shares: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    number = Counter(run.source for run in runs)
    weighed = sorted((run.ratio, Fraction(1, number[run.source])) for run in runs)
    return tuple(_quantile(weighed, share * (len(number) + 1) - Fraction(1, 2)) for share in shares)


def _quantile(weighed: Sequence[tuple[Fraction, Fraction]], wanted: Fraction) -> Fraction:
    """Where so much weight lies below, of values in ascending order; each one's in its middle."""
    below = Fraction(0)
    before: tuple[Fraction, Fraction] | None = None
    for value, weight in weighed:
        here = below + weight / 2
        if here >= wanted:
            if before is None:
                return value
            low, at = before
            return low + (value - low) * (wanted - at) / (here - at)
        before, below = (value, here), below + weight
    return weighed[-1][0]


def with_feature(runs: Sequence[Run], feature: Feature) -> Evidence:
    """The runs that have it, and the errors there."""
    some = [run for run in runs if feature.holds(run.values)]
    if not some:
        return Evidence(feature, 0)
    half = [Fraction(1, 2)]
    signed, alike = median([run.error for run in some]), 1 / at_shares(some, half)[0] - 1
    size = at_shares([replace(run, ratio=abs(run.error)) for run in some], half)[0]
    return Evidence(feature, len(some), off_by(some), signed, alike, size)


@cache
def evidence(runs: tuple[Run, ...]) -> tuple[Evidence, ...]:
    """Every feature with what some runs say of it."""
    return tuple(with_feature(runs, feature) for feature in FEATURES)


@cache
def model_error() -> Fraction:
    """What the model cannot tell apart: its median error of all published step times."""
    return round(off_by(step_times()), 3)


def likely(value: Fraction, letter: str, found: Spread) -> Spread:
    """Where a result would lie if it were one of eight of ten published ones, the better end first."""
    if letter in FALLING:
        found = Spread(*(1 / share for share in found))
    return Spread(*(value * share for share in found))
