"""Which blocks lie on which stage of a pipeline, and which of them have experts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from workings.units import Quantity


class Blocks(NamedTuple):
    """The blocks of a stage: those with one feed-forward, and those with experts."""

    dense: int
    experts: int


MOST_CHUNKS = 1_000_000  # no pipeline has as many


def chunk_sizes(blocks: int, chunks: int) -> list[int]:
    """Blocks of each chunk of a pipeline: as many as the largest must have, but for the ends.

    The ends carry the tables. What cannot be spared there is spared by the chunks behind.
    """
    largest = -(-blocks // chunks)
    spare = largest * chunks - blocks
    first, last = (largest - min(largest, half) for half in (spare // 2, -(-spare // 2)))
    if chunks == 1:
        return [blocks]
    each, more = divmod(blocks - first - last, chunks - 2) if chunks > 2 else (0, 0)
    return [first, *(each + (chunk < more) for chunk in range(chunks - 2)), last]


def stages(values: Mapping[str, Quantity]) -> list[Blocks]:
    """The blocks of every stage of a scenario, chunk `i` of a stage being every p-th of all chunks.

    A block has experts if it is a `moe_gap`-th from the first that has. None where there are too many
    chunks to be a pipeline.
    """

    def number(key: str, otherwise: int) -> int:
        return int(values[key].value) if key in values else otherwise

    blocks, depth = number("model.blocks", 1), number("layout.pp", 1)
    chunks = depth * number("layout.virtual_stages", 1)
    if chunks > MOST_CHUNKS:
        return []
    some = number("model.moe_blocks", 0) > 0
    first = number("model.moe_from", 0) if some else blocks
    with_experts = range(first, blocks, number("model.moe_gap", 1))
    found, place = [[0, 0] for _ in range(depth)], 0
    for chunk, size in enumerate(chunk_sizes(blocks, chunks)):
        experts = _before(with_experts, place + size) - _before(with_experts, place)
        found[chunk % depth][0] += size - experts
        found[chunk % depth][1] += experts
        place += size
    return [Blocks(*one) for one in found]


def _before(numbers: range, place: int) -> int:
    """How many of some numbers are smaller than a place."""
    return len(range(numbers.start, min(place, numbers.stop), numbers.step))
