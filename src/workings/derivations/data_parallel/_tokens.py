"""What the oracles of batch sizes share: FLOPs counted in products that are really computed."""

from functools import lru_cache

from workings.simulate.matmul import counted_matmul, ffn_numbers, transpose


@lru_cache
def forward_flops(parameters: int) -> int:
    """FLOPs of one token through a matrix of that many parameters, counted one by one."""
    token, matrix = ffn_numbers(1, 1, 1), ffn_numbers(1, parameters, 2)
    return counted_matmul(token, matrix)[1]


@lru_cache
def backward_flops(parameters: int) -> int:
    """FLOPs of the gradients of the matrix and of the token, counted one by one."""
    token, matrix = ffn_numbers(1, 1, 1), ffn_numbers(1, parameters, 2)
    output, _ = counted_matmul(token, matrix)
    of_matrix = counted_matmul(transpose(token), output)[1]
    return of_matrix + counted_matmul(output, transpose(matrix))[1]
