"""Step time, throughput and utilization.

A step takes its compute, the pipeline's bubble, and the communication that is not hidden. What a group
of devices trains in a second follows from their peak, the share of it that is used, and the FLOPs of a
token. Turned round, a measured step gives that share: MFU counts what the model needs, HFU also what
recomputation does again, so that HFU rises with it and MFU does not. All times here are wall time, and
the FLOPs of a token are a letter.
"""

from fractions import Fraction
from typing import Any

from workings.derivation import Source, derivation, like
from workings.derivations.pipeline.bubble import PIPELINE_BUBBLE, PIPELINE_BUBBLE_TOTAL
from workings.derivations.sources import LLAMA_3, MEGATRON_PIPELINE, SEQUENCE_PARALLEL
from workings.simulate.pipeline import gpipe
from workings.simulate.steps import train
from workings.units import FLOP, ONE, SECOND
from workings.vocabulary.hardware import COMPUTE
from workings.vocabulary.layout import DEVICES, STAGES
from workings.vocabulary.scale import COMPUTE_TIME, EXPOSED_TIME, MFU, REDONE_FLOPS, TOKEN_FLOPS
from workings.vocabulary.scale import STEP_TIME as MEASURED_STEP
from workings.vocabulary.training import MICROBATCHES, TOKENS


def run_a_step(p: int, m: int, T_c: Fraction, T_x: Fraction) -> Fraction:
    """The pipeline run tick by tick, a tick worth its part of the compute; then the exposed rest."""
    schedule = gpipe(p, m)
    return schedule.makespan * T_c / schedule.busy(0) + T_x


STEP_TIME = derivation(
    "step-time",
    title="Wall time of a training step",
    phrases="iteration time; seconds per step with bubble and exposed comm; step FLOPs over GPUs times "
    "peak times MFU; how long does one update take; elapsed time per iteration (ms); milliseconds per "
    "optimizer step; sec/it estimate; s/it in the training log; iteration time from FLOPs and MFU",
    unit=SECOND,
    letters={"p": STAGES, "m": MICROBATCHES, "T_c": COMPUTE_TIME, "T_x": EXPOSED_TIME},
    uses={"beta": PIPELINE_BUBBLE.at(), "b_t": PIPELINE_BUBBLE_TOTAL.at()},
    source=MEGATRON_PIPELINE.at("sections 2.2.1 and 3.2"),
    oracle=run_a_step,
    convention="`beta` is the bubble over ideal time, `b_t` the bubble over the time of compute and "
    "bubble together; communication is exposed once a step, beside the bubble.",
    leaves_out="The optimizer's step and reading data, unless `T_x` holds them.",
    chain="""
    T_step = T_c + beta*T_c + T_x            -- compute, waiting, communication that is not hidden
      = T_c*(1 + (p - 1)/m) + T_x            -- put the bubble in
      = T_c/(1 - b_t) + T_x                  -- the same with the bubble over total time
    """,
)


PALM_MFU = Source(
    "Chowdhery et al.",
    "PaLM: Scaling Language Modeling with Pathways",
    2022,
    "section 4.1 and appendix B",
    "https://arxiv.org/abs/2204.02311",
)


def train_a_few_tokens(n: int, C: Fraction, u: Fraction, f_tok: Fraction) -> Fraction:
    """Seven tokens trained one after the other, cut into pieces for the devices; tokens over time."""
    run = train(7, f_tok, n, u * C)
    return run.tokens / run.seconds


THROUGHPUT = derivation(
    "throughput",
    title="Tokens trained per second",
    phrases="tokens per second; tok/s; training speed; how many tokens does the cluster process each "
    "second; how fast should training be; global batch over step time; samples per second; words per "
    "second wps; tokens/s/GPU in the log",
    unit=ONE / SECOND,
    noun="tokens",
    letters={"n": DEVICES, "C": COMPUTE, "u": MFU, "f_tok": TOKEN_FLOPS},
    source=PALM_MFU,
    oracle=train_a_few_tokens,
    convention="`f_tok` is what the model needs for a token, recomputation not counted.",
    chain="""
    R_s = n*(u*C)/f_tok                      -- useful FLOP/s of all devices, over a token's FLOPs
      = u*n*C/f_tok                          -- collect
    """,
)


def note_when_tokens_are_done(B: int, T_s: Fraction) -> Fraction:
    """Seven steps logged, each of whose tokens are done at its end; tokens over the last time noted."""
    log = [(step + 1) * T_s for step in range(7) for _ in range(B)]
    return len(log) / log[-1]


