"""What a device computes in each case, and how long each way takes.

Sharing a product out needs its dimensions cut: along two axes where the sum is whole, along one where it
is cut. Where an operand is gathered instead, every device multiplies all of it, so that what is saved in
bytes may cost time. One entry holds both against each other where transfers hide behind products:
for wide layers summing the parts beats multiplying everything on every device. The last two hold a
product's own share against its sum: from which inner width that hides, and over how many devices.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from workings.derivation import derivation, like, only_if
from workings.derivations.collectives.ring import RING_ALL_REDUCE
from workings.derivations.collectives.ring_time import RING_ALL_GATHER_TIME, RING_ALL_REDUCE_TIME
from workings.derivations.compute.matmul import MATMUL_FLOPS
from workings.derivations.sharded._letters import CUT, SENT, TIMED
from workings.derivations.sharded._sources import CASE_1, CASE_2, CASE_3, STRATEGIES
from workings.derivations.sharded.products import run
from workings.derivations.sources import scaling_book
from workings.simulate.block_matrices import Matrix, numbers
from workings.simulate.sharded import (
    gather_then_multiply,
    multiply_blocks,
    multiply_then_reduce,
)
from workings.simulate.tensor_ranks import Ranks
from workings.units import FLOP, ONE, SECOND
from workings.vocabulary.hardware import COMPUTE, LINK
from workings.vocabulary.sharded import OTHER_AXIS

PEAK = "Products run at the peak, links inside a node at their full one-way speed. "


def multiply_every_block(B: int, D: int, F: int, X: int, Y: int) -> Fraction:
    """Rows of one matrix meet columns of the other on a mesh, all multiplied; a device's mean FLOPs."""
    only_if(B * D * F <= 20_000 and X * Y <= 400)
    flops = multiply_blocks(numbers(B, D, 1), numbers(D, F, 2), X, Y)
    return Fraction(sum(flops), len(flops))


OUTER_SHARDED_FLOPS = derivation(
    "sharded-product-flops",
    title="FLOPs of one device in a product of sharded arrays that sends nothing",
    phrases="A[I_X, J] times B[J, K_Y]; case 1 sharded matmul; batch on one mesh axis and output "
    "features on another; local block matmul work; 2BDF/(XY); neither operand sharded over the "
    "contraction",
    unit=FLOP,
    fractional="devices with uneven blocks count by their mean",
    letters={**CUT, "Y": OTHER_AXIS},
    uses={"f": MATMUL_FLOPS.at()},
    source=CASE_1,
    oracle=multiply_every_block,
    convention="A[B_X, D] times W[D, F_Y]: the result is C[B_X, F_Y], and nothing is sent.",
    chain="""
    f_XY = 2[FLOP]*(B/X)*D*(F/Y)         -- its rows times its columns, a sum of `D` products each
      = f/(X*Y)                          -- all devices of both axes share the product
    """,
)


Way = Callable[[Ranks, Matrix, Matrix], None]


def time(way: Way, a: Fraction, C: Fraction, alpha_1: Fraction, W_1: Fraction, **sizes: int) -> Fraction:
    """One device's FLOPs, hops and bytes of a product that was really run, one after another."""
    ranks = run(way, **sizes)
    return ranks.flops() / C + ranks.hops() * alpha_1 + ranks.sent() * a / W_1


def gather_and_multiply_by_the_clock(**letters: Any) -> Fraction:
    """Real activations are gathered and multiplied; hops, bytes and FLOPs of a device become seconds."""
    return time(gather_then_multiply, **letters)


GATHER_THEN_MULTIPLY_TIME = derivation(
    "gather-then-multiply-time",
    title="Time to gather the operand whose inner dimension is cut, then multiply",
    phrases="AllGather then full matmul, seconds; every device repeats the whole product; duration of "
    "case 2 sharded matmul; unshard then dot, milliseconds; replicated compute after a gather",
    unit=SECOND,
    letters=TIMED,
    uses={
        "T_AG": RING_ALL_GATHER_TIME.at(N="X", S="a*B*D", alpha="alpha_1", W_b="W_1"),
        "f": MATMUL_FLOPS.at(),
    },
    source=CASE_2,
    oracle=gather_and_multiply_by_the_clock,
    convention=PEAK + "A[B, D_X] times W[D, F], one after the other: the product starts when all of the "
    "operand is there.",
    chain="""
    T_GM = T_AG + f/C                                -- gather, then all of the product on every device
      = (X - 1)*alpha_1 + (X - 1)/X*(a*B*D)/W_1 + 2[FLOP]*B*D*F/C      -- put both in
    """,
)


def multiply_and_reduce_by_the_clock(**letters: Any) -> Fraction:
    """Real blocks are multiplied and summed; FLOPs, hops and bytes of a device become seconds."""
    return time(multiply_then_reduce, **letters)


