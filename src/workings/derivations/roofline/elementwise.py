"""Norms, activation functions and the optimizer: what no batch makes compute-bound.

An operation on each value by itself reads and writes for every result, and does a few FLOPs with it: its
intensity is a constant near 1, hundreds of times below what a device needs. Such kernels take the time of
their bytes, which is why they are fused with their neighbours. The optimizer's step is the largest of
them: every parameter's weight, gradient and moments pass through the chip once a step.
"""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation, like
from workings.derivations.roofline._sources import FUSED_ADAM, LLAMA_RMS_NORM, SCALING_BOOK_TIME
from workings.simulate.memory_traffic import Memory, adam, rms_norm
from workings.units import BYTE, FLOP, SECOND
from workings.vocabulary.hardware import MEMORY_BANDWIDTH
from workings.vocabulary.model import D_MODEL
from workings.vocabulary.roofline import INPUTS, OPERATIONS, PRODUCT_TOKENS, WEIGHT_WIDTH
from workings.vocabulary.state import HELD, HELD_1, STATE_RANKS_1
from workings.vocabulary.training import (
    ACTIVATION_WIDTH,
    GRADIENT_WIDTH,
    MASTER_WIDTH,
    MOMENT_WIDTH,
    WORKING_WIDTH,
)


def compute_value_by_value(f_v: Fraction, r: int, a: Fraction) -> Fraction:
    """Results made one by one, each from as many values as it needs; FLOPs over bytes of both ways."""
    memory = Memory()
    flops = Fraction(0)
    for result in range(1, 4):
        memory.load([[result + source for source in range(r)]], width=a)
        flops += f_v
        memory.store([[result]], width=a)
    return flops / memory.moved


ELEMENTWISE_INTENSITY = derivation(
    "elementwise-intensity",
    title="Arithmetic intensity of an operation on each value by itself",
    phrases="pointwise kernel FLOPs per byte; residual add intensity; activation function "
    "memory-bound; GELU or SwiGLU gate roofline; vector add arithmetic intensity; why fuse "
    "elementwise ops",
    unit=FLOP / BYTE,
    letters={"f_v": OPERATIONS, "r": INPUTS, "a": ACTIVATION_WIDTH},
    source=SCALING_BOOK_TIME,
    oracle=compute_value_by_value,
    convention="Every result is made of `r` values of its own, of the same width. An addition of two "
    "tensors has `f_v = 1` and `r = 2`.",
    chain="""
    I_v = f_v/(sum(a, (i, 1, r)) + a)  -- a result's FLOPs; the values it is made of, and itself
      = f_v/((r + 1)*a)                -- no size of the tensor is left: a larger one is no better
    """,
)


def normalise(B: int, D: int, a: Fraction, w: Fraction) -> Fraction | None:
    """Tokens normalised one by one, each operation counted; over every value loaded and stored."""
    if B * D > 5_000:
        return None
    memory = rms_norm(B, D, a, w)
    return memory.flops / memory.moved


RMS_NORM_INTENSITY = derivation(
    "rms-norm-intensity",
    title="Arithmetic intensity of an RMS norm",
    phrases="RMSNorm FLOPs per byte; normalisation layer memory-bound; norm kernel roofline; is layer "
    "normalization bandwidth limited; FLOPs of RMSNorm",
    unit=FLOP / BYTE,
    letters={"B": PRODUCT_TOKENS, "D": D_MODEL, "a": ACTIVATION_WIDTH, "w": WEIGHT_WIDTH},
    source=LLAMA_RMS_NORM,
    oracle=normalise,
    convention="A value's square, its addition, its product with the root's reciprocal and with the "
    "gain are 4 FLOPs; mean, epsilon and the reciprocal of the root are 3 for each token. A token "
    "stays on the chip between its two passes.",
    leaves_out="Conversions between widths.",
    chain="""
    I_n = B*(4[FLOP]*D + 3[FLOP])/(B*D*a + w*D + B*D*a)  -- input and gain read, output written
      = B*(4[FLOP]*D + 3[FLOP])/(D*(2*a*B + w))          -- collect
      ≈ [B -> oo, D -> oo] 2[FLOP]/a                     -- 1 FLOP a byte at 16 bits
    """,
)

