"""The distributed optimizer with BF16 weights and FP32 gradients."""

from workings.chain import under
from workings.derivation import derivation
from workings.derivations.state._distributed_rows import CONVENTION, LETTERS, ROWS, SOURCE, mean_rank
from workings.units import BYTE


def lay_on_ranks(P: int, d: int) -> object:
    """Optimizer values dealt to one rank, weights and gradients laid on all; the mean of all ranks."""
    whole = {"weight": "bf16", "gradient": "fp32"}
    shared = {"master": "fp32", "first moment": "fp32", "second moment": "fp32"}
    return mean_rank(P, d, whole, shared)


DISTRIBUTED_OPTIMIZER_BF16_STATE = derivation(
    "distributed-optimizer-bf16-state",
    title="Model state of a rank with the distributed optimizer, BF16 weights and FP32 gradients",
    unit=BYTE,
    letters=LETTERS,
    source=SOURCE,
    oracle=lay_on_ranks,
    convention=CONVENTION,
    ledger=under(ROWS, precision="bf16"),
    chain="""
    S_dbf16 = rows                           -- add the rows
      = (6[byte] + 12[byte]/d)*P           -- 18 bytes without it, 6 at least
    """,
)