MULTIPLY_THEN_REDUCE_TIME = like(
    "multiply-then-reduce-time",
    GATHER_THEN_MULTIPLY_TIME,
    title="Time to multiply operands cut along the inner dimension, then all-reduce",
    phrases="local dot then psum, seconds; duration of case 3 sharded matmul; row-parallel linear layer "
    "time with its all-reduce; partial products and their sum, milliseconds",
    uses={
        "T_AR": RING_ALL_REDUCE_TIME.at(N="X", S="a*B*F", alpha="alpha_1", W_b="W_1"),
        "f": MATMUL_FLOPS.at(),
    },
    source=CASE_3,
    oracle=multiply_and_reduce_by_the_clock,
    convention=PEAK + "A[B, D_X] times W[D_X, F], one after the other: sums start when the product is "
    "done.",
    leaves_out="The additions of the partial products.",
    chain="""
    T_MR = f/(X*C) + T_AR                            -- the devices share the product, then sum it
      = 2[FLOP]*B*D*F/(X*C) + 2*(X - 1)*alpha_1 + 2*(X - 1)/X*(a*B*F)/W_1      -- put both in
    """,
)


def hold_sums_against_products(C: Fraction, W: Fraction, a: Fraction, **sizes: int) -> bool:
    """Both ways run on real matrices: seconds of the one's sums, and of the other's whole product."""
    sums = run(multiply_then_reduce, **sizes).sent() * a / W
    return sums < run(gather_then_multiply, **sizes).flops() / C


SUMMING_BEATS_REPEATING = derivation(
    "summing-beats-repeating",
    title="Inner width from which summing partial products takes less than every device multiplying all",
    phrases="matmul strategy crossover D > 2C/W; shard the contraction or replicate the product; 5100 "
    "rule for TPU v5p; all-reduce time below replicated matmul time; when is it worth splitting the "
    "inner dimension of a matmul",
    unit=ONE,
    noun="values",
    letters={**SENT, "C": COMPUTE, "W": LINK},
    uses={"V": RING_ALL_REDUCE.at(N="X", S="a*B*F"), "f": MATMUL_FLOPS.at()},
    given=("X >= 2",),
    source=STRATEGIES,
    oracle=hold_sums_against_products,
    convention="Transfers hide behind products, the sums are bound by the links and the repeated product "
    "by compute. On a large ring with 2 bytes a value this is `D > 2*C/W`: about 5,100 on a TPU v5p, "
    "as published.",
    leaves_out="Start-up latency, and the time to gather the operand, which is hidden.",
    chain="""
    V/W < f/C                                             -- sums over links, against the whole product
      <=> 2*(X - 1)/X*(a*B*F)/W < 2[FLOP]*B*D*F/C         -- put both in
      <=> D > 2*(X - 1)/X*a*C/(2[FLOP]*W)                 -- tokens and the result's width drop out
    """,
)


def race_the_sum(C: Fraction, W: Fraction, a: Fraction, **sizes: int) -> bool:
    """Operands really cut, multiplied and summed: a device's FLOPs against what it sent."""
    ranks = run(multiply_then_reduce, **sizes)
    return ranks.flops() / C > ranks.sent() * a / W


SUM_HIDING_WIDTH = derivation(
    "sum-hiding-width",
    title="Inner width from which a product split along it hides its all-reduce",
    phrases="split matmul over two chips compute-bound when D > 8755; contraction dimension needed to "
    "overlap the psum; two-accelerator matmul roofline; inter-chip network roofline; D > 2 C/W for two "
    "TPUs; when is a sharded contraction communication-bound; row-parallel matmul hidden by compute",
    unit=ONE,
    noun="values",
    letters={**SENT, "C": COMPUTE, "W": LINK},
    uses={"V": RING_ALL_REDUCE.at(N="X", S="a*B*F"), "f": MATMUL_FLOPS.at()},
    given=("X >= 2",),
    source=scaling_book("roofline", "part 1, “Network communication rooflines”"),
    oracle=race_the_sum,
    convention="A[B, D_X] times W[D_X, F], the result whole on every device; transfers hide behind "
    "products in pieces. Two devices with 2 bytes a value: `D > 2*C/W`.",
    leaves_out="Start-up latency and the additions.",
    chain="""
    f/(X*C) > V/W                                           -- a share of the product, against its sum
      <=> 2[FLOP]*B*D*F/(X*C) > 2*(X - 1)/X*(a*B*F)/W       -- put both in
      <=> D > (X - 1)*a*C/(1[FLOP]*W)                       -- tokens and the result's width drop out
    """,
)


SUM_HIDING_DEVICES = like(
    "sum-hiding-devices",
    SUM_HIDING_WIDTH,
    title="Devices up to which a product split along its inner width hides its all-reduce",
    phrases="largest axis for a sharded contraction; X < D/(2C/W); how many chips until the psum of a "
    "matmul dominates; compute-bound only for few chips; axis size limit of a row-parallel product",
    noun="devices",
    source=STRATEGIES,
    given=(),
    convention="A[B, D_X] times W[D_X, F], the result whole on every device; transfers hide behind "
    "products in pieces. Texts that take `(X - 1)/X` as 1 have one device fewer.",
    chain="""
    f/(X*C) > V/W                                           -- a share of the product, against its sum
      <=> 2[FLOP]*B*D*F/(X*C) > 2*(X - 1)/X*(a*B*F)/W       -- put both in
      <=> X < 1 + 1[FLOP]*D*W/(a*C)                         -- multiply by `X`, solve for the devices
    """,
)