UPDATE = {"w_p": MASTER_WIDTH, "w_g": GRADIENT_WIDTH, "w_o": MOMENT_WIDTH, "w_c": WORKING_WIDTH}
MASTER = "w_p > 0 -- Adam updates a master weight"
ONE_KERNEL = (
    "One kernel updates a parameter, as PyTorch's fused Adam: it reads weight, gradient and both "
    "moments, and writes weight and moments; the copy in the working width is written with them. "
)


def update(P: int, w_p: Fraction, w_g: Fraction, w_o: Fraction, w_c: Fraction) -> Fraction | None:
    """Every parameter loaded with its gradient and moments, updated, and stored."""
    return adam(P, w_p, w_g, w_o, w_c).moved if P <= 300 else None


ADAM_STEP_BYTES = derivation(
    "adam-step-bytes",
    title="Bytes that a step of Adam moves in memory",
    phrases="optimizer update HBM traffic; fused AdamW reads and writes; 28 bytes per parameter; memory "
    "bandwidth of the weight update; optimizer state traffic per step; bytes read by torch.optim.AdamW",
    unit=BYTE,
    letters={"P": HELD, **UPDATE},
    given=(MASTER,),
    source=FUSED_ADAM,
    oracle=update,
    convention=f"{ONE_KERNEL}All parameters that a rank holds, as without ZeRO.",
    leaves_out="Setting gradients to zero, their norm for clipping, and unscaling them.",
    chain="""
    V_A = P*(w_p + w_g + 2*w_o) + P*(w_p + 2*w_o + w_c)  -- read; written
      = P*(2*w_p + w_g + 4*w_o + w_c)                    -- 28 bytes a parameter in FP32
    """,
)


def time_the_update(P: int, W_m: Fraction, **widths: Any) -> Fraction | None:
    """Every parameter's loads and stores put on the memory's clock, one after the other."""
    if P > 300:
        return None
    memory = adam(P, *(widths[name] for name in UPDATE))
    return memory.seconds(Fraction(10**30), W_m, overlapped=True)


ADAM_STEP_TIME = derivation(
    "adam-step-time",
    title="Time of a step of Adam, bound by memory",
    phrases="optimizer step latency; how long does AdamW take on a GPU; weight update milliseconds; "
    "optimizer time from HBM bandwidth; fused Adam kernel duration",
    unit=SECOND,
    letters={"P": HELD, **UPDATE, "W_m": MEMORY_BANDWIDTH},
    uses={"V_A": ADAM_STEP_BYTES.at()},
    given=(MASTER,),
    source=FUSED_ADAM,
    oracle=time_the_update,
    convention=f"{ONE_KERNEL}The memory at its peak; its arithmetic is hidden, some 15 FLOPs for 28 "
    "bytes.",
    leaves_out="Kernels of an update that is not fused, which read and write the same values several "
    "times.",
    chain="""
    T_A = V_A/W_m                                        -- all bytes at the memory's bandwidth
      = P*(2*w_p + w_g + 4*w_o + w_c)/W_m                -- put them in
    """,
)


def time_a_share(P: int, N: int, W_m: Fraction, **widths: Any) -> Fraction | None:
    """Parameters dealt out to the ranks in turn; the clocks of all their updates, and their mean."""
    if P > 300 or N > 50:
        return None
    shares = [len(range(rank, P, N)) for rank in range(N)]
    times = [time_the_update(share, W_m, **widths) if share else Fraction(0) for share in shares]
    return sum((time or Fraction(0) for time in times), Fraction(0)) / N


ZERO_ADAM_STEP_TIME = like(
    "zero-adam-step-time",
    ADAM_STEP_TIME,
    title="Time of a step of Adam under ZeRO, bound by memory",
    phrases="sharded optimizer step latency; distributed optimizer update time; each rank updates "
    "its shard; ZeRO-1 weight update milliseconds; FSDP optimizer time",
    letters={"P": HELD_1, **UPDATE, "W_m": MEMORY_BANDWIDTH, "N": STATE_RANKS_1},
    uses={"T_A": ADAM_STEP_TIME.at(P="P")},
    oracle=time_a_share,
    convention=f"{ONE_KERNEL}`P` counts the parameters a rank holds after tensor, pipeline and expert "
    "parallelism, of which each of `N` ranks updates its share, at every stage of ZeRO.",
    leaves_out="Gathering the updated weights.",
    chain="""
    T_N = T_A/N                                          -- the work of one, shared evenly
      = P*(2*w_p + w_g + 4*w_o + w_c)/(N*W_m)            -- put it in
    """,
)