THROUGHPUT_FROM_STEP_TIME = like(
    "throughput-from-step-time",
    THROUGHPUT,
    title="Tokens trained per second, from a batch and the time of its step",
    phrases="global batch tokens over iteration time; tokens/s from step time; sequences times context "
    "length over seconds per iteration; training throughput from elapsed time per iteration; batch size "
    "divided by step time; measured tokens per second from the "
    "log; token rate from s/it",
    letters={"B": TOKENS, "T_s": MEASURED_STEP},
    source=PALM_MFU.at("appendix B, on tokens per second"),
    oracle=note_when_tokens_are_done,
    convention="Wall time from one step to the next, with all that it waits for. Divide by the devices "
    "for tokens a second and device.",
    chain="""
    R_B = B/T_s     -- a step's tokens, over its time
    """,
)


STEP = {
    "B": TOKENS, "n": DEVICES, "C": COMPUTE, "T_s": MEASURED_STEP, "f_tok": TOKEN_FLOPS,
}  # fmt: skip


def compare_with_peak(B: int, n: int, C: Fraction, T_s: Fraction, f_tok: Fraction) -> Fraction:
    """The step's tokens trained at peak, one after the other; that time over the step's time."""
    return train(B, f_tok, n, C).seconds / T_s


MODEL_FLOPS_UTILIZATION = derivation(
    "model-flops-utilization",
    title="Model FLOPs utilization (MFU)",
    phrases="share of peak FLOP/s; MFU of prefill, decode or generation; inference MFU; "
    "MFU; model FLOPs utilization; fraction of peak; hardware efficiency of H100 training; "
    "observed tokens per second over maximum; is 40 percent good; how efficiently do my GPUs work; 6N "
    "times tokens/s over peak; PaLM efficiency measure",
    unit=ONE,
    letters=STEP,
    source=PALM_MFU,
    oracle=compare_with_peak,
    convention="FLOPs that the model needs, recomputation not counted, over what the devices could "
    "do at peak in the wall time.",
    chain="""
    U = (B*f_tok/T_s)/(n*C)                  -- model FLOP/s of the step, over peak FLOP/s
      = B*f_tok/(n*C*T_s)                    -- collect
    """,
)


def divide_the_work(B: int, n: int, C: Fraction, T_s: Fraction, f_tok: Fraction) -> Fraction:
    """The FLOPs of a step's tokens added up, shared by the devices, over the step's time."""
    return train(B, f_tok, n, C).flops / n / T_s


ACHIEVED_FLOPS = derivation(
    "achieved-flops",
    title="Model FLOP/s a device achieves",
    phrases="TFLOP/s per GPU; achieved model throughput of a device; real FLOP rate versus advertised "
    "peak; effective flops I really get; 400 TFLOPs per H100 as in Llama 3; measured teraflops per "
    "device; flops per second from step time; actual speed per card; sustained flops of each device",
    unit=FLOP / SECOND,
    letters=STEP,
    uses={"U": MODEL_FLOPS_UTILIZATION.at()},
    source=LLAMA_3.at("section 3.3.2, table 4"),
    oracle=divide_the_work,
    convention="Model FLOPs: what is run again by recomputation does not count.",
    chain="""
    C_dev = U*C                              -- the share of the peak that is used
      = B*f_tok/(n*T_s)                      -- a step's FLOPs, a device, a second: the peak cancels
    """,
)


HFU = SEQUENCE_PARALLEL.at("section 6.3")


def compare_all_work_with_peak(f_tok: Fraction, f_re: Fraction, **step: Any) -> Fraction:
    """The step's tokens with what is redone for them, trained at peak; that time over the step's."""
    return compare_with_peak(f_tok=f_tok + f_re, **step)


HARDWARE_FLOPS_UTILIZATION = derivation(
    "hardware-flops-utilization",
    title="Hardware FLOPs utilization (HFU)",
    phrases="HFU; utilization incl. recomputation; PaLM 57.8 percent; utilization counting recomputed "
    "work; executed flops over peak",
    unit=ONE,
    letters={**STEP, "f_re": REDONE_FLOPS},
    uses={"U": MODEL_FLOPS_UTILIZATION.at()},
    source=HFU,
    oracle=compare_all_work_with_peak,
    convention="All FLOPs that the hardware does, recomputation counted. With every block recomputed "
    "`f_re < f_tok/3`, since logits are not computed again, and HFU is less than 4/3 of MFU.",
    chain="""
    U_h = B*(f_tok + f_re)/(n*C*T_s)         -- FLOP/s done, over peak FLOP/s
      = U*(1 + f_re/f_tok)                   -- MFU and what is redone
      >= U                                   -- recomputing raises HFU, not MFU
    """,
)
