"""GPipe and 1F1B.

Each rank works on every micro-batch once forward and once backward; a schedule says in which order. The
ideal time is that work alone, without waiting. GPipe runs all forwards, then all backwards; 1F1B lets
the last rank take turns and so holds fewer activations, but takes exactly as long, and its bubble as a
time does not depend on the number of micro-batches. The last entry sets a step of many micro-batches
against one micro-batch on a single device. All stages are equal, and sending takes no time.
"""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation, like
from workings.derivations.pipeline._sources import MEGATRON_GPIPE, MEGATRON_TIME
from workings.derivations.pipeline._times import FILLED, TIMES, run_1f1b, run_gpipe
from workings.derivations.sources import MEGATRON_PIPELINE, ZERO_BUBBLE
from workings.simulate.pipeline import gpipe, naive
from workings.units import ONE, SECOND
from workings.vocabulary.pipeline import LAYER_TIME, LAYERS_PER_RANK


def add_up_a_rank(**letters: Any) -> Fraction:
    """1F1B run task by task; the time in which the first rank is busy."""
    return Fraction(run_1f1b(**letters).busy(0))


PIPELINE_IDEAL_TIME = derivation(
    "pipeline-ideal-time",
    title="Ideal time of a step",
    phrases="bubble-free iteration duration; m(t_f+t_b); m microbatches times forward plus backward; "
    "perfect pipeline time with no bubble; t_id in Megatron paper; step time if stages never waited; "
    "m(tf+tb) seconds",
    unit=SECOND,
    letters={**FILLED, **TIMES},
    source=MEGATRON_GPIPE,
    oracle=add_up_a_rank,
    convention="`p` equal stages; the times are those of one rank, so `p` itself does not appear.",
    leaves_out="Waiting, sending, and the optimizer's step.",
    chain="""
    T_id = sum(T_F, (i, 1, m)) + sum(T_B, (i, 1, m)) + sum(T_W, (i, 1, m))
                                     -- a forward and both halves of a backward per micro-batch
      = m*T_F + m*T_B + m*T_W        -- equal terms
      = m*(T_F + T_B + T_W)          -- collect
    """,
)


def run_all_forwards_then_all_backwards(**letters: Any) -> Fraction:
    """GPipe run task by task; the end of the last task."""
    return Fraction(run_gpipe(**letters).makespan)


GPIPE_TIME = like(
    "gpipe-time",
    PIPELINE_IDEAL_TIME,
    title="Time of a step with GPipe",
    phrases="GPipe iteration duration; (m+p-1)(t_f+t_b); (m+p-1)(tf+tb) fill-drain; all forwards then "
    "all backwards time; AFAB schedule step seconds; how long does a step take with simple pipelining; "
    "pipeline step duration from stages and micro-batches; (m + p - 1) times slot",
    source=MEGATRON_TIME,
    oracle=run_all_forwards_then_all_backwards,
    convention="`p` equal stages; the last micro-batch is the first to go backward.",
    leaves_out="Sending activations between stages, and the optimizer's step.",
    chain="""
    T_gp = sum(T_F, (i, 1, p - 1)) + sum(T_F, (i, 1, m)) + sum(T_B + T_W, (i, 1, m))
           + sum(T_B + T_W, (i, 1, p - 1))
                     -- to fill, then the work of the last rank, then to drain
      = (m + p - 1)*T_F + (m + p - 1)*(T_B + T_W)     -- equal terms
      = (m + p - 1)*(T_F + T_B + T_W)                 -- collect
    """,
)


def run_one_forward_one_backward(**letters: Any) -> Fraction:
    """1F1B run task by task; the end of the last task."""
    return Fraction(run_1f1b(**letters).makespan)


