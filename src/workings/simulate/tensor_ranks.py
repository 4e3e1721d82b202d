"""Ranks of a tensor-parallel group: their collectives, their products, and a log of both.

A list of matrices holds one matrix for each rank. Every collective really moves its pieces round a
ring and counts the numbers sent; where a matrix cannot be cut evenly the ranks send a little more
or less than each other, so what is logged is the mean over the ranks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ._checks import positive_count
from ._walks import Walk, all_reduce_walk, gather_walk, reduce_scatter_walk
from .block_matrices import Matrix, add, cut_rows, flops_of, join, multiply, stack


@dataclass(frozen=True)
class Op:
    """A collective or a product: which call issued it, what it reads, what it makes.

    sent: numbers a rank sends. hops: rounds in which all ranks send. flops: multiplications and
    additions of a rank. Numbers and FLOPs are means over the ranks.
    """

    call: str
    kind: str
    reads: tuple[str, ...]
    makes: str
    sent: Fraction = Fraction(0)
    hops: int = 0
    flops: Fraction = Fraction(0)


Held = list[Matrix]


class Ranks:
    """A group of ranks and the log of what they did."""

    def __init__(self, count: int) -> None:
        self.count = positive_count("count", count)
        self.ops: list[Op] = []

    def all_reduce(self, call: str, partial: Held, reads: str, makes: str) -> Held:
        """Every rank ends with the sum of all partial matrices."""
        walk = all_reduce_walk([cut_rows(one, self.count) for one in partial], add)
        self._log(call, "all-reduce", reads, makes, walk)
        return [stack(pieces) for pieces in walk.held]

    def reduce_scatter(self, call: str, partial: Held, reads: str, makes: str) -> Held:
        """Every rank ends with its rows of the sum."""
        walk = reduce_scatter_walk([cut_rows(one, self.count) for one in partial], add)
        self._log(call, "reduce-scatter", reads, makes, walk)
        return [pieces[0] for pieces in walk.held]

    def all_gather(self, call: str, shards: Held, reads: str, makes: str) -> Held:
        """Every rank ends with all rows."""
        walk = gather_walk(shards)
        self._log(call, "all-gather", reads, makes, walk)
        return [stack(pieces) for pieces in walk.held]

    def gather_columns(self, call: str, shards: Held, reads: str, makes: str) -> Held:
        """Every rank ends with all columns."""
        walk = gather_walk(shards)
        self._log(call, "all-gather", reads, makes, walk)
        return [join(pieces) for pieces in walk.held]

    def multiply(self, call: str, left: Held, right: Held, reads: tuple[str, str], makes: str) -> Held:
        """Every rank multiplies its two matrices."""
        flops = sum(flops_of(a, b) for a, b in zip(left, right, strict=True))
        self.ops.append(Op(call, "matmul", reads, makes, flops=Fraction(flops, self.count)))
        return [multiply(a, b) for a, b in zip(left, right, strict=True)]

    def sent(self, *calls: str) -> Fraction:
        """Numbers a rank sent, in the calls named or in all."""
        return sum((op.sent for op in self.ops if not calls or op.call in calls), Fraction(0))

    def hops(self) -> int:
        """Rounds in which all ranks sent, over all collectives."""
        return sum(op.hops for op in self.ops)

    def flops(self) -> Fraction:
        """Multiplications and additions of a rank's products."""
        return sum((op.flops for op in self.ops), Fraction(0))

    def collectives(self) -> list[Op]:
        """The collectives in order."""
        return [op for op in self.ops if op.kind != "matmul"]

    def can_hide(self, op: Op) -> bool:
        """Whether a product of the same call neither needs this collective nor is needed by it."""
        same = [other for other in self.ops if other.call == op.call]
        return any(
            other.kind == "matmul" and not _leads(op, other, same) and not _leads(other, op, same)
            for other in same
        )

    def _log(self, call: str, kind: str, reads: str, makes: str, walk: Walk[Matrix]) -> None:
        sent = sum(piece.elements for pieces in walk.sent for piece in pieces)
        self.ops.append(Op(call, kind, (reads,), makes, Fraction(sent, self.count), walk.hops))


def _leads(first: Op, last: Op, ops: Sequence[Op]) -> bool:
    """Whether what `first` makes is needed, perhaps by way of others, before `last` can start."""
    if first.makes in last.reads:
        return True
    return any(_leads(first, other, ops) for other in ops if other.makes in last.reads)
