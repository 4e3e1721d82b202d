"""Placing tensors on the devices of an FSDP group, tensor by tensor."""

from collections.abc import Callable, Sequence
from fractions import Fraction

from ._checks import amount, positive_count


def is_sharded(block: int) -> bool:
    """Whether the saved activations of the block with this index (from 0) are sharded.

    Every second block, the first one included: even indices are sharded over the devices,
    odd ones are whole on each device.
    """
    return block % 2 == 0


def place_fsdp(
    state: Sequence[Fraction | int],
    activations_by_block: Sequence[Fraction | int],
    devices: int,
) -> tuple[Fraction, ...]:
    """Place everything and return the bytes on each device, one entry per device.

    state: bytes of each weight, gradient or optimizer tensor; each is sharded evenly.
    activations_by_block: bytes of the saved activations of each block, as seen by one
    device when whole; blocks for which `is_sharded` holds are sharded evenly over the
    devices, the others lie whole on each. With an odd number of blocks one more block is
    sharded than whole. ValueError if `devices` is below 1 or an amount is below 0.
    """
    placed = [Fraction(0)] * positive_count("devices", devices)
    for tensor_bytes in state:
        _place_shards(placed, amount("a state tensor", tensor_bytes))
    for block, block_bytes in enumerate(activations_by_block):
        if is_sharded(block):
            _place_shards(placed, amount("a block's activations", block_bytes))
        else:
            _place_whole(placed, amount("a block's activations", block_bytes))
    return tuple(placed)


def _place_shards(placed: list[Fraction], tensor_bytes: Fraction) -> None:
    """Put an equal share of a tensor on each device."""
    _place_whole(placed, tensor_bytes / len(placed))


def _place_whole(placed: list[Fraction], tensor_bytes: Fraction) -> None:
    """Put a whole copy of a tensor on each device."""
    amounts = {id(held): held for held in placed}  # of devices with the same amount: added to once
    grown = {known: held + tensor_bytes for known, held in amounts.items()}
    placed[:] = [grown[id(held)] for held in placed]


def smallest_group(fits: Callable[[int], bool], limit: int) -> int | None:
    """Find the smallest number of devices, from 1 to `limit`, for which `fits` holds, or None.

    Tries every number in turn, so `fits` need not stay true once it is.
    ValueError if `limit` is below 1.
    """
    for devices in range(1, positive_count("limit", limit) + 1):
        if fits(devices):
            return devices
    return None
