"""Key and value heads on a rank."""

from workings.derivation import derivation
from workings.derivations.tensor_parallel._heads import EVEN, EVEN_IN_WORDS, HEAD_COUNTS, placed
from workings.derivations.tensor_parallel._sources import VLLM_HEADS
from workings.units import ONE


def hold_what_the_queries_need(t: int, H: int, K: int) -> int:
    """Query heads dealt out; the different key and value heads that a rank's queries belong to."""
    return max(len(held) for held in placed(t, H, K).keys)


TP_KV_HEADS = derivation(
    "tp-kv-heads",
    title="Key and value heads on a tensor-parallel rank",
    unit=ONE,
    noun="heads",
    letters=HEAD_COUNTS,
    given=EVEN,
    source=VLLM_HEADS,
    oracle=hold_what_the_queries_need,
    convention=EVEN_IN_WORDS,
    chain="""
    K_t = max(K/t, 1)             -- a `t`-th of them, but one at least: half a head is of no use
      = max(K, t)/t               -- one denominator
    """,
)
