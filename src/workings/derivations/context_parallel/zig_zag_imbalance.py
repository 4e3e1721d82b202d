"""Causal attention on zig-zag chunks is shared out exactly."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.context_parallel._balance import EVEN_CHUNKS, LETTERS, steps_of
from workings.derivations.context_parallel._sources import LLAMA_3_CP
from workings.derivations.context_parallel.causal_pairs import CAUSAL_PAIRS
from workings.simulate.ring_attention import zig_zag
from workings.units import ONE
from workings.vocabulary.ranks import CP_INDEX


def count_a_ranks_pairs(c: int, s: int, i_c: int) -> Fraction | None:
    """Chunks dealt out from both ends; a rank's pairs over the mean, all steps being even."""
    steps = steps_of(zig_zag, s, c)
    if steps is None:
        return None
    if any(len({rank[step] for rank in steps}) != 1 for step in range(c)):
        raise AssertionError("A step is uneven.")
    return Fraction(sum(steps[i_c]) * c, sum(map(sum, steps)))


ZIG_ZAG_IMBALANCE = derivation(
    "zig-zag-imbalance",
    title="Work of any rank over the mean, causal, zig-zag",
    unit=ONE,
    letters={**LETTERS, "i_c": CP_INDEX},
    uses={"n_qk": CAUSAL_PAIRS.at()},
    given=(*EVEN_CHUNKS, "i_c < c"),
    source=LLAMA_3_CP,
    oracle=count_a_ranks_pairs,
    convention="The sequence is cut into `2*c` chunks; the `i_c`-th rank, counted from 0, holds "
    "chunk `i_c` and chunk `2*c - 1 - i_c`. Every step is even too.",
    chain="""
    u_zz = (i_c*(s/(2*c))^2 + (2*c - 1 - i_c)*(s/(2*c))^2 + 2*sum(i, (i, 1, s/(2*c))))/n_qk
                                            -- each chunk with those before it, and with itself
      = ((2*c - 1)*(s/(2*c))^2 + s/(2*c)*(s/(2*c) + 1))/(s*(s + 1)/(2*c))   -- `i_c` cancels
      = 1                                   -- every rank has exactly the mean
    """,
)
