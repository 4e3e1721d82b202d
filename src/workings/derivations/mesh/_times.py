"""What the oracles here share: a block really multiplied on a mesh, its bytes and FLOPs counted."""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from workings.simulate.mesh import forward_block

# Searches ask for the same block again and again; it is run once.
_run = lru_cache(maxsize=256)(forward_block)


@dataclass(frozen=True)
class Times:
    """Seconds of one block's forward pass: compute, FSDP and tensor-parallel transfers."""

    compute: Fraction
    fsdp: Fraction
    tensor: Fraction


def run_block(
    B: int,
    D: int,
    F: int,
    X: int,
    Y: int,
    C: Fraction,
    W: Fraction,
    M_X: int,
    M_Y: int,
    w: Fraction,
    a: Fraction,
    *,
    large: bool,
) -> Times:
    """Seconds from counted FLOPs and bytes.

    `large`: bytes of every chunk that is present after a gather, a rank's own included, as on a
    ring so large that its own chunk does not matter; otherwise the bytes really sent.
    """
    count = _run(B, D, F, X, Y, w, a)
    over_x = count.whole_x if large else count.sent_x
    over_y = count.whole_y if large else count.sent_y
    return Times(count.flops / C, over_x / (W * M_X), over_y / (W * M_Y))


@dataclass(frozen=True)
class Shares:
    """Seconds of one block on n devices of which X (any positive number) share the weights."""

    compute: Fraction
    fsdp: Fraction
    tensor: Fraction


def spread_block(
    X: Fraction,
    B: int,
    D: int,
    F: int,
    n: Fraction | int,
    C: Fraction,
    W: Fraction,
    M_X: int,
    M_Y: int,
    w: Fraction,
    a: Fraction,
) -> Shares:
    """Counted on one device, then shared out: a mesh of real-numbered sides cannot be run.

    One device counts all FLOPs, all weight bytes and all activation bytes of the block; weights
    are split over the n/X tensor-parallel ranks, activations over the X FSDP ranks.
    """
    whole = _run(B, D, F, 1, 1, w, a)
    fsdp = whole.whole_x / (Fraction(n) / X) / (W * M_X)
    return Shares(whole.flops / n / C, fsdp, whole.whole_y / X / (W * M_Y))
