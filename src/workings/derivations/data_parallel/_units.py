"""What the oracles of memory share: a backward on two streams, its peak measured."""

from fractions import Fraction

from workings.simulate.prefetch import fsdp_backward

# Times of (gather, backward, reduce): communication the slower, then compute.
SPEEDS = ((3, 1, 4), (1, 9, 2))


def peak_of_backward(
    U: int, ahead: int, weights: Fraction, gradient: Fraction, *, overlap: bool
) -> Fraction:
    """The most bytes that gathered weights and whole gradients take, however fast the links are."""
    return max(
        fsdp_backward(U, *times, ahead, overlap=overlap).peak(weights, gradient) for times in SPEEDS
    )
