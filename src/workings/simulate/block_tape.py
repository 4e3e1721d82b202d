"""A tape that runs operations on shapes and notes what each one saves for its backward pass.

Nothing is computed: a tensor is a name, a shape and the bytes a value takes. An operation keeps what
the derivative of its output needs, and a tensor that several operations keep is counted once.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod


@dataclass(frozen=True, eq=False)
class Active:
    """A tensor as one rank holds it; two tensors are the same only if they are one object."""

    name: str
    shape: tuple[int, ...]
    width: Fraction

    @property
    def bytes(self) -> Fraction:
        """The bytes of all values."""
        return prod(self.shape) * self.width


class Tape:
    """What has been saved so far, in order."""

    def __init__(self) -> None:
        self.saved: list[Active] = []
        self._silent = False

    @property
    def bytes(self) -> Fraction:
        """The bytes of everything saved."""
        return sum((tensor.bytes for tensor in self.saved), Fraction(0))

    def save(self, *tensors: Active) -> None:
        """Keep tensors for the backward pass, unless they are kept or will be recomputed."""
        for tensor in tensors:
            if not self._silent and tensor not in self.saved:
                self.saved.append(tensor)

    def recomputed(self, region: Callable[..., Active], *inputs: Active) -> Active:
        """Run a region of which only the inputs are kept: its backward runs it again."""
        self.save(*inputs)
        outer, self._silent = self._silent, True
        output = region(*inputs)
        self._silent = outer
        return output

    def norm(self, x: Active, name: str) -> Active:
        """Normalise the last dimension: keeps its input (mean and deviation are small)."""
        self.save(x)
        return Active(name, x.shape, x.width)

    def linear(self, x: Active, columns: int, name: str, gathered: int | None = None) -> Active:
        """Multiply by a weight: keeps its input, as this rank stores it between the passes.

        `gathered` is the length of the first dimension where the input is gathered before the
        product; the gathered copy is thrown away and gathered again for the backward.
        """
        self.save(x)
        first = x.shape[0] if gathered is None else gathered
        return Active(name, (first, *x.shape[1:-1], columns), x.width)

    def matmul(self, a: Active, b: Active, shape: tuple[int, ...], name: str) -> Active:
        """Multiply two activations: keeps both."""
        self.save(a, b)
        return Active(name, shape, a.width)

    def softmax(self, x: Active, name: str) -> Active:
        """Exponentiate and normalise: keeps its output, from which its derivative follows."""
        output = Active(name, x.shape, x.width)
        self.save(output)
        return output

    def dropout(self, x: Active, name: str, on: bool) -> Active:
        """Set values to zero at random: keeps a mask of one byte a value; off, it does nothing."""
        if not on:
            return x
        self.save(Active(f"{name} mask", x.shape, Fraction(1)))
        return Active(name, x.shape, x.width)

    def curve(self, x: Active, name: str) -> Active:
        """Apply a curve such as GeLU to each value: keeps its input."""
        self.save(x)
        return Active(name, x.shape, x.width)

    def gate(self, gate: Active, up: Active, name: str, weights: Active | None = None) -> Active:
        """Multiply a curve of the gate with the other half, fused: keeps both inputs.

        `weights` scale the rows in the same operation; they are kept too.
        """
        self.save(gate, up)
        if weights is not None:
            self.save(weights)
        return Active(name, up.shape, up.width)

    def flash_attention(
        self, q: Active, k: Active, v: Active, shape: tuple[int, ...], statistics: tuple[int, ...]
    ) -> Active:
        """Attend tile by tile: keeps inputs, output and an FP32 log-sum-exp for each query."""
        output = Active("attention output", shape, q.width)
        self.save(q, k, v, output, Active("log-sum-exp", statistics, Fraction(4)))
        return output


class WeightsTape(Tape):
    """A tape of what is left for the gradients of weights once those of all activations are done.

    A product with a weight then still needs its input, and the gradient of its output, which the
    backward has made meanwhile; no other operation needs anything.
    """

    def save(self, *tensors: Active) -> None:
        """Keep nothing: what only gradients of activations need has been given back."""

    def linear(self, x: Active, columns: int, name: str, gathered: int | None = None) -> Active:
        """Multiply by a weight: its gradient needs the input and the gradient of the output."""
        output = super().linear(x, columns, name, gathered)
        super().save(x, Active(f"gradient of {name}", output.shape, output.width))
        return output


def mine(length: int, ways: int, rank: int) -> Sequence[int]:
    """Return the indices of `length` things that a rank holds, dealt out in equal runs.

    ValueError if they do not come out even.
    """
    runs = [range(start, length)[: length // ways] for start in range(0, length, max(length // ways, 1))]
    if length < ways or len(runs) != ways or sum(map(len, runs)) != length:
        raise ValueError(f"{length} things cannot be dealt evenly to {ways} ranks.")
    return runs[rank]
