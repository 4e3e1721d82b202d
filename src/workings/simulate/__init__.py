"""Brute-force counts and simulations, the oracles that formulas are checked against.

Everything here moves data, multiplies matrices or lists tensors, and counts what happened.
No module holds a closed-form formula, and nothing outside the standard library is imported,
so agreement with a derived formula is evidence and not a repetition.

All numbers are `int` or `fractions.Fraction`; there are no floats.
"""

from .accumulate import accumulation_traffic, run_step
from .checkpoint import CheckpointRun, run_segments
from .matmul import (
    Backward,
    Forward,
    Matrix,
    counted_matmul,
    ffn_backward,
    ffn_forward,
    ffn_numbers,
    transpose,
)
from .mesh import MeshCount, forward_block
from .pipeline import Kind, Schedule, Task, gpipe, naive, one_f_one_b
from .placement import is_sharded, place_fsdp, smallest_group
from .ring import Traffic, all_gather, all_reduce, direct_all_reduce, reduce_scatter
from .search import best_divisor, golden_bracket
from .tensors import (
    Tensor,
    ffn_weights,
    saved_for_backward,
    total_bytes,
    total_elements,
    training_state,
)

__all__ = [
    "Backward",
    "CheckpointRun",
    "Forward",
    "Kind",
    "Matrix",
    "MeshCount",
    "Schedule",
    "Task",
    "Tensor",
    "Traffic",
    "accumulation_traffic",
    "all_gather",
    "all_reduce",
    "best_divisor",
    "counted_matmul",
    "direct_all_reduce",
    "ffn_backward",
    "ffn_forward",
    "ffn_numbers",
    "ffn_weights",
    "forward_block",
    "golden_bracket",
    "gpipe",
    "is_sharded",
    "naive",
    "one_f_one_b",
    "place_fsdp",
    "reduce_scatter",
    "run_segments",
    "run_step",
    "saved_for_backward",
    "smallest_group",
    "total_bytes",
    "total_elements",
    "training_state",
    "transpose",
]
