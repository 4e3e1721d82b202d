"""Weights of a block's matmuls."""

from workings.derivation import derivation
from workings.derivations.hierarchy._letters import WEIGHTS
from workings.derivations.hierarchy._sources import MEGATRON_TENSOR
from workings.simulate.tensors import Tensor, total_elements
from workings.units import ONE
from workings.vocabulary.kinds import WITHOUT_EXPERTS


def list_the_matrices(D: int, F: int, H: int, K: int, d_h: int, n_f: int) -> int:
    """Every matrix of a block with its shape."""
    attention = [(D, H * d_h), (D, K * d_h), (D, K * d_h), (H * d_h, D)]
    shapes = [*attention, *((D, F) for _ in range(n_f - 1)), (F, D)]
    return total_elements([Tensor(f"w_{i}", shape, 1) for i, shape in enumerate(shapes)])


BLOCK_WEIGHTS = derivation(
    "block-weights",
    title="Weights of a block's matmuls",
    unit=ONE,
    noun="parameters",
    letters=WEIGHTS,
    source=MEGATRON_TENSOR,
    oracle=list_the_matrices,
    leaves_out="Norms, biases and embeddings.",
    holds_for={WITHOUT_EXPERTS: "moe-block-weights"},
    chain="""
    P_blk = D*(H*d_h) + 2*D*(K*d_h) + (H*d_h)*D + sum(D*F, (i, 1, n_f))
                                       -- query, key and value, output, and `n_f` feed-forward matrices
      = 2*D*d_h*(H + K) + n_f*D*F      -- collect
    """,
)
