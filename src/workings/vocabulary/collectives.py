"""What a collective moves."""

from workings.units import BYTE
from workings.vocabulary.concept import Concept, count, seconds

GROUP = count("group", "ranks in the group", "N", None, "devices")
MESSAGE = Concept("message", "bytes of the whole message", "S", BYTE)

# For derivations that compare times
TIME = seconds("time", "a time", "T")
