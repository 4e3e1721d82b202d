"""Time of attention round a ring."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.context_parallel._sources import RING_ATTENTION
from workings.simulate.overlap import gather_beside_work
from workings.units import SECOND
from workings.vocabulary.context_parallel import BLOCK_TIME, KV_HOP_TIME
from workings.vocabulary.layout import CP


def run_step_by_step(c: int, T_blk: Fraction, T_kv: Fraction) -> Fraction:
    """Compute and link run beside each other, block by block; when the last block is done."""
    return gather_beside_work(c, T_blk, T_kv).finish


RING_TIME = derivation(
    "ring-time",
    title="Time of ring attention's forward pass",
    unit=SECOND,
    letters={"c": CP, "T_blk": BLOCK_TIME, "T_kv": KV_HOP_TIME},
    source=RING_ATTENTION,
    oracle=run_step_by_step,
    convention="Every step computes as long: full attention, or zig-zag but for the first step.",
    leaves_out="Merging the steps' results.",
    chain="""
    T_ring = T_blk + sum(max(T_blk, T_kv), (i, 1, c - 1))     -- a block, and `c - 1` beside a hop each
      = T_blk + (c - 1)*max(T_blk, T_kv)            -- equal steps
      = c*T_blk + (c - 1)*max(0, T_kv - T_blk)      -- the compute, and what each hop takes beyond a block
    """,
)
