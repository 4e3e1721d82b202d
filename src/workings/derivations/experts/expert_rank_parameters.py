"""Expert parameters of one rank."""

from workings.derivation import derivation
from workings.derivations.experts._letters import EXPERT
from workings.derivations.experts._matmuls import expert_weights
from workings.derivations.experts._sources import MEGATRON_EXPERT_GROUPS
from workings.simulate.grid import lay_out
from workings.simulate.tensors import total_elements
from workings.units import ONE
from workings.vocabulary.experts import STAGE_MOE_BLOCKS
from workings.vocabulary.layout import EP, ETP
from workings.vocabulary.model import EXPERTS


def place_every_matrix(L_E: int, E: int, e: int, t_e: int, D: int, F_E: int, n_f: int) -> int | None:
    """The experts of every block of a stage dealt to ranks, each matrix cut into columns; the fullest."""
    if F_E % t_e:
        return None
    expert = total_elements(expert_weights(n_f, D, F_E // t_e))
    held = {place["ep"]: 0 for place in lay_out({"ep": e})}
    for _ in range(L_E):
        for number in range(E):
            held[number % e] += expert
    return max(held.values())


EXPERT_RANK_PARAMETERS = derivation(
    "expert-rank-parameters",
    title="Parameters of experts on one rank",
    unit=ONE,
    noun="parameters",
    letters={"L_E": STAGE_MOE_BLOCKS, "E": EXPERTS, "e": EP, "t_e": ETP, **EXPERT},
    given=("e divides E", "t_e divides F_E"),
    source=MEGATRON_EXPERT_GROUPS,
    oracle=place_every_matrix,
    convention="Of one stage; a scenario gives the one with most blocks that have experts.",
    leaves_out="Shared experts and the router, which are kept like the dense part; biases.",
    chain="""
    P_E = L_E*sum(n_f*D*F_E/t_e, (i, 1, E/e))
                                 -- in each block `E/e` experts, each a `t_e`-th of `n_f` matrices `D*F_E`
      = L_E*(E/e)*(n_f*D*F_E/t_e)                -- equal experts
    """,
)
