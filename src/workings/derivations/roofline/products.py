"""Bytes and time of a matrix product.

A product of a batch by a weight moves three tensors, each in its own width: weights may be quantised
where activations are not. Its FLOPs grow with the product of three lengths, its bytes with those of two
each, so that large products do much for a byte. Few tokens leave the weight, which is read whole for
however few; and there the intensity is the tokens themselves, at 16 bits.
"""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation, like
from workings.derivations.compute.matmul import MATMUL_FLOPS
from workings.derivations.roofline._sources import SCALING_BOOK_MATMUL, SCALING_BOOK_TIME
from workings.derivations.roofline.device import DEVICE
from workings.simulate.memory_traffic import Memory, multiply
from workings.units import BYTE, FLOP, SECOND
from workings.vocabulary.model import D_FF, D_MODEL
from workings.vocabulary.roofline import OUTPUT_WIDTH, PRODUCT_TOKENS, WEIGHT_WIDTH
from workings.vocabulary.training import ACTIVATION_WIDTH

PRODUCT = {
    "B": PRODUCT_TOKENS, "D": D_MODEL, "F": D_FF,
    "a": ACTIVATION_WIDTH, "w": WEIGHT_WIDTH, "a_o": OUTPUT_WIDTH,
}  # fmt: skip
FLOPS = MATMUL_FLOPS.at(B="B")
ONCE = (
    "Input and weight are read once, the output is written once: the chip holds what it needs meanwhile."
)


def run(B: int, D: int, F: int, a: Fraction, w: Fraction, a_o: Fraction) -> Memory | None:
    """The matrices loaded, multiplied by nested loops and stored; nothing where they are too large."""
    return multiply(B, D, F, a, w, a_o) if B * D * F <= 20_000 else None


def move_the_matrices(**product: Any) -> Fraction | None:
    """A batch and a weight loaded value by value, multiplied, and the result stored."""
    memory = run(**product)
    return memory.moved if memory else None


MATMUL_BYTES = derivation(
    "matmul-bytes",
    title="Bytes that a matrix product moves",
    phrases="HBM traffic of a GEMM; memory reads and writes of a matmul; 2BD + 2DF + 2BF; data "
    "movement of a linear layer; bytes loaded for a matmul; weight and activation loads of nn.Linear",
    unit=BYTE,
    letters=PRODUCT,
    source=SCALING_BOOK_MATMUL,
    oracle=move_the_matrices,
    convention=ONCE,
    leaves_out="What is read again because the on-chip memory holds only tiles; scales of quantised "
    "values.",
    chain="""
    V = a*B*D + w*D*F + a_o*B*F        -- input, weight and output
      = (a*D + a_o*F)*B + w*D*F        -- the part that grows with the tokens, and the weight
      >= w*D*F                         -- the weight is read however few tokens there are
    """,
)


def divide_by_what_moved(**product: Any) -> Fraction | None:
    """The product run: multiplies and adds counted, over the bytes loaded and stored."""
    memory = run(**product)
    return memory.flops / memory.moved if memory else None


MATMUL_INTENSITY = derivation(
    "matmul-intensity",
    title="Arithmetic intensity of a matrix product",
    phrases="FLOPs per byte of communication or memory, as an intensity; "
    "FLOPs per byte of a GEMM; BDF/(BD+DF+BF); operational intensity of a linear layer; matmul "
    "intensity equals batch size; INT8 weight-only intensity; why are small batches memory-bound",
    unit=FLOP / BYTE,
    letters=PRODUCT,
    uses={"f": FLOPS, "V": MATMUL_BYTES.at()},
    source=SCALING_BOOK_MATMUL,
    oracle=divide_by_what_moved,
    convention=f"{ONCE} Weights of an expert meet only the tokens sent to it.",
    chain="""
    I_m = f/V                                            -- FLOPs for each byte
      = 2[FLOP]*B*D*F/((a*D + a_o*F)*B + w*D*F)          -- put both in
      = 2[FLOP]*B/(w + B*(a/F + a_o/D))                  -- divide by `D*F`
      <= 2[FLOP]*B/w                                     -- the weight alone
      ≈ [D -> oo, F -> oo] 2[FLOP]*B/w                   -- wide matrices: the tokens, at 2 bytes a weight
    """,
)


def run_side_by_side(C: Fraction, W_m: Fraction, **product: Any) -> Fraction | None:
    """The product's loads, arithmetic and stores put on two clocks; when the later of them stops."""
    memory = run(**product)
    return memory.seconds(C, W_m, overlapped=True) if memory else None


MATMUL_TIME = derivation(
    "matmul-time",
    title="Least time of a matrix product (memory and arithmetic overlapped)",
    phrases="GEMM roofline time; max of compute time and memory time; lower bound on matmul latency; how "
    "long does a linear layer take on one GPU; ideal kernel duration",
    unit=SECOND,
    letters={**PRODUCT, **DEVICE},
    uses={"f": FLOPS, "V": MATMUL_BYTES.at()},
    source=SCALING_BOOK_TIME,
    oracle=run_side_by_side,
    convention="Memory and arithmetic overlap wholly, both at their peak: no kernel is faster.",
    leaves_out="Starting the kernel, filling its pipeline, and tiles at the edges that are not full.",
    chain="""
    T = max(f/C, V/W_m)                                                    -- the slower sets the time
      = max(2[FLOP]*B*D*F/C, ((a*D + a_o*F)*B + w*D*F)/W_m)                -- put both in
    """,
)


def run_in_turn(C: Fraction, W_m: Fraction, **product: Any) -> Fraction | None:
    """The product's loads, arithmetic and stores put on one clock, each after the one before."""
    memory = run(**product)
    return memory.seconds(C, W_m, overlapped=False) if memory else None


MATMUL_TIME_SUM = like(
    "matmul-time-sum",
    MATMUL_TIME,
    title="Time of a matrix product without overlap",
    phrases="upper bound on GEMM time; load then compute then store; sum of math and memory time; matmul "
    "latency when nothing is hidden; at most twice the roofline",
    uses={"f": FLOPS, "V": MATMUL_BYTES.at(), "T": MATMUL_TIME.at()},
    oracle=run_in_turn,
    convention="One thing at a time, each at its peak: a kernel that overlaps anything is faster.",
    chain="""
    T_sum = f/C + V/W_m                          -- computed after it was moved
      = T + min(f/C, V/W_m)                      -- the larger, and the smaller on top: at most twice `T`
    """,
)
