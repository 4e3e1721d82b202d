"""The brute-force count shared by the oracles here: every tensor placed on every device."""

from fractions import Fraction

from workings.simulate.placement import place_fsdp
from workings.simulate.tensors import ffn_weights, saved_for_backward, total_bytes, training_state


def device_bytes(
    N: int,
    L: int,
    D: int,
    F: int,
    B: int,
    w_p: Fraction,
    w_g: Fraction,
    w_o: Fraction,
    a: Fraction,
) -> Fraction:
    """What the fullest of N devices holds: state sharded, every second block's activations too."""
    state = training_state(ffn_weights(L, D, F, w_p), w_g, w_o)
    one_block = total_bytes(saved_for_backward(1, D, F, B, a))
    return max(place_fsdp([t.bytes for t in state], [one_block] * L, N))


def smallest_that_fits(limit: Fraction, **letters: object) -> int | None:
    """Doubling, then halving the gap: the first N whose fullest device stays under the limit."""

    def fits(devices: int) -> bool:
        return device_bytes(devices, **letters) < limit  # type: ignore[arg-type]

    high = 1
    while not fits(high):
        high *= 2
        if high > 128:
            return None  # too many devices to place every tensor on each
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(middle) else (middle, high)
    return high