ONE_F_ONE_B_TIME = like(
    "one-f-one-b-time",
    GPIPE_TIME,
    title="Time of a step with 1F1B",
    phrases="1F1B iteration duration; PipeDream-Flush step seconds; (m+p-1)(tf+tb) for 1F1B; Megatron "
    "non-interleaved schedule time; one-forward-one-backward step duration; how long does a pipelined "
    "step take",
    source=MEGATRON_PIPELINE.at("section 2.2.1, on PipeDream-Flush"),
    oracle=run_one_forward_one_backward,
    convention="`p` equal stages. 1F1B (PipeDream-Flush) holds fewer activations than GPipe.",
    chain="""
    T_1f1b = sum(T_F, (i, 1, p - 1)) + sum(T_F + T_B + T_W, (i, 1, m)) + sum(T_B + T_W, (i, 1, p - 1))
                     -- to fill, then the last rank takes turns without a pause, then to drain
      = (p - 1)*T_F + m*(T_F + T_B + T_W) + (p - 1)*(T_B + T_W)      -- equal terms
      = (m + p - 1)*(T_F + T_B + T_W)                 -- collect: exactly as long as GPipe
    """,
)


def wait_in_1f1b(**letters: Any) -> Fraction:
    """1F1B run task by task; the time in which the last rank runs nothing."""
    schedule = run_1f1b(**letters)
    return Fraction(schedule.idle(schedule.ranks - 1))


ONE_F_ONE_B_BUBBLE = derivation(
    "one-f-one-b-bubble",
    title="Bubble of 1F1B as a time",
    phrases="bubble size of 1F1B when forward and backward times are given; "
    "1F1B idle seconds; (p-1)(F+B) bubble duration; seconds lost to fill and drain; "
    "(p-1)(tf+tb) seconds; warmup and cooldown idle time; pipeline bubble in ms; milliseconds wasted by "
    "PP; t_pb in seconds",
    unit=SECOND,
    letters={**FILLED, **TIMES},
    uses={"T_1f1b": ONE_F_ONE_B_TIME.at(), "T_id": PIPELINE_IDEAL_TIME.at()},
    source=ZERO_BUBBLE,
    oracle=wait_in_1f1b,
    convention="`T_B` is the gradient of the input alone. DeepSeek-V3 writes B for `T_B + T_W`.",
    leaves_out="Sending activations between stages.",
    chain="""
    B_1f1b = T_1f1b - T_id                                      -- what is more than the work
      = (m + p - 1)*(T_F + T_B + T_W) - m*(T_F + T_B + T_W)     -- put both in
      = (p - 1)*(T_F + T_B + T_W)                               -- it does not depend on `m`
    """,
)


def race_against_one_micro_batch(p: int, m: int, L_p: int, T_l: Fraction) -> Fraction:
    """GPipe's duration over that of one micro-batch going through every stage and back."""
    forward, backward = L_p * T_l / 3, 2 * L_p * T_l / 3
    return Fraction(gpipe(p, m, forward, backward).makespan) / naive(p, forward, backward).makespan


PIPELINE_SERIAL_FACTOR = derivation(
    "pipeline-serial-factor",
    title="A pipeline's step against one micro-batch on one device",
    phrases="pipeline iteration relative to single device; (m+p-1)/p slowdown; how much longer than one "
    "microbatch is a step; how many microbatch-times does a pipelined step take; pipeline of p stages "
    "serial time ratio; latency multiple of pipeline",
    unit=ONE,
    letters={**FILLED, "L_p": LAYERS_PER_RANK, "T_l": LAYER_TIME},
    source=MEGATRON_TIME,
    oracle=race_against_one_micro_batch,
    convention="The same `L_p*p` layers; the device alone (pure DDP, batch of one) runs one micro-batch.",
    leaves_out="Sending activations, and the gradients' all-reduce.",
    chain="""
    f_s = (m + p - 1)*L_p*T_l/(p*L_p*T_l)     -- ticks of `L_p` layers, against `p` of them in a row
      = (m + p - 1)/p                         -- cancel
      = m/p + 1 - 1/p                         -- at `m = 3*p`: 3 for the micro-batches, 1 for filling
    """,
)
