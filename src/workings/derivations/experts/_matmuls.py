"""The matmuls of an expert, token by token."""

from workings.simulate.tensors import Tensor


def expert_weights(n_f: int, D: int, F_E: int) -> list[Tensor]:
    """The matrices of one expert: all but the last widen, the last narrows again."""
    wide = [Tensor(f"w_{i}", (D, F_E), 1) for i in range(1, n_f)]
    return [*wide, Tensor("w_out", (F_E, D), 1)]


def token_flops(n_f: int, D: int, F_E: int) -> int:
    """A multiplication and an addition for every weight that a token meets."""
    return sum(1 + 1 for weight in expert_weights(n_f, D, F_E) for _ in range(weight.elements))
