"""Causal attention between two blocks that are dealt out zig-zag."""

from workings.derivation import derivation
from workings.derivations.context_parallel._balance import EVEN_CHUNKS, steps_of
from workings.derivations.context_parallel._letters import QUERIES
from workings.derivations.context_parallel._sources import LLAMA_3_CP
from workings.derivations.context_parallel.ring_block_flops import RING_BLOCK_FLOPS
from workings.simulate.block_matrices import spans
from workings.simulate.ring_attention import zig_zag
from workings.units import FLOP


def multiply_the_pairs_of_a_step(c: int, t: int, b_m: int, s: int, H: int, d_h: int) -> int | None:
    """Pairs that a causal mask lets through in any later step, a score and a value for each."""
    steps = steps_of(zig_zag, s, c)
    if steps is None:
        return None
    later = {pairs for rank in steps for pairs in rank[1:]}
    if len(later) != 1:
        return None  # one rank: there is no later step
    each = sum(2 + 2 for _ in range(b_m) for _ in spans(H, t)[0] for _ in range(d_h))
    return later.pop() * each


RING_BLOCK_FLOPS_ZIG_ZAG = derivation(
    "ring-block-flops-zig-zag",
    title="FLOPs of a block of queries with another rank's block, causal and zig-zag",
    unit=FLOP,
    letters=QUERIES,
    uses={"f_blk": RING_BLOCK_FLOPS.at()},
    given=("t divides H", *EVEN_CHUNKS, "c > 1"),
    source=LLAMA_3_CP,
    oracle=multiply_the_pairs_of_a_step,
    convention="One layer, one micro-batch, any step but the first, forward. The sequence is cut into "
    "`2*c` chunks; rank `r` holds chunk `r` from the front and chunk `r` from the back.",
    leaves_out="The softmax; projections and feed-forward.",
    chain="""
    f_zz = 2*(4[FLOP]*b_m*(H/t)*d_h*(s/(2*c))^2)    -- two of the four pairs of chunks, each of them whole
      = 2[FLOP]*b_m*(H/t)*d_h*(s/c)^2               -- square
      = f_blk/2                                     -- in every step, on every rank
    """,
)
