"""Tapes that keep less of a block than its derivatives need: the rest is computed again."""

from collections.abc import Collection
from fractions import Fraction

from .block_tape import Active, Tape


class Discarding(Tape):
    """Tensors of some names are not kept, or with `others` all but these."""

    def __init__(self, names: Collection[str], *, others: bool = False) -> None:
        super().__init__()
        self.names, self.others = names, others

    def save(self, *tensors: Active) -> None:
        """Keep those that are to be kept."""
        super().save(*(one for one in tensors if (one.name in self.names) is self.others))


class EverySecond(Tape):
    """Products with weights are counted in their order, and what every second one gives is lost.

    What attention gives is kept, as is the block's input; of all else nothing is, whoever needs it.
    """

    def __init__(self, block_input: str) -> None:
        super().__init__()
        self.first, self.products = block_input, 0

    def save(self, *tensors: Active) -> None:
        """Keep the block's input alone."""
        super().save(*(one for one in tensors if one.name == self.first))

    def linear(self, x: Active, columns: int, name: str, gathered: int | None = None) -> Active:
        """A product that is lost if it is the second, the fourth and so on."""
        output = super().linear(x, columns, name, gathered)
        self.products += 1
        if self.products % 2:
            Tape.save(self, output)
        return output

    def flash_attention(
        self, q: Active, k: Active, v: Active, shape: tuple[int, ...], statistics: tuple[int, ...]
    ) -> Active:
        """Keeps its output and an FP32 log-sum-exp for each query."""
        output = Active("attention output", shape, q.width)
        Tape.save(self, output, Active("log-sum-exp", statistics, Fraction(4)))
        return output
