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
AXES_GATHERED = count("gathered_axes", "axes of a torus that a collective runs over", "M", None, "axes")
AXES_SUM = count(
    "axes_sum", "devices along the axes that a collective runs over, added up axis by axis", "X_sum",
    None, "devices",
)  # fmt: skip
LONGEST_AXIS = count(
    "longest_axis", "devices along the longest axis that a collective runs over", "X_l", None, "devices"
)
INNER_AXIS = count(
    "inner_axis", "neighbouring ranks over which the array stays split (an inner mesh axis)", "Y", None,
    "ranks",
)  # fmt: skip
FIRST_AXIS, SECOND_AXIS, THIRD_AXIS = (
    count(f"{which}_axis", f"devices along the {which} axis of a torus{rest}", letter, None, "devices")
    for which, letter, rest in (
        ("first", "n_1", ""), ("second", "n_2", ""), ("third", "n_3", ", 1 where it has two axes")
    )
)  # fmt: skip
