"""Into how many pieces gradients are cut."""

from workings.derivation import Source, derivation
from workings.derivations.hierarchy._letters import STAGE, WEIGHTS
from workings.derivations.hierarchy.rank_weights import RANK_WEIGHTS, share_the_matrices
from workings.units import ONE
from workings.vocabulary.hierarchy import BUCKET
from workings.vocabulary.kinds import WITHOUT_EXPERTS
from workings.vocabulary.layout import TP


def fill_the_buckets(
    D: int, F: int, H: int, K: int, d_h: int, n_f: int, L: int, p: int, t: int, n_bkt: int
) -> int | None:
    """Gradients poured into buckets until none is left."""
    left, buckets = share_the_matrices(D, F, H, K, d_h, n_f, L, p, t), 0
    if left > 20_000 * n_bkt:
        return None
    while left > 0:
        left -= n_bkt
        buckets += 1
    return buckets


DP_BUCKETS = derivation(
    "dp-buckets",
    title="Buckets of gradients that a rank reduces in a step",
    unit=ONE,
    noun="buckets",
    letters={**WEIGHTS, **STAGE, "t": TP, "n_bkt": BUCKET},
    uses={"P_r": RANK_WEIGHTS.at()},
    given=(
        "t divides H",
        "t divides K",
        "t divides F",
    ),
    source=Source(
        "NVIDIA",
        "Megatron-LM",
        2025,
        "megatron/core/distributed/distributed_data_parallel_config.py, bucket_size",
        "https://github.com/NVIDIA/Megatron-LM/blob/main/megatron/core/distributed/"
        "distributed_data_parallel_config.py",
    ),
    oracle=fill_the_buckets,
    convention="Every bucket but the last is full. Each is reduced once a step, as soon as it is.",
    leaves_out="That a bucket ends with a whole tensor.",
    holds_for={WITHOUT_EXPERTS: ""},
    chain="""
    O_dp = ceil(P_r/n_bkt)                                          -- buckets filled one after the other
      = ceil(ceil(L/p)*(2*D*d_h*(H + K) + n_f*D*F)/(t*n_bkt))       -- put the weights in
    """,
)
