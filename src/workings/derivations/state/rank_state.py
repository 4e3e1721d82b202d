"""Model state of one rank of the whole mesh."""

from fractions import Fraction

from workings.chain import Row
from workings.derivation import derivation
from workings.derivations.state._sources import MEGATRON_GROUPS
from workings.simulate.stored_state import keep, mean, place
from workings.units import BYTE
from workings.vocabulary.layout import DENSE_STATE_RANKS, EDP
from workings.vocabulary.state import DENSE_HELD_1, ROUTED_HELD_1


def lay_on_both_groups(P_d: int, P_x: int, N: int, d_e: int) -> Fraction:
    """Weights and gradients laid on every rank of a group, optimizer values dealt out; the mean rank."""
    shared = {"master": "fp32", "first moment": "fp32", "second moment": "fp32"}
    kinds = {"weight": "bf16", "gradient": "fp32", **shared}
    dense = mean(place(keep(P_d, kinds), N, shared))
    return dense + (mean(place(keep(P_x, kinds), d_e, shared)) if P_x else 0)


RANK_STATE = derivation(
    "rank-state",
    title="Model state of a rank of the whole mesh, with the distributed optimizer",
    unit=BYTE,
    fractional="in the mean over the ranks",
    letters={
        "P_d": DENSE_HELD_1, "P_x": ROUTED_HELD_1,
        "N": DENSE_STATE_RANKS, "d_e": EDP,
    },
    source=MEGATRON_GROUPS,
    oracle=lay_on_both_groups,
    convention="Of one rank; a scenario gives the fullest. The optimizer state of dense parameters is "
    "shared by the `N` ranks that hold the same ones, by data and context parallelism together, that of "
    "experts by `d_e`. A model without experts has `P_x = 0`.",
    leaves_out="Padding where parameters do not divide by the ranks that share them.",
    ledger=(
        Row("dense weights and gradients", "6[byte]*P_d", "BF16 and FP32, whole"),
        Row("dense optimizer state", "12[byte]*P_d", "FP32 master and moments", "N"),
        Row("expert weights and gradients", "6[byte]*P_x", "BF16 and FP32, whole", where="expert"),
        Row("expert optimizer state", "12[byte]*P_x", "FP32 master and moments", "d_e", where="expert"),
    ),
    chain="""
    S_rank = rows                                                      -- add the rows
      = (6[byte] + 12[byte]/N)*P_d + (6[byte] + 12[byte]/d_e)*P_x
                                      -- the distributed optimizer's bytes a parameter, for each part
    """,
)  # fmt: skip
