"""What the oracles of the lecture's inequality share: a gather by doubling against a forward."""

from fractions import Fraction

from workings.derivations.data_parallel._tokens import forward_flops
from workings.simulate.doubling import doubling_all_gather

MOST_RANKS = 64


def gather_seconds(
    d: int, size: Fraction, alpha: Fraction, W_b: Fraction, *, large: bool
) -> Fraction | None:
    """Rounds and bytes of an all-gather by recursive doubling; None unless `d` is a power of two.

    `large`: the bytes a rank has in the end, its own included, as in a group so large that its own
    chunk does not matter; otherwise the bytes it really sent.
    """
    exchange = doubling_all_gather(d) if d <= MOST_RANKS else None
    if exchange is None:
        return None
    chunks = exchange.held if large else exchange.sent
    return exchange.rounds * alpha + chunks * size / d / W_b


def forward_seconds(tokens: int, parameters: int, C: Fraction) -> Fraction:
    """FLOPs of a forward, counted product by product for a token, over a device's compute."""
    return Fraction(tokens * forward_flops(parameters)) / C


def gather_is_hidden(
    b_m: int,
    s: int,
    P_u: int,
    d: int,
    w: Fraction,
    alpha: Fraction,
    W_b: Fraction,
    C: Fraction,
    *,
    large: bool = True,
) -> bool | None:
    """Whether the next unit is gathered before this one is computed (None: not to be run)."""
    gather = gather_seconds(d, w * P_u, alpha, W_b, large=large)
    if gather is None or P_u > 20_000:
        return None
    return gather <= forward_seconds(b_m * s, P_u, C)
