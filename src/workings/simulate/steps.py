"""A training run token by token: how much work, how long on how many devices, at what price."""

from dataclasses import dataclass
from fractions import Fraction

from ._checks import positive_amount, positive_count
from .matmul import counted_matmul


@dataclass(frozen=True)
class Run:
    """What a run did, took and used: tokens, FLOPs, seconds by the clock, seconds of all devices."""

    tokens: int
    flops: Fraction
    seconds: Fraction
    device_seconds: Fraction


def train(tokens: int, flops_per_token: Fraction | int, devices: int, rate: Fraction | int) -> Run:
    """Train token after token, each cut into equal pieces for the devices, which work at `rate`.

    ValueError if a count is below 1 or an amount is not above 0.
    """
    work = positive_amount("flops_per_token", flops_per_token)
    speed = positive_amount("rate", rate)
    positive_count("devices", devices)
    done = clock = paid = Fraction(0)
    for _ in range(positive_count("tokens", tokens)):
        pieces = [work / devices] * devices
        done += sum(pieces)
        clock += max(pieces) / speed
        paid += sum(piece / speed for piece in pieces)
    return Run(tokens, done, clock, paid)


def touch_weights(weights: int, tokens: int, passes: int = 3) -> int:
    """FLOPs of weights that meet every token once a pass, each product really done.

    A training step has three passes: forward, gradient of the input, gradient of the weight; in a
    fourth the forward is done again.
    """
    row = [[number + 1 for number in range(positive_count("weights", weights))]]
    flops = 0
    for token in range(positive_count("tokens", tokens)):
        signal, column = [[token + 2]], [[token + number] for number in range(weights)]
        products = [(row, column), (signal, row), (column, signal)]
        for number in range(passes):
            flops += counted_matmul(*products[number % len(products)])[1]
    return flops
