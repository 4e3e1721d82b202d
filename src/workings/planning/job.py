"""A training job to plan: every letter the cost model starts from, with where its value comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal, NamedTuple

from workings.errors import UserError
from workings.units import Dimension
from workings.vocabulary.concept import Concept

Kind = Literal["given", "preset", "measured", "vendor", "assumed", "follows"]
Remark = Literal["read", "defaulted", "ignored", "contradicts", "taken"]  # otherwise than it stands


class JobError(UserError):
    """A job that cannot be read: one sentence naming file, key, what was found and expected."""


class Place(NamedTuple):
    """Where in the input a value was given: its file and key, empty for what nobody wrote."""

    file: str = ""
    key: str = ""


NO_PLACE = Place()


@dataclass(frozen=True, slots=True)
class Figure:
    """The value of a letter in base units, its origin, and the range it may lie in.

    `low` and `high` are what the letter may be in the case that costs least and most.
    """

    letter: str
    concept: Concept
    value: Fraction
    kind: Kind
    source: str
    low: Fraction | None = None
    high: Fraction | None = None
    place: Place = NO_PLACE

    @property
    def dimension(self) -> Dimension:
        """Its unit."""
        return self.concept.dimension

    @property
    def sure(self) -> bool:
        """Whether it is one number and no range."""
        return self.low is None and self.high is None


class Noted(NamedTuple):
    """What became of a key of an input file."""

    remark: Remark
    file: str
    key: str
    text: str


class Cover(NamedTuple):
    """What the first page of a review says of itself; nothing here is computed."""

    decision: str = ""
    owner: str = ""
    version: str = ""
    date: str = ""
    caveats: tuple[str, ...] = ()  # what its author knows and the plan does not, each a sentence
    conditions: tuple[str, ...] = ()  # what its author asks for before it is GO, each a sentence


NO_COVER = Cover()


class Results(NamedTuple):
    """Results of a run by letter, in base units, where they are from, and the digits of the job.

    `counts` is the share of attention's scores that the source counts among the model's FLOPs, several
    where it does not say which; `why` says why the model may differ; `of` stands for model and layout,
    `model` for the model alone.
    """

    values: Mapping[str, Fraction]
    source: str = ""
    of: str = ""
    counts: tuple[Fraction, ...] = ()
    why: str = ""
    model: str = ""


NO_RESULTS = Results({})


class Carried(NamedTuple):
    """What a run of the job's model, in any layout, showed beside the model: a step, a peak of memory.

    `times` are its step over what the model says of it, `bytes` its peak less that; None where no run
    showed it.
    """

    times: Fraction | None = None
    bytes: Fraction | None = None


NOTHING_CARRIED = Carried()


@dataclass(frozen=True)
class Job:
    """A model, a cluster and a layout, ready to be evaluated.

    Where no layout was `chosen`, neutral values stand in its place until a search finds one.
    """

    name: str
    figures: Mapping[str, Figure]
    chosen: bool = True
    noted: tuple[Noted, ...] = ()
    cover: Cover = NO_COVER
    files: Mapping[str, bytes] = field(default_factory=dict, repr=False)  # every file read, by name
    limit: Fraction = Fraction(9, 10)  # share of the reported memory that a search fills
    limit_if: Fraction = Fraction(97, 100)  # that a review allows
    max_time: Fraction | None = None  # seconds that the whole run may take
    max_cost: Fraction | None = None  # USD that it may cost
    min_mfu: Fraction | None = None  # share of the peak that its model FLOPs must reach
    measured: Results = NO_RESULTS  # of its own run
    awaited: Results = NO_RESULTS  # of a layout of its model, which a search has yet to find again
    published: Results = NO_RESULTS
    carried: Carried = NOTHING_CARRIED
    device: str = ""  # what its devices are called
    mtbf: Fraction | None = None  # seconds between failures of one device, in the mean, where it is known
    framework: str = ""  # the program that trains it, by its key in FRAMEWORKS, where one is named

    @property
    def hashes(self) -> dict[str, str]:
        """SHA-256 of every file read, by name."""
        from hashlib import sha256  # noqa: PLC0415 - slow to load, and only reviews need it

        return {name: sha256(data).hexdigest() for name, data in self.files.items()}

    def values(self) -> dict[str, Fraction]:
        """The value of every letter."""
        return {letter: figure.value for letter, figure in self.figures.items()}

    def with_values(self, values: Mapping[str, Fraction]) -> Job:
        """The same job with some letters at other values: another layout, say."""
        changed = {n: replace(self.figures[n], value=v) for n, v in values.items() if n in self.figures}
        return replace(self, figures={**self.figures, **changed})
