"""What ranks send each other: the tensor at a boundary, and counting it in a run."""

from fractions import Fraction

from workings.simulate.schedule import Schedule
from workings.vocabulary.model import D_MODEL
from workings.vocabulary.training import ACTIVATION_WIDTH, MICROBATCH, SEQUENCE_LENGTH

BOUNDARY = {"a": ACTIVATION_WIDTH, "s": SEQUENCE_LENGTH, "b_m": MICROBATCH, "D": D_MODEL}


def tensor_bytes(a: Fraction, s: int, b_m: int, D: int) -> Fraction:
    """Count the values of a micro-batch's activations by where they stand, and their bytes."""
    places = {
        (sequence, token, column) for sequence in range(b_m) for token in range(s) for column in range(D)
    }
    return len(places) * a


def bytes_sent(schedule: Schedule, a: Fraction, s: int, b_m: int, D: int) -> Fraction:
    """Add up the tensors that a run sends from rank to rank."""
    tensor = tensor_bytes(a, s, b_m, D)
    return sum((tensor for _ in schedule.messages), Fraction(0))
