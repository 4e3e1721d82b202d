"""The letters of a sequence whose keys and values travel between context-parallel ranks, and a source."""

from workings.derivation import Source
from workings.vocabulary.hardware import BANDWIDTH, COMPUTE
from workings.vocabulary.layout import CP, TP
from workings.vocabulary.model import HEAD_DIM, HEADS, KV_HEADS
from workings.vocabulary.training import ACTIVATION_WIDTH, MICROBATCH, REDUCE_WIDTH, SEQUENCE_LENGTH

DEGREES = {"c": CP, "t": TP}
SEQUENCES = {"b_m": MICROBATCH, "s": SEQUENCE_LENGTH}
KEYS_AND_VALUES = {**DEGREES, **SEQUENCES, "K": KV_HEADS, "d_h": HEAD_DIM, "a": ACTIVATION_WIDTH}
QUERIES = {**DEGREES, **SEQUENCES, "H": HEADS, "d_h": HEAD_DIM}
ATTENTION = {**QUERIES, **KEYS_AND_VALUES}
BACKWARD = {**KEYS_AND_VALUES, "g": REDUCE_WIDTH}
SPEEDS = {"C": COMPUTE, "W_b": BANDWIDTH}
EVEN_KV = ("t divides K", "c divides s")
EVEN_HEADS = ("t divides K", "K divides H")

ONE_LAYER = (
    "One layer, one micro-batch. A tensor-parallel rank has `K/t` of the key and value heads; without "
    "tensor parallelism `t = 1`."
)

LLAMA_3_CP = Source(
    "Grattafiori et al.",
    "The Llama 3 Herd of Models",
    2024,
    "section 3.3.2, “Context parallelism for long sequences”",
    "https://arxiv.org/abs/2407.21783",
)
