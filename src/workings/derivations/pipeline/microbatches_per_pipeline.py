"""How many micro-batches a pipeline gets."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.pipeline._sources import MEGATRON_NOTATION
from workings.units import ONE
from workings.vocabulary.layout import DP
from workings.vocabulary.training import BATCH, MICROBATCH


def deal_out_sequences(b: int, d: int, b_m: int) -> Fraction | None:
    """Sequences dealt out to the replicas in turn; one replica's share cut into micro-batches."""
    hands = [list(range(replica, b, d)) for replica in range(d)]
    cut = [hands[0][i : i + b_m] for i in range(0, len(hands[0]), b_m)]
    if len({len(hand) for hand in hands}) > 1 or any(len(part) < b_m for part in cut):
        return None  # the micro-batches would not be equal
    return Fraction(len(cut))


MICROBATCHES_PER_PIPELINE = derivation(
    "microbatches-per-pipeline",
    title="Micro-batches of one pipeline in a step",
    unit=ONE,
    noun="micro-batches",
    letters={"b": BATCH, "d": DP, "b_m": MICROBATCH},
    given=("d divides b", "b_m divides b"),
    source=MEGATRON_NOTATION,
    oracle=deal_out_sequences,
    convention="Data parallelism divides the batch; neither stages nor chunks change the number.",
    chain="""
    m_r = (b/d)/b_m       -- a replica's sequences, `b_m` to a micro-batch
      = b/(d*b_m)         -- collect
    """,
)
