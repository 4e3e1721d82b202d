"""Gradient accumulation: the weights are gathered anew for each micro-batch of a step."""

from collections.abc import Sequence
from fractions import Fraction

from ._checks import amount, positive_count


def accumulation_traffic(
    microbatches: int, gathers_per_microbatch_bytes: Sequence[Fraction | int]
) -> Fraction:
    """Count the bytes gathered in one step that makes the same gathers for each micro-batch.

    `gathers_per_microbatch_bytes` lists the bytes of each gather of one micro-batch, for
    example one for the forward and one for the backward. ValueError if `microbatches` is
    below 1 or an amount is below 0.
    """
    gathered = Fraction(0)
    for _ in range(positive_count("microbatches", microbatches)):
        for gather_bytes in gathers_per_microbatch_bytes:
            gathered += amount("the bytes of a gather", gather_bytes)
    return gathered


def run_step(
    tokens: int, microbatches: int, weight_bytes: Fraction | int, flops_per_token: Fraction | int
) -> tuple[Fraction, Fraction]:
    """Run one step over a batch of `tokens`; return (bytes gathered, FLOPs).

    The tokens are dealt out to the micro-batches in turn, so they need not divide; for each
    micro-batch `weight_bytes` are gathered once, and each token takes `flops_per_token`.
    Loops over every token, so keep `tokens` small. ValueError if a count is below 1, there
    are more micro-batches than tokens, or an amount is below 0.
    """
    if positive_count("tokens", tokens) < positive_count("microbatches", microbatches):
        raise ValueError(f"{tokens} tokens are too few for {microbatches} micro-batches.")
    per_gather = amount("weight_bytes", weight_bytes)
    per_token = amount("flops_per_token", flops_per_token)
    gathered, flops = Fraction(0), Fraction(0)
    for microbatch in range(microbatches):
        gathered += per_gather
        for _ in range(microbatch, tokens, microbatches):
            flops += per_token
    return gathered, flops
