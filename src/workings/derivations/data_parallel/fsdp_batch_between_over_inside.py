"""What leaving the node costs."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.data_parallel._race import forward_seconds, gather_seconds
from workings.derivations.data_parallel._sources import KAKADE_ANAND
from workings.derivations.data_parallel.fsdp_smallest_batch import FSDP_SMALLEST_BATCH
from workings.units import ONE
from workings.vocabulary.data_parallel import UNIT_PARAMETERS
from workings.vocabulary.hardware import COMPUTE, LINK_ONE_WAY, NETWORK_ONE_WAY
from workings.vocabulary.layout import SHARING_RANKS
from workings.vocabulary.training import GATHER_WIDTH, SEQUENCE_LENGTH


def race_on_both_links(
    s: int, P_u: int, d: int, w: Fraction, W_1: Fraction, W_2: Fraction, C: Fraction
) -> Fraction | None:
    """How many forwards of one sequence fit into a gather on each link, one over the other."""
    inside = gather_seconds(d, w * P_u, Fraction(0), W_1, large=True)
    between = gather_seconds(d, w * P_u, Fraction(0), W_2, large=True)
    if inside is None or between is None:
        return None
    sequence = forward_seconds(s, P_u, C)
    return (between / sequence) / (inside / sequence)


FSDP_BATCH_BETWEEN_OVER_INSIDE = derivation(
    "fsdp-batch-between-over-inside",
    title="Batch that FSDP needs between nodes over the batch it needs inside one",
    unit=ONE,
    letters={
        "s": SEQUENCE_LENGTH,
        "P_u": UNIT_PARAMETERS,
        "d": SHARING_RANKS,
        "w": GATHER_WIDTH,
        "W_1": LINK_ONE_WAY,
        "W_2": NETWORK_ONE_WAY,
        "C": COMPUTE,
    },
    uses={
        "b_1": FSDP_SMALLEST_BATCH.at(alpha="0[s]", W_b="W_1"),
        "b_2": FSDP_SMALLEST_BATCH.at(alpha="0[s]", W_b="W_2"),
    },
    source=KAKADE_ANAND,
    oracle=race_on_both_links,
    leaves_out="Start-up latency.",
    chain="""
    r_b = b_2/b_1                                      -- each link's threshold
      = (w*C/(2[FLOP]*s*W_2))/(w*C/(2[FLOP]*s*W_1))    -- without start-ups
      = W_1/W_2                  -- the slower the network than the link inside, the larger the batch
    """,
)
