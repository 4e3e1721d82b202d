"""Lists of the tensors that training holds: weights, gradients, AdamW moments, activations.

The model is a stack of blocks, each of two linear layers without an activation function
between them: hidden = x @ w_in, output = hidden @ w_out.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ._checks import amount, positive_count


@dataclass(frozen=True)
class Tensor:
    """A named tensor: its shape and the bytes one value takes (a Fraction for 4 bits: 1/2).

    ValueError if a dimension is below 1 or `bytes_per_value` is not above 0.
    """

    name: str
    shape: tuple[int, ...]
    bytes_per_value: Fraction | int

    def __post_init__(self) -> None:
        """Check the shape and the bytes per value."""
        for length in self.shape:
            positive_count(f"a dimension of {self.name}", length)
        amount("bytes_per_value", self.bytes_per_value)

    @property
    def elements(self) -> int:
        """The number of values, multiplied up one dimension at a time."""
        count = 1
        for length in self.shape:
            count *= length
        return count

    @property
    def bytes(self) -> Fraction:
        """The bytes of all values."""
        return self.elements * Fraction(self.bytes_per_value)


def ffn_weights(
    blocks: int, d_model: int, d_ff: int, bytes_per_value: Fraction | int
) -> tuple[Tensor, ...]:
    """List both weight matrices of each block: w_in (d_model, d_ff) and w_out (d_ff, d_model).

    ValueError if a count is below 1 or `bytes_per_value` is not above 0.
    """
    weights: list[Tensor] = []
    for block in range(positive_count("blocks", blocks)):
        weights.append(Tensor(f"block{block}.w_in", (d_model, d_ff), bytes_per_value))
        weights.append(Tensor(f"block{block}.w_out", (d_ff, d_model), bytes_per_value))
    return tuple(weights)


def training_state(
    weights: Sequence[Tensor], bytes_gradient: Fraction | int, bytes_moment: Fraction | int
) -> tuple[Tensor, ...]:
    """List the weights, and for each its gradient and both AdamW moments, of equal shape.

    `bytes_gradient` and `bytes_moment` are bytes per value (ValueError unless above 0).
    Order: all weights, all gradients, all first moments, all second moments.
    """
    kinds = (
        ("gradient", bytes_gradient),
        ("first_moment", bytes_moment),
        ("second_moment", bytes_moment),
    )
    state = list(weights)
    for kind, bytes_per_value in kinds:
        for weight in weights:
            state.append(Tensor(f"{weight.name}.{kind}", weight.shape, bytes_per_value))
    return tuple(state)


@dataclass(frozen=True)
class _Need:
    """An entry of the tape: the gradient of `gradient_of` will be computed from `operand`."""

    gradient_of: str
    operand: Tensor


def saved_for_backward(
    blocks: int, d_model: int, d_ff: int, tokens: int, bytes_per_value: Fraction | int
) -> tuple[Tensor, ...]:
    """List the activations that the backward pass needs, by running a tape forwards.

    Each matmul y = x @ w notes that the gradient of w needs x, and that the gradient of x
    needs w. Weights are parameters, held anyway, so they are not listed as saved; a tensor
    needed twice is listed once. `bytes_per_value` is that of the activations.
    ValueError if a count is below 1 or `bytes_per_value` is not above 0.
    """
    tape: list[_Need] = []
    weights = ffn_weights(blocks, d_model, d_ff, bytes_per_value)
    x = Tensor("input", (positive_count("tokens", tokens), d_model), bytes_per_value)
    for weight in weights:
        x = _taped_matmul(tape, x, weight)
    saved: dict[str, Tensor] = {}
    for need in tape:
        if need.operand not in weights:
            saved[need.operand.name] = need.operand
    return tuple(saved.values())


def _taped_matmul(tape: list[_Need], x: Tensor, weight: Tensor) -> Tensor:
    """Return the tensor x @ weight (shapes only); write on the tape what its backward needs."""
    rows, inner = x.shape
    weight_rows, columns = weight.shape
    if inner != weight_rows:
        raise ValueError(f"{x.name} has {inner} columns but {weight.name} {weight_rows} rows.")
    tape.append(_Need(weight.name, x))
    tape.append(_Need(x.name, weight))
    return Tensor(f"{weight.name}.output", (rows, columns), x.bytes_per_value)


def total_elements(tensors: Iterable[Tensor]) -> int:
    """Count the values of all the tensors."""
    return sum(tensor.elements for tensor in tensors)


def total_bytes(tensors: Iterable[Tensor]) -> Fraction:
    """Add up the bytes of all the tensors."""
    return sum((tensor.bytes for tensor in tensors), Fraction(0))
