"""One optimizer step of data-parallel training on real vectors: DDP, ZeRO-1, 2 and 3, and hybrids.

The ranks form a grid: the `shards` ranks of a row share one copy of the state, and `replicas`
rows hold equal copies. Plain DDP is one column, ZeRO and FSDP one row, HSDP both. Gathers and
reduce-scatters go round the ring of a row, all-reduces round the ring of a column.

Every rank computes the gradient of a sample of its own from the weights it holds at that moment,
so weights that were not gathered, or gradients that were lost or counted twice, show in the
updated weights. These are compared with a step of a single device over all samples, and
AssertionError is raised if they differ. What is counted is the share of the whole model that a
rank sends: every value here stands for an equal part of a model of any size.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from ._checks import positive_count
from ._walks import all_reduce_walk, gather_walk, reduce_scatter_walk

Vector: TypeAlias = tuple[Fraction, ...]


@dataclass(frozen=True)
class Strategy:
    """What a rank keeps, and when it communicates.

    gather: when a rank that holds one shard of the weights gathers them all: for each forward and
    each backward ("each pass"), for a forward and its backward ("each micro-batch"), or for all
    micro-batches ("once"). "never": it holds all weights, and gathers those that others updated.
    scatter_each: gradients are reduce-scattered after each micro-batch (else after the last).
    all_reduce_each: the same for the all-reduce between replicas, which follows the scatter.
    """

    gather: Literal["never", "each pass", "each micro-batch", "once"]
    scatter_each: bool
    all_reduce_each: bool = False


DDP = Strategy("never", scatter_each=False)
DDP_SYNC_EACH = Strategy("never", scatter_each=True, all_reduce_each=True)
ZERO_1 = Strategy("never", scatter_each=False)
ZERO_2 = Strategy("never", scatter_each=True)
ZERO_3 = Strategy("each pass", scatter_each=True)
ZERO_3_NO_SYNC = Strategy("each pass", scatter_each=False)
KEPT_FOR_BACKWARD = Strategy("each micro-batch", scatter_each=True)
KEPT_FOR_ALL = Strategy("once", scatter_each=False)


@dataclass(frozen=True)
class Step:
    """What every rank sent in a step, in shares of the whole model.

    gathered: weights, on the ring of its row; scattered: gradients, on the same ring;
    all_reduced: gradients, on the ring of its column.
    held: the share of the model's gradients that it keeps between micro-batches.
    """

    gathered: Fraction
    scattered: Fraction
    all_reduced: Fraction
    held: Fraction


def training_step(shards: int, replicas: int, microbatches: int, how: Strategy) -> Step:
    """Run one step over `microbatches` of one sample a rank; ValueError if a number is below 1."""
    run = _Run(positive_count("shards", shards), positive_count("replicas", replicas), how)
    for microbatch in range(positive_count("microbatches", microbatches)):
        run.microbatch(microbatch)
    run.finish_gradients()
    run.update()
    _compare(run, microbatches)
    return run.counted()


class _Run:
    """The state of all ranks: rank `replica * shards + shard` holds that shard of that replica.

    Shards have as many values as there are replicas, so that both rings get equal chunks.
    """

    def __init__(self, shards: int, replicas: int, how: Strategy) -> None:
        self.shards, self.replicas, self.how = shards, replicas, how
        self.start = tuple(Fraction(1 + i % 3, 2) for i in range(shards * replicas))
        self.ranks = range(shards * replicas)
        self.rows = [list(self.ranks[i : i + shards]) for i in self.ranks[::shards]]
        self.columns = [list(self.ranks[shard::shards]) for shard in range(shards)]
        self.shard = [self.part(self.start, rank % shards) for rank in self.ranks]
        self.whole: list[Vector | None] = [
            self.start if how.gather == "never" else None for _ in self.ranks
        ]
        self.local = self.nothing(len(self.start))
        self.scattered, self.reduced = self.nothing(replicas), self.nothing(replicas)
        self.sent = {kind: [0 for _ in self.ranks] for kind in ("gather", "scatter", "all-reduce")}

    def microbatch(self, microbatch: int) -> None:
        """Forward, backward, and what is communicated around them."""
        self.gather_weights()
        outputs = [_forward(self.held(r), _sample(r, microbatch)) for r in self.ranks]
        if self.how.gather == "each pass":
            self.free_weights()
        self.gather_weights()
        for rank, output in enumerate(outputs):
            gradient = _backward(self.held(rank), _sample(rank, microbatch), output)
            self.local[rank] = _sum(self.local[rank], gradient)
        if self.how.gather in ("each pass", "each micro-batch"):
            self.free_weights()
        if self.how.scatter_each:
            self.scatter_gradients()
        if self.how.all_reduce_each:
            self.all_reduce_gradients()

    def finish_gradients(self) -> None:
        """Communicate what was only added up so far."""
        if not self.how.scatter_each:
            self.scatter_gradients()
        if not self.how.all_reduce_each:
            self.all_reduce_gradients()

    def update(self) -> None:
        """Update every shard; where ranks hold all weights, gather the updated ones."""
        self.shard = list(map(_updated, self.shard, self.reduced))
        self.free_weights()
        if self.how.gather == "never":
            self.gather_weights()

    def gather_weights(self) -> None:
        """All-gather the weights round each row, unless its ranks have them already."""
        for row in self.rows:
            if self.whole[row[0]] is not None:
                continue
            walk = gather_walk([self.shard[rank] for rank in row])
            self.log("gather", row, walk.sent)
            for rank, shards in zip(row, walk.held, strict=True):
                self.whole[rank] = tuple(value for shard in shards for value in shard)

    def free_weights(self) -> None:
        """Forget all weights but a rank's own shard."""
        self.whole = [None for _ in self.ranks]

    def scatter_gradients(self) -> None:
        """Reduce-scatter the local gradients round each row."""
        for row in self.rows:
            vectors = [[self.part(self.local[r], s) for s in range(self.shards)] for r in row]
            walk = reduce_scatter_walk(vectors, _sum)
            self.log("scatter", row, walk.sent)
            for rank, shards in zip(row, walk.held, strict=True):
                self.scattered[rank] = _sum(self.scattered[rank], shards[0])
        self.local = self.nothing(len(self.start))

    def all_reduce_gradients(self) -> None:
        """All-reduce the scattered gradients round each column, value by value."""
        for column in self.columns:
            vectors: list[list[Vector]] = [[(v,) for v in self.scattered[r]] for r in column]
            walk = all_reduce_walk(vectors, _sum)
            self.log("all-reduce", column, walk.sent)
            for rank, chunks in zip(column, walk.held, strict=True):
                whole = tuple(value for chunk in chunks for value in chunk)
                self.reduced[rank] = _sum(self.reduced[rank], whole)
        self.scattered = self.nothing(self.replicas)

    def log(self, kind: str, ring: Sequence[int], sent: Sequence[Sequence[Vector]]) -> None:
        """Count the values that each rank of a ring sent."""
        for rank, payloads in zip(ring, sent, strict=True):
            self.sent[kind][rank] += sum(len(payload) for payload in payloads)

    def counted(self) -> Step:
        """The log as shares of the model; AssertionError if the ranks sent unlike amounts."""
        if any(len(set(sent)) != 1 for sent in self.sent.values()):
            raise AssertionError("The ranks sent unlike amounts.")
        gathered, scattered, all_reduced = (Fraction(s[0], len(self.start)) for s in self.sent.values())
        kept = self.replicas if self.how.scatter_each else len(self.start)
        return Step(gathered, scattered, all_reduced, Fraction(kept, len(self.start)))

    def held(self, rank: int) -> Vector:
        """All weights; AssertionError if the rank has only its shard."""
        whole = self.whole[rank]
        if whole is None:
            raise AssertionError(f"Rank {rank} computes without the weights.")
        return whole

    def part(self, vector: Vector, shard: int) -> Vector:
        """One shard of a vector."""
        return vector[shard * self.replicas : (shard + 1) * self.replicas]

    def nothing(self, length: int) -> list[Vector]:
        """A vector of zeros for each rank."""
        return [(Fraction(0),) * length for _ in self.ranks]


