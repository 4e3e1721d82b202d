"""Parameters of one rank under tensor, pipeline and expert parallelism."""

from fractions import Fraction

from workings.chain import Row
from workings.derivation import derivation
from workings.derivations.state._sources import MEGATRON_GROUPS
from workings.simulate.stage_placement import mean_held
from workings.units import ONE
from workings.vocabulary.layout import EP, ETP, STAGES, TP
from workings.vocabulary.state import DENSE_PART, ROUTED_PART


def deal_over_the_mesh(P_dense: int, P_exp: int, t: int, p: int, e: int, t_e: int) -> Fraction | None:
    """Every parameter dealt over its own axes of the mesh; the mean of all ranks."""
    if t_e * e * p > 400:
        return None
    dense = mean_held(P_dense, [(t, True), (p, True)])
    return dense + mean_held(P_exp, [(t_e, True), (e, True), (p, True)])


RANK_PARAMETERS = derivation(
    "rank-parameters",
    title="Parameters of a rank under tensor, pipeline and expert parallelism",
    unit=ONE,
    noun="parameters",
    fractional="in the mean over all ranks",
    letters={"P_dense": DENSE_PART, "P_exp": ROUTED_PART, "t": TP, "p": STAGES, "e": EP, "t_e": ETP},
    source=MEGATRON_GROUPS,
    oracle=deal_over_the_mesh,
    convention="The mean of all ranks: stages are even. Data and context parallelism copy parameters, "
    "they do not split them; a model without experts has `P_exp = 0`.",
    leaves_out="Norms and biases that every tensor-parallel rank keeps whole.",
    ledger=(
        Row("outside the experts", "P_dense", "split by tensor parallelism and into stages", "(t*p)"),
        Row("routed experts", "P_exp", "dealt to `e` ranks, each split by its own degree", "(t_e*e*p)",
            where="expert"),
    ),
    chain="""
    P_rank = rows                                   -- add the rows
      = (P_dense/t + P_exp/(t_e*e))/p               -- the stage's share of both
    """,
)  # fmt: skip
