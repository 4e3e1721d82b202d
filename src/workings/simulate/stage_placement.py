"""Where a model's parameters lie: blocks dealt to pipeline stages, parts dealt over a mesh."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Literal

from ._checks import positive_count


def deal_blocks(blocks: int, stages: int) -> list[int]:
    """Deal blocks to stages one at a time, in turn; return how many each stage got."""
    got = [0] * positive_count("stages", stages)
    for block in range(positive_count("blocks", blocks)):
        got[block % stages] += 1
    return got


@dataclass(frozen=True)
class Part:
    """A parameter tensor of one stage: its name, its shape and how tensor-parallel ranks hold it.

    `rows` are dealt out in runs, `even` parts may be cut anywhere, and others are `whole` on each rank.
    """

    name: str
    shape: tuple[int, ...]
    cut: Literal["rows", "even", "whole"] = "even"

    @property
    def values(self) -> int:
        """The number of values, multiplied up one dimension at a time."""
        count = 1
        for length in self.shape:
            count *= length
        return count

    def held(self, ranks: int) -> Fraction:
        """The values on the first of so many ranks, which holds most."""
        if self.cut == "rows":
            run = 0
            while run * ranks < self.shape[0]:
                run += 1
            return Fraction(self.values, self.shape[0]) * run
        return Fraction(self.values, ranks if self.cut == "even" else 1)


def stage_parts(
    blocks_by_stage: Sequence[int],
    block_parameters: int,
    vocabulary: int,
    width: int,
    *,
    copied: int = 0,
    positions: int = 0,
    shifts: int = 0,
) -> list[list[Part]]:
    """List the tensors of every stage: embedding on the first, final norm and head on the last.

    `copied` of a block's parameters are whole on every tensor-parallel rank, as are learned positions
    and the final norm, which has `shifts` beside its scale.
    """
    stages: list[list[Part]] = []
    last = len(blocks_by_stage) - 1
    for stage, blocks in enumerate(blocks_by_stage):
        parts = []
        if stage == 0:
            parts += [Part("embedding", (vocabulary, width), "rows")]
            parts += [Part("position", (width,), "whole") for _ in range(positions)]
        for _ in range(blocks):
            parts += [Part("block", (block_parameters - copied,)), Part("copied", (copied,), "whole")]
        if stage == last:
            parts += [Part("final norm", (width,), "whole") for _ in range(1 + shifts)]
            parts += [Part("head", (vocabulary, width), "rows")]
        stages.append(parts)
    return stages


def held_by_stage(stages: Sequence[Sequence[Part]], ranks: int) -> list[Fraction]:
    """What a tensor-parallel rank holds of each stage."""
    return [sum((part.held(ranks) for part in parts), Fraction(0)) for parts in stages]


def parameters_of(parts: Sequence[Part]) -> int:
    """Count the values of all parts."""
    return sum(part.values for part in parts)


def mean_held(parameters: int, axes: Sequence[tuple[int, bool]]) -> Fraction:
    """Deal parameters over a mesh and return how many a rank holds on average.

    Each axis is (its ranks, whether it splits parameters): along a splitting axis each parameter
    goes to one place, in turn, along any other axis every place has it.
    """
    ranks = list(product(*(range(positive_count("an axis", size)) for size, _ in axes)))
    held = 0
    for rank in ranks:
        for parameter in range(parameters):
            rest, mine = parameter, True
            for (size, splits), place in zip(axes, rank, strict=True):
                if splits:
                    mine = mine and rest % size == place
                    rest //= size
            held += mine
    return Fraction(held, len(ranks))
