"""What one of t ranks computes of a product that is split along its inner length."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.compute.matmul import MATMUL_FLOPS
from workings.derivations.tensor_parallel._sources import MEGATRON_SPLIT
from workings.simulate.block_matrices import numbers, split_inner
from workings.units import FLOP
from workings.vocabulary.layout import TP
from workings.vocabulary.model import D_FF, D_MODEL
from workings.vocabulary.training import TOKENS


def multiply_a_ranks_blocks(B: int, F: int, D: int, t: int) -> Fraction:
    """Every rank multiplies its two blocks; the mean of their multiplications and additions."""
    flops = split_inner(numbers(B, F, 1), numbers(F, D, 2), t).flops
    return Fraction(sum(flops), len(flops))


SPLIT_MATMUL_FLOPS = derivation(
    "split-matmul-flops",
    title="FLOPs of one rank in a product split into blocks",
    unit=FLOP,
    fractional="ranks with uneven blocks count by their mean",
    letters={"B": TOKENS, "F": D_FF, "D": D_MODEL, "t": TP},
    uses={"f": MATMUL_FLOPS.at(D="F", F="D")},
    source=MEGATRON_SPLIT,
    oracle=multiply_a_ranks_blocks,
    leaves_out="The additions of the partial products, which the all-reduce does.",
    chain="""
    f_rank = 2[FLOP]*B*(F/t)*D      -- rows of `A_r` times columns of `B_r`, `F/t` products an entry
      = 2[FLOP]*B*F*D/t             -- collect
      = f/t                         -- the `t` ranks share the whole product
    """,
)
