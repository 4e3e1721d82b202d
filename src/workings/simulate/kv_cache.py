"""A decoder that is fed token after token and keeps what later tokens attend to, number by number."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from .head_placement import deal_heads

Vector = tuple[int, ...]


@dataclass(frozen=True)
class Block:
    """What a block keeps of a token: the width of each of its vectors by name; a `window` forgets."""

    vectors: Mapping[str, int]
    window: int | None = None


@dataclass
class Cache:
    """A sequence's cache: for each block and each vector of a token a row of those kept so far."""

    blocks: Sequence[Block]
    rows: dict[tuple[int, str], deque[Vector]] = field(default_factory=dict)

    def feed(self, position: int) -> None:
        """Keep a token's vectors in every block; a full window drops its oldest ones."""
        for number, block in enumerate(self.blocks):
            for name, width in block.vectors.items():
                row = self.rows.setdefault((number, name), deque(maxlen=block.window))
                row.append(tuple(position + channel for channel in range(width)))

    def numbers(self) -> Iterator[int]:
        """Every number that is kept."""
        for row in self.rows.values():
            for vector in row:
                yield from vector


def grouped(heads: Iterable[int], head_dim: int) -> Block:
    """A block that keeps a key and a value of each of these heads."""
    heads = tuple(heads)
    return Block({f"{kind} {head}": head_dim for head in heads for kind in ("key", "value")})


def latent(rank: int, rope_dim: int) -> Block:
    """A block that keeps a compressed vector and one key that carries the position."""
    return Block({"latent": rank, "rotary key": rope_dim})


def decode(sequences: int, tokens: int, blocks: Sequence[Block]) -> Iterator[int]:
    """Every number that the caches of these sequences keep after so many tokens."""
    for _ in range(sequences):
        cache = Cache(blocks)
        for position in range(tokens):
            cache.feed(position)
        yield from cache.numbers()


def stored(numbers: Iterable[int], width: Fraction | int) -> Fraction:
    """The bytes of these numbers, each of the same width."""
    return Fraction(width) * sum(1 for _number in numbers)


def quantized(numbers: Iterable[int], group: int, width: Fraction, beside: Fraction) -> Fraction:
    """The bytes of numbers packed in turn; the first of each `group` brings what the group shares."""
    packed = groups = left = 0
    for _number in numbers:
        if not left:
            groups, left = groups + 1, group
        packed, left = packed + 1, left - 1
    return packed * width + groups * beside


def fullest_rank(query_heads: int, kv_heads: int, ranks: int) -> tuple[int, ...]:
    """The key and value heads of the rank that holds most of them."""
    return max(deal_heads(query_heads, kv_heads, ranks).keys, key=len)
