"""Activation checkpointing: forward and backward over blocks, keeping and freeing tensors."""

from dataclasses import dataclass
from fractions import Fraction

from ._checks import amount, positive_count


@dataclass(frozen=True)
class CheckpointRun:
    """What a run needed.

    peak: the most memory held at once, in the unit of `keep_input` and `keep_block`.
    forward_runs: forward passes of a block, those of the recomputation included.
    backward_runs: backward passes of a block.
    """

    peak: Fraction
    forward_runs: int
    backward_runs: int


class _Memory:
    """Named tensors that are held now, and the most that was ever held."""

    def __init__(self) -> None:
        self.tensors: dict[str, Fraction] = {}
        self.held = Fraction(0)
        self.peak = Fraction(0)

    def keep(self, name: str, size: Fraction) -> None:
        self.tensors[name] = size
        self.held += size
        self.peak = max(self.peak, self.held)

    def free(self, name: str) -> None:
        self.held -= self.tensors.pop(name)


def run_segments(
    blocks: int, segments: int, keep_input: Fraction | int, keep_block: Fraction | int
) -> CheckpointRun:
    """Run forward and backward over `blocks` blocks in `segments` equal segments.

    Forward, only the input of each segment is kept (`keep_input` each). Backward, from the
    last segment to the first, the blocks of the segment are run forward again, the last
    segment's too, and are freed one by one as the backward pass goes over them. A block keeps
    `keep_block`, its input among it: that of the segment's first block is the one tensor
    that is kept already. What a block holds only while it runs is not counted. ValueError if
    a count is below 1, `segments` does not divide `blocks`, an amount is below 0 or a block
    keeps less than its input.
    """
    for_input, for_block = amount("keep_input", keep_input), amount("keep_block", keep_block)
    if for_block < for_input:
        raise ValueError(f"A block keeps {for_block}, less than its input of {for_input}.")
    cut = _segments(blocks, segments)
    memory = _Memory()
    forward_runs = backward_runs = 0
    for segment in cut:
        memory.keep(f"input of block {segment[0]}", for_input)
        for _ in segment:
            forward_runs += 1
    for segment in reversed(cut):
        for block in segment:
            forward_runs += 1
            if block != segment[0]:
                memory.keep(f"input of block {block}", for_input)
            memory.keep(f"rest of block {block}", for_block - for_input)
        for block in reversed(segment):
            backward_runs += 1
            memory.free(f"rest of block {block}")
            memory.free(f"input of block {block}")
    if memory.tensors:
        raise AssertionError("Some tensors were not freed.")
    return CheckpointRun(memory.peak, forward_runs, backward_runs)


def _segments(blocks: int, segments: int) -> list[range]:
    """List the block indices of each of `segments` equal segments; ValueError if they are not."""
    positive_count("blocks", blocks)
    if blocks % positive_count("segments", segments):
        raise ValueError(f"{segments} segments do not divide {blocks} blocks.")
    length = blocks // segments
    return [range(first, first + length) for first in range(0, blocks, length)]
