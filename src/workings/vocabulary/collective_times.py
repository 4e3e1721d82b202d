"""What collectives cut their messages into, and how long one took."""

from workings.units import SECOND
from workings.vocabulary.concept import Concept, count

PIECES = count("pieces", "pieces the message is cut into", "k_p", None, "pieces")
PIECES_REAL = Concept(
    "pieces_real", "pieces the message is cut into, taken as a real number", "k_p", kin="pieces"
)
MEASURED_TIME = Concept("measured_time", "time the collective took", "T", SECOND, kin="time")
SIDE = count("torus_side", "devices along each axis of a square torus", "X_t", None, "devices")
CHAIN_HOPS = count(
    "chain_hops", "hops of a chain after its first: its ranks less two", "h_c", None, "hops"
)
