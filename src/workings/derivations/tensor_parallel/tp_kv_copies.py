"""Ranks that hold the same key and value head."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.tensor_parallel._heads import EVEN, EVEN_IN_WORDS, HEAD_COUNTS, placed
from workings.derivations.tensor_parallel._sources import VLLM_HEADS
from workings.derivations.tensor_parallel.tp_kv_heads import TP_KV_HEADS
from workings.units import ONE


def look_for_a_head_on_every_rank(t: int, H: int, K: int) -> Fraction:
    """Query heads dealt out; for each key and value head the ranks that hold it, their mean."""
    found = placed(t, H, K)
    return Fraction(sum(found.copies(head) for head in range(K)), K)


TP_KV_COPIES = derivation(
    "tp-kv-copies",
    title="Copies of each key and value head in a tensor-parallel group",
    unit=ONE,
    noun="copies",
    letters=HEAD_COUNTS,
    uses={"K_t": TP_KV_HEADS.at()},
    given=EVEN,
    source=VLLM_HEADS,
    oracle=look_for_a_head_on_every_rank,
    convention=EVEN_IN_WORDS,
    chain="""
    n_kv = t*K_t/K                -- heads held by all ranks, over different heads
      = t*(max(K, t)/t)/K         -- put it in
      = max(K, t)/K               -- `t` cancels
      = max(1, t/K)               -- one while there are enough heads, `t/K` beyond
    """,
)
