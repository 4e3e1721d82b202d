"""Sequence-parallel volume of one stage for one micro-batch: two operations a layer."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives.ring import RING_ALL_GATHER, RING_REDUCE_SCATTER
from workings.derivations.sources import SEQUENCE_PARALLEL
from workings.derivations.tensor_parallel._volume import LETTERS
from workings.simulate.block_matrices import cut_rows, numbers
from workings.simulate.tensor_ranks import Ranks
from workings.units import BYTE
from workings.vocabulary.collectives import GROUP


def gather_and_scatter_each_layer(
    L_p: int, b_m: int, s: int, D: int, a: Fraction, N: int
) -> Fraction | None:
    """In each layer tokens really gathered from all ranks, then sums scattered back to them."""
    if L_p * b_m * s * D * N > 40_000:
        return None
    ranks, whole = Ranks(N), numbers(b_m * s, D, 1)
    for _ in range(L_p):
        gathered = ranks.all_gather("in", cut_rows(whole, N), "shard", "input")
        ranks.reduce_scatter("out", gathered, "partial", "shard")
    return ranks.sent() * a


SP_VOLUME = derivation(
    "sp-volume",
    title="Sequence-parallel volume of a stage: two operations a layer",
    unit=BYTE,
    letters={**LETTERS, "N": GROUP},
    uses={
        "V_AGN": RING_ALL_GATHER.at(S="a*b_m*s*D"),
        "V_RSN": RING_REDUCE_SCATTER.at(S="a*b_m*s*D"),
    },
    source=SEQUENCE_PARALLEL,
    oracle=gather_and_scatter_each_layer,
    convention="What one of `N` sequence-parallel ranks sends for one micro-batch, counting one "
    "all-gather and one reduce-scatter in each of its `L_p` layers. A layer run forward and backward "
    "has four of each: four times this.",
    chain="""
    V_S = sum(V_AGN + V_RSN, (i, 1, L_p))         -- an all-gather and a reduce-scatter a layer
      = L_p*(V_AGN + V_RSN)                       -- equal layers
      = 2*L_p*(N - 1)/N*(a*b_m*s*D)               -- each sends `(N - 1)/N` of the activation
    """,
)
