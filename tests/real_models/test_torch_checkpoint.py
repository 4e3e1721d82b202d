"""What PyTorch's checkpointing really keeps: the storages that autograd holds, by their addresses."""

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from workings import catalogue
from workings.derivation.evaluation import value_of

pytestmark = pytest.mark.torch
TOKENS, WIDTH, HIDDEN, BLOCKS = 5, 8, 24, 12


class Tape:
    """Hooks that note each storage saved for the backward pass, once however often it is saved."""

    def __init__(self, parameters: set[int]) -> None:
        self.parameters, self.saved = parameters, Counter[tuple[int, int]]()
        self.peak = 0

    def pack(self, tensor: Any) -> Any:
        storage = tensor.untyped_storage()
        return _Held(self, tensor, (storage.data_ptr(), storage.nbytes()))

    def note(self, which: tuple[int, int], change: int) -> None:
        if which[0] not in self.parameters:
            self.saved[which] += change
            self.peak = max(self.peak, sum(size for (_, size), n in self.saved.items() if n))


class _Held:
    def __init__(self, tape: Tape, tensor: Any, which: tuple[int, int]) -> None:
        self.tape, self.tensor, self.which = tape, tensor, which
        tape.note(which, 1)

    def __del__(self) -> None:
        self.tape.note(self.which, -1)


@pytest.mark.parametrize("segments", [1, 2, 3, 4, 6, 12])
def test_pytorch_holds_the_redone_segment_s_input_once(segments: int) -> None:
    torch = pytest.importorskip("torch")
    nn, checkpoint = torch.nn, pytest.importorskip("torch.utils.checkpoint").checkpoint
    blocks = [nn.Sequential(nn.Linear(WIDTH, HIDDEN, bias=False), nn.Linear(HIDDEN, WIDTH, bias=False))
              for _ in range(BLOCKS)]  # fmt: skip
    length = BLOCKS // segments
    cut = [nn.Sequential(*blocks[first : first + length]) for first in range(0, BLOCKS, length)]
    tape = Tape({p.untyped_storage().data_ptr() for block in blocks for p in block.parameters()})
    with torch.autograd.graph.saved_tensors_hooks(tape.pack, lambda held: held.tensor):
        x = torch.randn(TOKENS, WIDTH, requires_grad=True)
        for segment in cut:
            x = checkpoint(segment, x, use_reentrant=True)
        x.sum().backward()
    at = {"L": BLOCKS, "k": segments, "B": TOKENS, "D": WIDTH, "F": HIDDEN, "a": 4}
    assert tape.peak == value_of(
        catalogue.get("checkpoint-memory"), {name: Fraction(number) for name, number in at.items()}
    )
