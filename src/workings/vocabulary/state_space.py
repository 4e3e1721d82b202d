"""Blocks that keep a state in place of keys and values: linear attention, Mamba-2."""

from workings.vocabulary.concept import Concept, count, width

# Linear attention
FEATURE_DIM = count(
    "feature_dim", "width of a key or query after linear attention's feature map", "d_phi", None, "values"
)

# State-space blocks; no scenario has any
STATE_SIZE = count(
    "state_size", "numbers of the state for each channel of a head (Mamba's N)", "N", None, "values"
)
SSM_HEADS = count("ssm_heads", "heads of a state-space block", "H", None, "heads")
SSM_HEAD_DIM = count(
    "ssm_head_dim", "channels of a head of a state-space block (Mamba's P)", "d_h", None, "values"
)
SSM_GROUPS = count(
    "ssm_groups", "groups of heads that share B and C of a state-space block", "G", None, "groups"
)
CONV_KERNEL = count(
    "conv_kernel", "tokens that a state-space block's short convolution sees", "k_c", None, "tokens"
)
SSD_CHUNK = count("ssd_chunk", "tokens of a chunk of a state-space block's sequence", "Q", None, "tokens")
SSD_CHUNK_REAL = Concept(
    "ssd_chunk_real", "tokens of a chunk, taken as a real number", "Q", kin="ssd_chunk"
)

# What is kept while a sequence is generated
RECURRENT_BLOCKS = count(
    "recurrent_blocks", "blocks that keep a state in place of keys and values", "L_r", None, "blocks"
)
RECURRENT_WIDTH = width("recurrent_width", "bytes per number of a recurrent state", "w_r", None)
