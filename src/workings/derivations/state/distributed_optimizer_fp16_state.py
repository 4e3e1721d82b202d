"""The distributed optimizer with FP16 weights and gradients."""

from workings.chain import under
from workings.derivation import derivation
from workings.derivations.state._distributed_rows import CONVENTION, LETTERS, ROWS, SOURCE, mean_rank
from workings.units import BYTE


def lay_on_ranks(P: int, d: int) -> object:
    """Optimizer values dealt to one rank, weights and gradients laid on all; the mean of all ranks."""
    whole = {"weight": "fp16", "gradient": "fp16"}
    shared = {"copy": "fp32", "master": "fp32", "first moment": "fp32", "second moment": "fp32"}
    return mean_rank(P, d, whole, shared)


DISTRIBUTED_OPTIMIZER_FP16_STATE = derivation(
    "distributed-optimizer-fp16-state",
    title="Model state of a rank with the distributed optimizer, FP16 weights and gradients",
    unit=BYTE,
    letters=LETTERS,
    source=SOURCE,
    oracle=lay_on_ranks,
    convention=CONVENTION,
    ledger=under(ROWS, precision="fp16"),
    chain="""
    S_dfp16 = rows                           -- add the rows
      = (4[byte] + 16[byte]/d)*P           -- 20 bytes without it, 4 at least
    """,
)
