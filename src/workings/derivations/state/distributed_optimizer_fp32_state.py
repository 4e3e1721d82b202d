"""The distributed optimizer with all in FP32."""

from workings.chain import under
from workings.derivation import derivation
from workings.derivations.state._distributed_rows import CONVENTION, LETTERS, ROWS, SOURCE, mean_rank
from workings.units import BYTE


def lay_on_ranks(P: int, d: int) -> object:
    """Optimizer values dealt to one rank, weights and gradients laid on all; the mean of all ranks."""
    whole = {"weight": "fp32", "gradient": "fp32"}
    shared = {"first moment": "fp32", "second moment": "fp32"}
    return mean_rank(P, d, whole, shared)


DISTRIBUTED_OPTIMIZER_FP32_STATE = derivation(
    "distributed-optimizer-fp32-state",
    title="Model state of a rank with the distributed optimizer, all in FP32",
    unit=BYTE,
    letters=LETTERS,
    source=SOURCE,
    oracle=lay_on_ranks,
    convention=CONVENTION,
    ledger=under(ROWS, precision="fp32"),
    chain="""
    S_dfp32 = rows                           -- add the rows
      = (8[byte] + 8[byte]/d)*P            -- 16 bytes without it, 8 at least
    """,
)
