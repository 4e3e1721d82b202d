"""The batch from which a product is compute-bound.

A weight that is read once serves every token, so tokens are what a product needs to outweigh its reads.
For wide matrices the number is a property of device and widths alone: at 16 bits the critical intensity
itself, about 240 on a TPU v5e and 295 on an H100. Weights in 8 bits that are computed with in 16 halve
it, for half is read for the same arithmetic; 8 bits in both leave it as it was where the device is twice
as fast with them. Narrow matrices need more tokens, as input and output weigh more beside the weight,
and matrices that are too narrow never get there.
"""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.roofline._sources import SCALING_BOOK_BATCH
from workings.derivations.roofline.device import DEVICE
from workings.derivations.roofline.products import FLOPS, MATMUL_BYTES, ONCE, PRODUCT, run
from workings.simulate.memory_traffic import Memory
from workings.simulate.search import halve
from workings.units import ONE
from workings.vocabulary.roofline import WEIGHT_WIDTH

WIDE = (
    "W_m > (a*D + a_o*F)*C/(2[FLOP]*D*F) -- for matrices this narrow input and output alone take "
    "longer than the arithmetic, whatever the batch"
)
WIDTHS = (
    "In BF16 every width is 2 bytes. INT8 weights with BF16 arithmetic have `w` of 1 byte alone. In "
    "FP8 or INT8 throughout every width is 1 byte, and `C` the peak in 8 bits."
)


def race(memory: Memory, C: Fraction, W_m: Fraction) -> bool:
    """Whether the arithmetic of a product that was run takes longer than what it moved."""
    return memory.flops / C > memory.moved / W_m


def race_a_product(C: Fraction, W_m: Fraction, **product: Any) -> bool | None:
    """The product run, its multiplies and adds raced against its loads and stores."""
    memory = run(**product)
    return race(memory, C, W_m) if memory else None


COMPUTE_BOUND_TOKENS = derivation(
    "compute-bound-tokens",
    title="Tokens from which a matrix product is compute-bound",
    phrases="exact batch where a GEMM leaves the memory roof; tokens needed to saturate tensor cores "
    "for one layer; is this matmul memory- or compute-bound; batch above the ridge for small "
    "d_model; matmul crossover batch with activation traffic",
    unit=ONE,
    noun="tokens",
    letters={**PRODUCT, **DEVICE},
    uses={"f": FLOPS, "V": MATMUL_BYTES.at()},
    given=(WIDE,),
    source=SCALING_BOOK_BATCH,
    oracle=race_a_product,
    convention=f"{ONCE} Memory and arithmetic overlap. {WIDTHS}",
    chain="""
    f/C > V/W_m                                                -- arithmetic takes longer than memory
      <=> 2[FLOP]*B*D*F/C > ((a*D + a_o*F)*B + w*D*F)/W_m      -- put both in
      <=> B*(2[FLOP]*D*F*W_m - (a*D + a_o*F)*C) > w*D*F*C      -- multiply by `C*W_m`, collect `B`
      <=> B > w*D*F*C/(2[FLOP]*D*F*W_m - (a*D + a_o*F)*C)      -- divide: the bracket is positive
    """,
)


def add_tokens(C: Fraction, W_m: Fraction, **product: Any) -> int | None:
    """Tokens added until a product that is run has more arithmetic than its bytes take."""
    product.pop("B", None)
    for tokens in range(1, 200):
        memory = run(B=tokens, **product)
        if memory is None or race(memory, C, W_m):
            return tokens if memory else None
    return None


SMALLEST_COMPUTE_BOUND_BATCH = derivation(
    "smallest-compute-bound-tokens",
    title="Fewest tokens with which a matrix product is compute-bound",
    phrases="integer batch size for a compute-bound GEMM; first whole token count past the roofline; "
    "minimum tokens for one layer to reach peak FLOPs",
    unit=ONE,
    noun="tokens",
    letters={**PRODUCT, **DEVICE},
    uses={"B_c": COMPUTE_BOUND_TOKENS.at()},
    given=(WIDE,),
    source=SCALING_BOOK_BATCH,
    oracle=add_tokens,
    convention=f"{ONCE} Memory and arithmetic overlap. {WIDTHS}",
    chain="""
    B_min = floor(B_c) + 1      -- the smallest whole number above the threshold
    """,
)


def widen_the_matrix(w: Fraction, C: Fraction, W_m: Fraction) -> tuple[Fraction, Fraction]:
    """Tokens raised until a column of a weight, met by all of them, costs more FLOPs than bytes."""

    def column(tokens: Fraction) -> bool:
        flops = moved = Fraction(0)
        for place in range(7):
            moved += w * (place + 1)
            flops += (tokens + tokens) * (place + 1)  # a multiply and an add for each weight and token
        return flops / C >= moved / W_m

    most = Fraction(1)
    while not column(most):
        most *= 2
    return halve(column, 0, most)


CRITICAL_BATCH = derivation(
    "critical-batch",
    title="Tokens from which a wide matrix product is compute-bound",
    phrases="critical batch size of a mixture of experts; "
    "batch that hides loading weights; compute-bound batch of linear layers; "
    "peak FLOP/s over memory bandwidth as a batch; memory wall of small batches; "
    "critical batch size of an accelerator; B_crit 240 tokens TPU v5e; 295 tokens H100; "
    "batch to be FLOPs-bound with int8 weights; batch that saturates tensor cores; batch where "
    "reading weights stops being the bottleneck; rule of thumb B above 240",
    unit=ONE,
    noun="tokens",
    fractional="a limit, on one side of which the counts lie",
    letters={"w": WEIGHT_WIDTH, **DEVICE},
    source=SCALING_BOOK_BATCH,
    oracle=widen_the_matrix,
    convention=f"The weight alone counts: matrices far wider than the batch. {WIDTHS}",
    leaves_out="Input and output.",
    chain="""
    B_crit = (C/W_m)*(w/2[FLOP])       -- the critical intensity; a token does 2 FLOPs for `w` bytes
      = w*C/(2[FLOP]*W_m)              -- half the bytes a weight, half the tokens
    """,
)
