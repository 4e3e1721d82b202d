"""What only context parallelism speaks of: blocks of keys and values, and the steps of a ring."""

from workings.units import BYTE, SECOND
from workings.vocabulary.concept import Concept, count, seconds

BLOCK_TIME = Concept(
    "block_time", "time of attention between a block of queries and one of keys and values", "T_blk",
    SECOND,
)  # fmt: skip
KV_HOP_TIME = seconds("kv_hop_time", "time in which a rank passes a block of keys and values on", "T_kv")
DEVICE_TOKENS = count(
    "device_tokens", "most tokens of a sequence that one device can hold", "s_max", None, "tokens"
)
TOKEN_ACTIVATIONS = Concept(
    "token_activations", "bytes that one token leaves behind for the backward pass", "A_1", BYTE
)
