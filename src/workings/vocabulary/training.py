"""Batch, sequence, and bytes a value of each kind takes."""

from workings.units import BYTE
from workings.vocabulary.concept import Concept, Domain, count, width

TOKENS = count("tokens", "tokens in the batch", "B", "training.tokens", "tokens")
BATCH = count("batch", "sequences in the batch", "b", "training.batch", "sequences")
SEQUENCE_LENGTH = count(
    "sequence_length", "tokens in a sequence", "s", "training.sequence_length", "tokens"
)
MICROBATCHES = count(
    "microbatches", "micro-batches in a step", "m", "training.microbatches", "micro-batches"
)
MICROBATCH = count(
    "microbatch", "sequences in a micro-batch of one replica", "b_m", "training.microbatch", "sequences"
)
TRAINING_TOKENS = count(
    "training_tokens", "tokens of the whole training run", "T_tok", "training.training_tokens", "tokens"
)
STEPS = count("steps", "steps of the training run", "N_step", None, "steps")
MASTER_WIDTH = width("master_width", "bytes per master weight", "w_p", "training.master_width", zero=True)
GRADIENT_WIDTH = width(
    "gradient_width", "bytes per stored gradient", "w_g", "training.gradient_width", zero=True
)
MOMENT_WIDTH = width("moment_width", "bytes per AdamW moment", "w_o", "training.moment_width", zero=True)
ACTIVATION_WIDTH = width("activation_width", "bytes per activation", "a", "training.activation_width")
GATHER_WIDTH = width("gather_width", "bytes per gathered weight", "w", "training.gather_width")
REDUCE_WIDTH = width("reduce_width", "bytes per communicated gradient", "g", "training.reduce_width")
WORKING_WIDTH = Concept(
    "working_width", "bytes per working copy of a weight (0: none beside the master)", "w_c", BYTE,
    Domain.NONNEGATIVE, "training.working_width", shown_in="byte",
)  # fmt: skip
LOGIT_WIDTH = width("logit_width", "bytes per logit", "w_l", "training.logit_width", zero=True)
SEGMENTS = count("segments", "checkpointed segments", "k", "training.segments", "segments")
SEGMENTS_REAL = Concept(
    "segments_real", "checkpointed segments, taken as a real number", "k", kin="segments"
)
TOKENS_PER_PARAMETER = Concept("tokens_per_parameter", "training tokens for each parameter", "c_t")
