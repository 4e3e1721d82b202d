"""The letters of a product and a transfer that are cut into chunks."""

from workings.vocabulary.layout import TP
from workings.vocabulary.tensor_parallel import CHUNK_TIME, HOP_TIME

CHUNKS = {"t": TP, "T_chk": CHUNK_TIME, "T_hop": HOP_TIME}
