"""What a measured decode step reaches.

A decode step is bound by memory, so that what it reaches is a share of the memory's bandwidth, as a
training step reaches a share of the peak. A share that kernels are known to reach turns the least time
into one to expect.
"""

from fractions import Fraction
from typing import Any

from workings.derivation import Source, derivation, like
from workings.derivations.serving._step import PEAK, READ
from workings.derivations.serving.decode import (
    DECODE_BYTES,
    DECODE_MEMORY_TIME,
    DENSE,
    read_at_full_speed,
)
from workings.derivations.tensor_parallel.shares import EVEN
from workings.simulate.meter import metered
from workings.units import BYTE, ONE, SECOND
from workings.vocabulary.serving_time import BANDWIDTH_SHARE, DECODE_DEVICES, SERVING_STEP, TOKEN_RATE

KIPPLY = Source(
    "Chen",
    "Transformer Inference Arithmetic",
    2022,
    "“comparing against real benchmarks”",
    "https://kipp.ly/transformer-inference-arithmetic/",
)


def compare_with_the_clock(T_s: Fraction, **letters: Any) -> Fraction:
    """All that a device holds read at full speed; that time over the one that was measured."""
    return read_at_full_speed(**letters) / T_s


BANDWIDTH_UTILIZATION = derivation(
    "bandwidth-utilization",
    title="Memory bandwidth utilization of a decode step (MBU)",
    phrases="MBU; model bandwidth utilization; achieved over peak memory bandwidth while decoding; "
    "expected over measured latency of a generated token; how much of HBM bandwidth does my decode use; "
    "estimate divided by benchmark time; share of the bandwidth reached by generation; percentage "
    "of HBM speed of a token",
    unit=ONE,
    letters={**READ, "W_m": PEAK["W_m"], "T_s": SERVING_STEP},
    uses={"V_dec": DECODE_BYTES.at(), "T_mem": DECODE_MEMORY_TIME.at()},
    given=EVEN,
    source=KIPPLY,
    oracle=compare_with_the_clock,
    convention="Bytes that the step must read, weights once and all caches, over what the memory could "
    "move in the step's measured time. Small batches are meant, where reading decides. A value "
    "above 1 says that bytes were counted that are not read, as most of the input's embedding table.",
    holds_for=DENSE,
    chain="""
    u_dec = (V_dec/T_s)/W_m          -- bytes a second that were needed, over those the memory can move
      = T_mem/T_s                    -- the least time of reading, over the measured one
    """,
)


def read_more_slowly(W_m: Fraction, u_m: Fraction, **letters: Any) -> Fraction:
    """All that a device holds read at the speed that is reached."""
    return read_at_full_speed(W_m=W_m * u_m, **letters)


DECODE_TIME_REACHED = like(
    "decode-time-reached",
    BANDWIDTH_UTILIZATION,
    title="Time of a decode step at a share of the memory's bandwidth",
    phrases="realistic latency of a generated token; decode time at 87 percent of HBM bandwidth; "
    "bandwidth-corrected estimate of token latency; memory time over efficiency; expected inter-token "
    "latency at an MBU; bytes over achievable bandwidth",
    unit=SECOND,
    letters={**READ, "W_m": PEAK["W_m"], "u_m": BANDWIDTH_SHARE},
    uses={"V_dec": DECODE_BYTES.at(), "T_mem": DECODE_MEMORY_TIME.at()},
    oracle=read_more_slowly,
    convention="Reading decides; kernels that only read reach some 90 % of the data sheet's bandwidth.",
    leaves_out="Compute, where the batch is large; transfers between devices; launching kernels.",
    chain="""
    T_real = V_dec/(u_m*W_m)         -- the bytes a device reads, over what it really moves in a second
      = T_mem/u_m                    -- the least time, over the share that is reached
    """,
)


def read_until_the_token_is_there(n_d: int, R: Fraction, W_m: Fraction) -> Fraction:
    """Every device reads from one token to the next, in unlike spells; what all of them have read."""
    return metered(W_m, 1 / R, n_d)


TOKEN_TRAFFIC = derivation(
    "token-traffic",
    title="Bytes that memory can move while a token is made",
    phrases="memory traffic per token from bandwidth and measured speed; bandwidth over tokens per "
    "second; how many bytes does each token move; implied bytes read per generated token; is my decode "
    "speed explained by reading the weights; GB per token at 3 tokens a second",
    unit=BYTE,
    letters={"n_d": DECODE_DEVICES, "R": TOKEN_RATE, "W_m": PEAK["W_m"]},
    source=KIPPLY,
    oracle=read_until_the_token_is_there,
    convention="At most: at full bandwidth all the time. Of a single stream, beside its weights and "
    "cache it says how much of the time reading does not explain; of a batch it is a token's share.",
    chain="""
    V_tok = sum(W_m, (i, 1, n_d))/R     -- what all memories move in a second, over its tokens
      = n_d*W_m/R                       -- equal devices
    """,
)
