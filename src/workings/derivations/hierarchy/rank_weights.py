"""Weights of the blocks on one rank."""

from workings.derivation import derivation
from workings.derivations.hierarchy._letters import STAGE, WEIGHTS
from workings.derivations.hierarchy._sources import MEGATRON_MESSAGES
from workings.derivations.hierarchy.block_weights import BLOCK_WEIGHTS, list_the_matrices
from workings.derivations.ranks.shares import FULLEST_STAGE, deal_layers_to_stages
from workings.units import ONE
from workings.vocabulary.kinds import WITHOUT_EXPERTS
from workings.vocabulary.layout import TP


def share_the_matrices(D: int, F: int, H: int, K: int, d_h: int, n_f: int, L: int, p: int, t: int) -> int:
    """Heads and hidden columns dealt to the ranks of the fullest stage; the first's matrices."""
    heads, keys, hidden = (len(range(0, whole, t)) for whole in (H, K, F))
    layers = range(deal_layers_to_stages(L, p))
    return sum(list_the_matrices(D, hidden, heads, keys, d_h, n_f) for _ in layers)


RANK_WEIGHTS = derivation(
    "rank-weights",
    title="Weights of the blocks on one rank",
    unit=ONE,
    noun="parameters",
    letters={**WEIGHTS, **STAGE, "t": TP},
    uses={"P_blk": BLOCK_WEIGHTS.at(), "L_p": FULLEST_STAGE.at()},
    given=(
        "t divides H",
        "t divides K",
        "t divides F",
    ),
    source=MEGATRON_MESSAGES,
    oracle=share_the_matrices,
    convention="Dense blocks; the fullest stage.",
    leaves_out="Embedding and head, norms and biases.",
    holds_for={WITHOUT_EXPERTS: "moe-rank-weights"},
    chain="""
    P_r = sum(P_blk/t, (i, 1, L_p))     -- a `t`-th of every layer of the stage
      = L_p*P_blk/t                     -- equal layers
    """,
)
