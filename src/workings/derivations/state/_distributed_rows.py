"""One ledger of a data-parallel rank with the distributed optimizer, read for three precisions."""

from workings.chain import Row
from workings.derivations.state._sources import DISTRIBUTED_OPTIMIZER
from workings.simulate.stored_state import keep, mean, place
from workings.vocabulary.state import HELD_1, SHARING_RANKS_1

# (precision, name, format, shared by the data-parallel ranks, reason)
_HELD = (
    ("bf16", "weights", "bf16", False, "BF16, whole for the forward and the backward"),
    ("bf16", "main gradients", "fp32", False, "FP32, whole until they are reduced"),
    ("bf16", "master weights", "fp32", True, "FP32"),
    ("bf16", "first moments", "fp32", True, "FP32"),
    ("bf16", "second moments", "fp32", True, "FP32"),
    ("fp16", "weights", "fp16", False, "FP16, whole for the forward and the backward"),
    ("fp16", "main gradients", "fp16", False, "FP16, whole until they are reduced"),
    ("fp16", "gradients of the update", "fp32", True, "FP32 copies, as the optimizer needs them"),
    ("fp16", "master weights", "fp32", True, "FP32"),
    ("fp16", "first moments", "fp32", True, "FP32"),
    ("fp16", "second moments", "fp32", True, "FP32"),
    ("fp32", "weights", "fp32", False, "FP32, the master at the same time"),
    ("fp32", "main gradients", "fp32", False, "FP32, whole until they are reduced"),
    ("fp32", "first moments", "fp32", True, "FP32"),
    ("fp32", "second moments", "fp32", True, "FP32"),
)
_BYTES = {"bf16": 2, "fp16": 2, "fp32": 4}

ROWS = tuple(
    Row(name, f"{_BYTES[kind]}[byte]*P", reason, "d" if shared else "1", when=(("precision", precision),))
    for precision, name, kind, shared, reason in _HELD
)
LETTERS = {"P": HELD_1, "d": SHARING_RANKS_1}
SOURCE = DISTRIBUTED_OPTIMIZER
CONVENTION = (
    "`P` counts the parameters a rank holds after tensor, pipeline and expert parallelism, `d` the ranks "
    "that hold the same ones: data and context parallelism together."
)


def mean_rank(P: int, d: int, whole: dict[str, str], shared: dict[str, str]) -> object:
    """Lay every value on the ranks that hold it; the mean of all ranks."""
    return mean(place(keep(P, {**whole, **shared}), d, shared))
