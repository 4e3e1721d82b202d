"""What only tensor parallelism speaks of: its pieces of work, its transfers, its rings."""

from workings.units import SECOND
from workings.vocabulary.concept import Concept, count, seconds

CHUNK_TIME = Concept("chunk_time", "time of one chunk's product", "T_chk", SECOND)
HOP_TIME = seconds("hop_time", "time in which a rank passes one chunk on", "T_hop")
TRANSFERS_TIME = seconds("transfers_time", "time of a layer's tensor-parallel transfers alone", "T_V")
HIDING_TIME = seconds(
    "hiding_time", "compute that runs beside the transfers, needing none of their results", "T_G"
)
LAYER_COMPUTE_TIME = Concept("layer_compute_time", "time of a layer's compute alone", "T_C", SECOND)
VOCAB_MULTIPLE = count(
    "vocab_multiple",
    "rows that a rank's part of the vocabulary has a multiple of",
    "q_V",
    None,
    "values",
)
NODE_RINGS = count(
    "node_rings", "rings that leave a node together, each over a network card of its own", "n_ring",
    None, "rings",
)  # fmt: skip
