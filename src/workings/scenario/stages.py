"""Which blocks lie on which stage of a pipeline, and which of them have experts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from workings.units import Quantity


class Blocks(NamedTuple):
    """The blocks of a stage: those with one feed-forward, and those with experts."""

    dense: int
    experts: int


def has_experts(blocks: int, experts: int, period: int, dense_first: int | None = None) -> list[bool]:
    """Whether each block has experts: every `period`-th after the dense ones at the beginning.

    Where nobody says how many those are, the last block is the last with experts.
    """
    first = blocks - 1 - (experts - 1) * period if dense_first is None else dense_first
    return [
        bool(experts) and number >= first and (number - first) % period == 0 for number in range(blocks)
    ]


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
    """The blocks of every stage of a scenario, chunk `i` of a stage being every p-th of all chunks."""

    def number(key: str, otherwise: int) -> int:
        return int(values[key].value) if key in values else otherwise

    blocks, depth = number("model.blocks", 1), number("layout.pp", 1)
    kinds = has_experts(
        blocks, number("model.moe_blocks", 0), number("model.moe_period", 1),
        number("model.dense_first", -1) if "model.dense_first" in values else None,
    )  # fmt: skip
    found, place = [[0, 0] for _ in range(depth)], 0
    for chunk, size in enumerate(chunk_sizes(blocks, depth * number("layout.virtual_stages", 1))):
        with_experts = sum(kinds[place : place + size])
        found[chunk % depth][0] += size - with_experts
        found[chunk % depth][1] += with_experts
        place += size
    return [Blocks(*one) for one in found]
