"""ZB-V: two chunks on each rank, laid out as a V, so that the first rank also has the last chunk.

Rank r holds chunk r of the model (its chunk 0) and chunk 2p - 1 - r (its chunk 1). Nothing is
written down in advance: whenever a rank is free, it takes what is ready in a fixed order of
preference, and no forward while it holds as many chunks as it may. All tasks of a chunk take one
tick, forward, gradient of the input and gradients of the weights alike.
"""

from ._checks import positive_count
from .schedule import Kind, Schedule, Task

_Work = tuple[Kind, int]  # what is done, and on which of a rank's two chunks

FILLING: tuple[_Work, ...] = (
    ("forward", 1), ("input gradient", 0), ("forward", 0), ("weight gradient", 0),
    ("input gradient", 1), ("weight gradient", 1),
)  # fmt: skip
"""What a rank prefers while it has forwards left: those that let others go on, then what makes room."""

DRAINING: tuple[_Work, ...] = (
    ("input gradient", 0), ("input gradient", 1), ("weight gradient", 0), ("weight gradient", 1),
)  # fmt: skip
"""What it prefers after that: gradients that others wait for, and nobody waits for those of weights."""


def zb_v(ranks: int, microbatches: int, held: int) -> Schedule:
    """Run ZB-V with at most `held` chunks of micro-batches on a rank, forward to weight gradients.

    ValueError if a number is below 1. AssertionError if that is too few to go on.
    """
    positive_count("held", held)
    run = _Run(positive_count("ranks", ranks), positive_count("microbatches", microbatches), held)
    while len(run.tasks) < 6 * ranks * microbatches:
        run.tick()
    return Schedule(ranks, microbatches, tuple(run.tasks))


def fewest_held(ranks: int, microbatches: int) -> int:
    """Return the fewest chunks a rank must be allowed to hold for none to wait between its tasks."""
    for held in range(1, 2 * ranks * microbatches + 1):
        try:
            run = zb_v(ranks, microbatches, held)
        except AssertionError:
            continue
        if all(run.span(rank) == run.busy(rank) for rank in range(ranks)):
            return held
    raise AssertionError("Some rank waits however much it holds.")


class _Run:
    """Ranks that work tick by tick."""

    def __init__(self, ranks: int, microbatches: int, held: int) -> None:
        self.ranks, self.microbatches, self.most = ranks, microbatches, held
        self.now = 0
        self.tasks: list[Task] = []
        self.done: dict[tuple[Kind, int], int] = {}  # micro-batches by kind and chunk of the model
        self.held = [0] * ranks

    def tick(self) -> None:
        """Let every rank take one task of those that were ready when the tick began."""
        taken = [(rank, work) for rank in range(self.ranks) if (work := self._preferred(rank))]
        if not taken:
            raise AssertionError("The ranks wait for one another.")
        for rank, (kind, chunk) in taken:
            stage = self._stage(rank, chunk)
            microbatch = self._done(kind, stage)
            self.done[kind, stage] = microbatch + 1
            self.tasks.append(Task(rank, microbatch, kind, self.now, self.now + 1, chunk))
            self.held[rank] += {"forward": 1, "weight gradient": -1}.get(kind, 0)
        self.now += 1

    def _preferred(self, rank: int) -> _Work | None:
        """The first work in the rank's order of preference that is ready."""
        left = any(self._done("forward", self._stage(rank, c)) < self.microbatches for c in (0, 1))
        order = FILLING if left else DRAINING
        return next((work for work in order if self._ready(rank, *work)), None)

    def _ready(self, rank: int, kind: Kind, chunk: int) -> bool:
        """Whether all that the next task of a kind on a chunk needs was done before this tick."""
        stage = self._stage(rank, chunk)
        next_one = self._done(kind, stage)
        if kind == "weight gradient":
            return next_one < self._done("input gradient", stage)
        if kind == "input gradient":
            there = self._done("forward", stage)
            if stage < 2 * self.ranks - 1:
                there = min(there, self._done(kind, stage + 1))
            return next_one < there
        there = self._done(kind, stage - 1) if stage else self.microbatches
        return next_one < there and self.held[rank] < self.most

    def _done(self, kind: Kind, stage: int) -> int:
        return self.done.get((kind, stage), 0)

    def _stage(self, rank: int, chunk: int) -> int:
        return 2 * self.ranks - 1 - rank if chunk else rank
