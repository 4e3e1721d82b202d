"""Model state of one rank of the whole mesh."""

from fractions import Fraction

from workings.chain import Row
from workings.derivation import derivation
from workings.derivations.state._sources import MEGATRON_GROUPS
from workings.simulate.stage_placement import mean_held
from workings.simulate.stored_state import bytes_of
from workings.units import BYTE
from workings.vocabulary.layout import CP, DP, EDP, EP, ETP, STAGES, TP
from workings.vocabulary.state import DENSE_PART, ROUTED_PART


def deal_over_the_mesh(
    P_dense: int, P_exp: int, t: int, c: int, d: int, p: int, e: int, t_e: int, d_e: int
) -> Fraction | None:
    """Weights and gradients dealt over some axes, optimizer values over all; the mean of all ranks."""
    if max(t * c * d * p, t_e * e * d_e * p) > 500:
        return None
    whole = bytes_of("bf16") + bytes_of("fp32")
    shared = bytes_of("fp32") + bytes_of("fp32") + bytes_of("fp32")
    dense = [(t, True), (p, True)]
    expert = [(t_e, True), (e, True), (p, True)]
    return (
        whole * (mean_held(P_dense, [*dense, (d * c, False)]) + mean_held(P_exp, [*expert, (d_e, False)]))
        + shared * mean_held(P_dense, [*dense, (d, True), (c, True)])
        + shared * mean_held(P_exp, [*expert, (d_e, True)])
    )


RANK_STATE = derivation(
    "rank-state",
    title="Model state of a rank of the whole mesh, with the distributed optimizer",
    unit=BYTE,
    fractional="in the mean over the ranks",
    letters={
        "P_dense": DENSE_PART, "P_exp": ROUTED_PART, "t": TP, "c": CP, "d": DP, "p": STAGES, "e": EP,
        "t_e": ETP, "d_e": EDP,
    },
    source=MEGATRON_GROUPS,
    oracle=deal_over_the_mesh,
    convention="Both halves lie on the same ranks: `t*c*d*p = t_e*e*d_e*p`. The optimizer state of dense "
    "parameters is shared by `d*c` ranks, that of experts by `d_e`.",
    leaves_out="Norms and biases that every tensor-parallel rank keeps whole; uneven stages.",
    ledger=(
        Row("dense weights and gradients", "6[byte]*P_dense", "BF16 and FP32, whole", "(t*p)"),
        Row("dense optimizer state", "12[byte]*P_dense", "FP32 master and moments", "(t*p*d*c)"),
        Row("expert weights and gradients", "6[byte]*P_exp", "BF16 and FP32, whole", "(t_e*e*p)",
            where="expert"),
        Row("expert optimizer state", "12[byte]*P_exp", "FP32 master and moments", "(t_e*e*p*d_e)",
            where="expert"),
    ),
    chain="""
    S_rank = rows                                                      -- add the rows
      = (6[byte] + 12[byte]/(d*c))*P_dense/(t*p) + (6[byte] + 12[byte]/d_e)*P_exp/(t_e*e*p)
                                      -- the distributed optimizer's bytes a parameter, for each part
    """,
)  # fmt: skip
