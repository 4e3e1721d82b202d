"""A tape of matrix products: a model written down product by product, with the shapes of each.

Forward, every product is multiplied out once. Backward, it is followed from its end: for each
operand one more product, of the gradient with the other operand, gives that operand's gradient.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

from ._checks import positive_count


class Operand(NamedTuple):
    """A matrix by its shape; `wanted` says whether its gradient is needed."""

    rows: int
    columns: int
    wanted: bool = True

    def transposed(self) -> "Operand":
        """Rows and columns exchanged."""
        return Operand(self.columns, self.rows, self.wanted)


class Product(NamedTuple):
    """left @ right, in the part of the model that it belongs to."""

    part: str
    left: Operand
    right: Operand

    @property
    def flops(self) -> int:
        """Each result takes as many multiplications and additions as the inner length."""
        results = self.left.rows * self.right.columns
        return results * (self.left.columns + self.right.rows)

    def gradients(self) -> Iterable["Product"]:
        """The products that give the gradients of both operands, where they are wanted."""
        result = Operand(self.left.rows, self.right.columns)
        if self.left.wanted:
            yield Product(self.part, result, self.right.transposed())
        if self.right.wanted:
            yield Product(self.part, self.left.transposed(), result)


class Tape:
    """The products of a forward pass in order."""

    def __init__(self) -> None:
        self.products: list[Product] = []

    def multiply(self, part: str, left: Operand, right: Operand) -> Operand:
        """Write a product down and return its result; ValueError if the shapes do not fit."""
        if left.columns != right.rows:
            raise ValueError(f"The inner lengths must be equal, not {left.columns} and {right.rows}.")
        self.products.append(Product(part, left, right))
        return Operand(left.rows, right.columns)

    def forward(self, *parts: str) -> int:
        """FLOPs of running forward over the named parts, or over everything."""
        found = Counter(p for p in self.products if not parts or p.part in parts)
        return sum(product.flops * times for product, times in found.items())

    def backward(self) -> int:
        """FLOPs of following every product back to both of its operands."""
        found = Counter(self.products)
        return sum(g.flops * times for product, times in found.items() for g in product.gradients())


def write_attention(
    tape: Tape, tokens: int, d_model: int, heads: tuple[int, int, int], *, causal: bool = False
) -> None:
    """One sequence through attention; `heads` are query heads, key-value heads, width of a head."""
    query_heads, kv_heads, width = heads
    x = Operand(tokens, d_model)
    queries = [tape.multiply("projections", x, Operand(d_model, width)) for _ in range(query_heads)]
    pairs = [
        [tape.multiply("projections", x, Operand(d_model, width)) for _ in range(2)]
        for _ in range(positive_count("key-value heads", kv_heads))
    ]
    for number, query in enumerate(queries):
        keys, values = pairs[number % kv_heads]
        _attend(tape, query, keys, values, causal=causal)
    joined = Operand(tokens, query_heads * width)
    tape.multiply("projections", joined, Operand(query_heads * width, d_model))


def write_cross_attention(
    tape: Tape, tokens: int, source: int, d_model: int, heads: tuple[int, int, int]
) -> None:
    """One sequence attending to another: queries of its tokens, keys and values of the source's."""
    query_heads, kv_heads, width = heads
    x, other = Operand(tokens, d_model), Operand(source, d_model)
    pairs = [
        [tape.multiply("projections", other, Operand(d_model, width)) for _ in range(2)]
        for _ in range(positive_count("key-value heads", kv_heads))
    ]
    for number in range(query_heads):
        query = tape.multiply("projections", x, Operand(d_model, width))
        _attend(tape, query, *pairs[number % kv_heads], causal=False)
    joined = Operand(tokens, query_heads * width)
    tape.multiply("projections", joined, Operand(query_heads * width, d_model))


def _attend(tape: Tape, query: Operand, keys: Operand, values: Operand, *, causal: bool) -> None:
    if not causal:
        scores = tape.multiply("core", query, keys.transposed())
        tape.multiply("core", scores, values)
        return
    for seen in range(1, query.rows + 1):
        row = Operand(1, query.columns)
        scores = tape.multiply("core", row, Operand(seen, keys.columns).transposed())
        tape.multiply("core", scores, Operand(seen, values.columns))


def write_ffn(tape: Tape, tokens: int, d_model: int, d_ff: int, matrices: int) -> None:
    """Tokens through a feed-forward: all its matrices but one lead to the wide space, one back."""
    x = Operand(tokens, d_model)
    for _ in range(positive_count("matrices", matrices) - 1):
        tape.multiply("ffn", x, Operand(d_model, d_ff))
    tape.multiply("ffn", Operand(tokens, d_ff), Operand(d_ff, d_model))


def write_model(
    blocks: int, sequences: int, block: Callable[[Tape], None], logits: tuple[int, int, int]
) -> Tape:
    """Every block of every sequence, then its logits; `logits` are tokens, d_model, vocabulary."""
    one_block, one_sequence, tape = Tape(), Tape(), Tape()
    block(one_block)
    for _ in range(positive_count("blocks", blocks)):
        one_sequence.products += one_block.products
    tokens, d_model, vocab = logits
    one_sequence.multiply("logits", Operand(tokens, d_model), Operand(d_model, vocab))
    for _ in range(positive_count("sequences", sequences)):
        tape.products += one_sequence.products
    return tape
