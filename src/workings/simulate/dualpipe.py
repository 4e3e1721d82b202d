"""DualPipe: micro-batches enter at both ends, and each rank holds a stage for either direction.

Rank r holds stage r of those that go up the ranks (chunk 0) and stage p - 1 - r of those that go
down (chunk 1). In the middle of the step a rank runs the forward of one direction and the backward
of the other at the same time. Below, "near" are the micro-batches that enter at the end of the
pipeline that is closer to the rank, and "far" are the others.
"""

from collections import deque

from ._checks import amount, positive_amount, positive_count
from .schedule import Kind, Path, Schedule, Slot, Step, Time, run


def dualpipe(
    ranks: int,
    microbatches: int,
    forward: Time = 1,
    input_gradient: Time = 1,
    weight_gradient: Time = 1,
    overlapped: Time | None = None,
) -> Schedule:
    """Run DualPipe; the first half of the micro-batches goes up the ranks, the second half down.

    The times are those of one task; `overlapped` is that of a forward and a whole backward run
    together (if not given: one after the other). ValueError if a time is not above 0, the ranks or
    the micro-batches are odd, or there are fewer than 2 micro-batches for each rank.
    """
    if positive_count("ranks", ranks) % 2 or positive_count("microbatches", microbatches) % 2:
        raise ValueError(f"ranks and microbatches must be even, not {ranks} and {microbatches}.")
    if microbatches < 2 * ranks:
        raise ValueError(f"microbatches must be at least {2 * ranks}, not {microbatches}.")
    times: dict[Kind, Time] = {
        "forward": positive_amount("forward", forward),
        "input gradient": positive_amount("input_gradient", input_gradient),
        "weight gradient": amount("weight_gradient", weight_gradient),
        "backward": positive_amount("input_gradient", input_gradient) + weight_gradient,
    }
    both = times["forward"] + times["backward"] if overlapped is None else overlapped
    positive_amount("overlapped", both)
    up: Path = tuple((rank, 0) for rank in range(ranks))
    down: Path = tuple((rank, 1) for rank in reversed(range(ranks)))
    half = microbatches // 2
    return run(
        [_Rank(rank, ranks, half).order() for rank in range(ranks)],
        [up] * half + [down] * half,
        lambda _, slot: times[slot[0].kind] if len(slot) == 1 else both,
    )


class _Rank:
    """One rank's work, written down step by step."""

    def __init__(self, rank: int, ranks: int, half: int) -> None:
        """Number the micro-batches of each direction in the order of their arrival."""
        self.near = 0 if rank < ranks // 2 else 1
        self.from_end = min(rank, ranks - 1 - rank)
        self.to_middle = ranks // 2 - 1 - self.from_end
        self.main = half - ranks + self.from_end + 1
        self.slots: list[Slot] = []
        self.waiting: deque[tuple[int, int]] = deque()  # gradients of weights put off
        self.forwards = [iter(range(half)), iter(range(half, 2 * half))]
        self.backwards = [iter(range(half)), iter(range(half, 2 * half))]

    def order(self) -> list[Slot]:
        """List the slots of the whole step."""
        self._fill(self.near, 1 - self.near)
        self._meet(self.near, 1 - self.near)
        self._drain(self.near, 1 - self.near)
        return self.slots

    def _fill(self, near: int, far: int) -> None:
        """Forwards of the near end until those of the far end arrive; then their backwards too."""
        for _ in range(2 * self.to_middle):
            self.forward(near)
        for _ in range(self.from_end + 1):
            self.forward(near)
            self.forward(far)
        for _ in range(self.to_middle):
            self.input_gradient(far)
            self.weight_gradient()
            self.forward(far)

    def _meet(self, near: int, far: int) -> None:
        """Run the forwards of each direction against the backwards of the other."""
        for i in range(self.main):
            if i == 0 and self.to_middle == 0:  # in the middle, the first two are not overlapped
                self.forward(near)
                self.backward(far)
            else:
                self.both(near, far)
            self.both(far, near)
        for _ in range(self.to_middle):
            self.backward(far)
            self.both(far, near)

    def _drain(self, near: int, far: int) -> None:
        """Run the last backwards: whole at first, then the gradients of the weights are put off."""
        for i in range(2 * (self.from_end + 1)):
            side = (far, near)[i % 2]
            if i <= self.from_end:
                self.backward(side)
            else:
                self.input_gradient(side)
        for _ in range(self.to_middle):
            self.weight_gradient()
            self.input_gradient(near)
        while self.waiting:
            self.weight_gradient()

    def forward(self, side: int) -> None:
        """Take the next forward of a direction."""
        self.slots.append((self._forward(side),))

    def backward(self, side: int) -> None:
        """Take the next backward of a direction, whole."""
        self.slots.append((self._backward(side, "backward"),))

    def both(self, forward: int, backward: int) -> None:
        """Take a forward of one direction and a whole backward of the other, overlapped."""
        self.slots.append((self._forward(forward), self._backward(backward, "backward")))

    def input_gradient(self, side: int) -> None:
        """Take the next backward of a direction, and put off its gradient of the weights."""
        step = self._backward(side, "input gradient")
        self.slots.append((step,))
        self.waiting.append((step.microbatch, side))

    def weight_gradient(self) -> None:
        """Take the gradient of the weights that has waited longest."""
        microbatch, side = self.waiting.popleft()
        self.slots.append((Step(microbatch, "weight gradient", side),))

    def _forward(self, side: int) -> Step:
        return Step(next(self.forwards[side]), "forward", side)

    def _backward(self, side: int, kind: Kind) -> Step:
        return Step(next(self.backwards[side]), kind, side)
