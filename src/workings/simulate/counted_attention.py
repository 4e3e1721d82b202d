"""Attention of integers in which every multiplication and addition is counted.

Queries, keys and values are matrices (tokens, width of a head). The weights of the values are the
scores themselves: no softmax, as the layers of `matmul` have no activation function.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from .matmul import Matrix, counted_matmul, ffn_numbers


@dataclass(frozen=True)
class Attended:
    """The output, one row per token, and the FLOPs it took."""

    output: Matrix
    flops: int


def attend(queries: Matrix, keys: Matrix, values: Matrix, *, causal: bool) -> Attended:
    """Each query scored against the keys it may see, their values added up with those scores.

    A causal query sees the keys up to its own place and nothing is computed of the others.
    ValueError if there are not as many queries, keys and values.
    """
    if not len(queries) == len(keys) == len(values):
        raise ValueError("There must be as many queries as keys and values.")
    flops = 0
    output: Matrix = []
    for place, query in enumerate(queries):
        seen = place + 1 if causal else len(keys)
        scores = []
        for key in keys[:seen]:
            score = 0
            for mine, theirs in zip(query, key, strict=True):
                score += mine * theirs
                flops += 2
            scores.append(score)
        row = [0] * len(values[0])
        for score, value in zip(scores, values[:seen], strict=True):
            for column, part in enumerate(value):
                row[column] += score * part
                flops += 2
        output.append(row)
    return Attended(output, flops)


def attend_batch(sequences: int, tokens: int, heads: int, width: int, *, causal: bool) -> int:
    """FLOPs of every head of every sequence, each attended to in turn."""
    flops = 0
    for sequence in range(sequences):
        for head in range(heads):
            q, k, v = (ffn_numbers(tokens, width, sequence + 7 * head + n) for n in range(3))
            flops += attend(q, k, v, causal=causal).flops
    return flops


def project_batch(sequences: int, tokens: int, d_model: int, outputs: Sequence[int]) -> int:
    """FLOPs of every sequence multiplied by weights (d_model, output) for each of the outputs."""
    flops = 0
    for sequence in range(sequences):
        x = ffn_numbers(tokens, d_model, sequence)
        for output in outputs:
            flops += counted_matmul(x, ffn_numbers(d_model, output, output))[1]
    return flops


def merge_batch(sequences: int, tokens: int, d_model: int, width: int) -> int:
    """FLOPs of every sequence's heads, side by side, multiplied by the output weights."""
    flops = 0
    for sequence in range(sequences):
        heads = ffn_numbers(tokens, width, sequence)
        flops += counted_matmul(heads, ffn_numbers(width, d_model, 1))[1]
    return flops
