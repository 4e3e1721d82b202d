"""Parameters of one rank of the whole mesh."""

from fractions import Fraction
from math import lcm

from workings.chain import Row
from workings.derivation import derivation
from workings.derivations.state._sources import MEGATRON_GROUPS
from workings.simulate.rank_tensors import Layer, on_rank
from workings.units import ONE
from workings.vocabulary.layout import EP, ETP, TP
from workings.vocabulary.state import STAGE_COPIED, STAGE_ROUTED, STAGE_SPLIT


def place_every_tensor(P_split: int, P_copy: int, P_exp: int, t: int, e: int, t_e: int) -> Fraction:
    """Tensors of each kind, as wide as it takes to cut them evenly, placed on the ranks of a stage."""
    times = lcm(t, e * t_e)
    cut, expert = Layer("cut", (P_split * times,), t), Layer("expert", (P_exp * times,), e * t_e)
    whole = Layer("whole", (P_copy * times,))
    held = on_rank(cut, t, t - 1) + on_rank(whole, t, 0) + on_rank(expert, e * t_e, 0)
    return Fraction(held, times)


RANK_PARAMETERS = derivation(
    "rank-parameters",
    title="Parameters of a rank under tensor, pipeline and expert parallelism",
    unit=ONE,
    noun="parameters",
    fractional="in the mean over the ranks of a stage",
    letters={
        "P_split": STAGE_SPLIT, "P_copy": STAGE_COPIED, "P_exp": STAGE_ROUTED, "t": TP, "e": EP,
        "t_e": ETP,
    },
    source=MEGATRON_GROUPS,
    oracle=place_every_tensor,
    convention="Of one stage; a scenario gives the stage whose ranks hold most. Data and context "
    "parallelism copy parameters, they do not split them. Tensor parallelism copies norms, biases of "
    "row-parallel products, learned positions and routers. Rows of a table are rounded up to as many on "
    "each rank, and a key and value head that several ranks need counts for each.",
    ledger=(
        Row("split outside the experts", "P_split", "matrices, tables, biases of their outputs", "t"),
        Row("copied", "P_copy", "norms, other biases, learned positions, routers"),
        Row("routed experts", "P_exp", "dealt to `e` ranks, each split by its own degree", "(t_e*e)",
            where="expert"),
    ),
    chain="""
    P_rank = rows          -- add the rows: a rank's share of its stage
    """,
)  # fmt: skip