def _compare(run: _Run, microbatches: int) -> None:
    """Raise AssertionError unless every rank has the weights of a step on a single device."""
    total = (Fraction(0),) * len(run.start)
    for microbatch in range(microbatches):
        for rank in run.ranks:
            sample = _sample(rank, microbatch)
            total = _sum(total, _backward(run.start, sample, _forward(run.start, sample)))
    expected = _updated(run.start, total)
    for rank in run.ranks:
        if run.shard[rank] != run.part(expected, rank % run.shards):
            raise AssertionError(f"Rank {rank} has other weights than a single device.")
        if run.how.gather == "never" and run.held(rank) != expected:
            raise AssertionError(f"Rank {rank} has other weights than a single device.")


def _sample(rank: int, microbatch: int) -> Fraction:
    """The one number a rank sees in a micro-batch; no two are equal."""
    return Fraction(1 + rank, 2 + microbatch)


def _forward(weights: Vector, sample: Fraction) -> Fraction:
    """A prediction that every weight takes part in."""
    return sum((w * (sample + i) for i, w in enumerate(weights)), Fraction(0))


def _backward(weights: Vector, sample: Fraction, output: Fraction) -> Vector:
    """A gradient in which the forward's output and the weights themselves take part."""
    return tuple(output * (sample + i) + w for i, w in enumerate(weights))


def _updated(weights: Vector, gradients: Vector) -> Vector:
    """A step of gradient descent."""
    return tuple(w - g / 8 for w, g in zip(weights, gradients, strict=True))


def _sum(a: Vector, b: Vector) -> Vector:
    """Two vectors added, value by value."""
    return tuple(x + y for x, y in zip(a, b, strict=True))
