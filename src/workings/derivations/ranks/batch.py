"""Batches in sequences and in tokens.

A batch is said in sequences or in tokens, for one micro-batch, for a replica, for a device or for the
whole job, and a run in steps or in tokens. The entries lead from each of these to the others.
Context-parallel ranks share the tokens of a sequence, and other ranks of a replica see the same ones, so
that a device's tokens are a mean to plan with: what its memory holds is the micro-batch.
"""

from fractions import Fraction

from workings.derivation import derivation, like
from workings.derivations.sources import DEEPSEEK_V3, LLAMA_3, MEGATRON_PIPELINE, scaling_book
from workings.units import ONE
from workings.vocabulary.layout import DEVICES, DP
from workings.vocabulary.training import (
    BATCH,
    MICROBATCH,
    MICROBATCHES,
    SEQUENCE_LENGTH,
    STEPS,
    TOKENS,
    TRAINING_TOKENS,
)


def number_the_sequences(d: int, m: int, b_m: int) -> int:
    """Every sequence of every micro-batch of every replica named, and the names counted."""
    return len({(i, j, k) for i in range(d) for j in range(m) for k in range(b_m)})


GLOBAL_BATCH = derivation(
    "global-batch",
    title="Sequences of a batch (global batch)",
    phrases="global batch size from micro-batch, accumulation and DP; GBS = MBS x gradient accumulation "
    "x data parallel; effective batch size; train_batch_size = micro batch per GPU times "
    "gradient_accumulation_steps times number of GPUs; per-device batch times devices; total batch size "
    "of data parallel training; samples per step over all replicas",
    unit=ONE,
    noun="sequences",
    letters={"d": DP, "m": MICROBATCHES, "b_m": MICROBATCH},
    source=MEGATRON_PIPELINE.at("section 3.1, notation"),
    oracle=number_the_sequences,
    convention="Every replica runs `m` micro-batches before weights change. Ranks of one replica "
    "(tensor, context and pipeline parallelism) see the same sequences and are no factor.",
    chain="""
    b_all = sum(sum(b_m, (i, 1, m)), (j, 1, d))    -- micro-batches of each replica
      = sum(m*b_m, (j, 1, d))                      -- equal micro-batches
      = m*b_m*d                                    -- equal replicas
    """,
)


def read_every_token(b: int, s: int) -> int:
    """Every token of every sequence read once."""
    return len([(sequence, token) for sequence in range(b) for token in range(s)])


BATCH_IN_TOKENS = derivation(
    "batch-in-tokens",
    title="A batch in tokens",
    phrases="tokens per batch; batch size in tokens from sequences; global batch tokens = sequences x "
    "context length; how many tokens per step; 2048 sequences of 2048 are 4M tokens; 16M tokens per "
    "batch; bst = bs * seq; tokens per optimizer step",
    unit=ONE,
    noun="tokens",
    letters={"b": BATCH, "s": SEQUENCE_LENGTH},
    source=LLAMA_3.at("section 3.3.2, table 4"),
    oracle=read_every_token,
    convention="All sequences have `s` tokens, padding counted; reports that speak of 4M tokens may "
    "mean 4 × 2^20.",
    chain="""
    B_tok = sum(s, (i, 1, b))     -- each sequence has `s` tokens
      = b*s                       -- equal sequences
    """,
)


def cut_the_tokens(B: int, b: int, s: int) -> int:
    """Tokens cut into sequences from the first to the last, each noted by where it begins."""
    return len([token for token in range(B) if token % s == 0])


SEQUENCES_IN_BATCH = derivation(
    "sequences-in-batch",
    title="Sequences of a batch that is said in tokens",
    phrases="batch in samples from batch in tokens; gbs tokens over sequence length; how many sequences "
    "are 4M tokens at 4k context; limit of pure data parallelism from a token batch; tokens per batch "
    "divided by context length; number of samples in a token budget per step",
    unit=ONE,
    noun="sequences",
    letters={"B": TOKENS, "b": BATCH, "s": SEQUENCE_LENGTH},
    uses={"B_tok": BATCH_IN_TOKENS.at()},
    given=("s divides B -- a batch has whole sequences",),
    source=scaling_book("applied-training", "part 6, “How to shard LLaMA 3-70B for training”"),
    oracle=cut_the_tokens,
    convention="No more replicas than these can each have a sequence of their own.",
    chain="""
    B = B_tok            -- the tokens of all sequences
      <=> B = b*s        -- put them in
      <=> b = B/s        -- divide by a sequence's tokens
    """,
)


def deal_out_batches(B: int, n: int) -> Fraction:
    """As many batches as there are devices, dealt out token by token; the first device's, a batch."""
    held = [0] * n
    for token in range(B * n):
        held[token % n] += 1
    return Fraction(held[0], n)


DEVICE_TOKENS = derivation(
    "device-tokens",
    title="Tokens of a batch for each device",
    phrases="per-device batch in tokens; tokens per GPU per step; batch tokens over number of chips; "
    "local batch in tokens; tokens per chip at a given global batch; how small does the per-GPU batch "
    "get; B/n tokens a device; how many tokens does one chip get",
    unit=ONE,
    noun="tokens",
    fractional="in the mean over the devices",
    letters={"B": TOKENS, "n": DEVICES},
    source=scaling_book("applied-training", "part 6, “How to shard LLaMA 3-70B for training”"),
    oracle=deal_out_batches,
    convention="All devices of the job share the batch, whatever they are for: the figure that "
    "communication is weighed against. Ranks of one replica work on the same tokens, `t*c*p*B/n`.",
    chain="""
    B_dev = B/n     -- all devices together have the batch
    """,
)


def run_every_step(N_step: int, B: int) -> int:
    """Every token of every step trained, and counted."""
    return len([(step, token) for step in range(N_step) for token in range(B)])


RUN_TOKENS = derivation(
    "run-tokens",
    title="Tokens of a run from its steps",
    phrases="tokens seen after N steps; steps times batch; batch x steps x context length; training "
    "tokens from iterations; total tokens processed; how much data do 100k steps consume; pretraining "
    "tokens from number of updates",
    unit=ONE,
    noun="tokens",
    letters={"N_step": STEPS, "B": TOKENS},
    source=DEEPSEEK_V3.at("section 4.2, on the batch size"),
    oracle=run_every_step,
    convention="One batch for the whole run; where it grows, add the parts. Tokens seen twice count "
    "twice.",
    chain="""
    T_run_tok = sum(B, (i, 1, N_step))     -- a batch for every step
      = N_step*B                           -- equal batches
    """,
)


def take_batches(T_tok: int, B: int) -> int:
    """Batches taken from the data until none of it is left."""
    steps, left = 0, T_tok
    while left > 0:
        steps, left = steps + 1, left - min(B, left)
    return steps


RUN_STEPS = like(
    "run-steps",
    RUN_TOKENS,
    title="Steps of a run from its tokens",
    phrases="number of training iterations; how many steps for 300B tokens; iterations I = T/(B s); "
    "optimizer updates in one epoch; tokens over batch size; max_steps for a token budget; train-iters "
    "from train-samples",
    noun="steps",
    letters={"T_tok": TRAINING_TOKENS, "B": TOKENS},
    source=MEGATRON_PIPELINE.at("section 5.1, on end-to-end training time"),
    oracle=take_batches,
    convention="The last batch may not be full.",
    chain="""
    N_st = ceil(T_tok/B)     -- every step takes a batch, the last one what is left
      >= T_tok/B             -- steps are whole
    """,
)
