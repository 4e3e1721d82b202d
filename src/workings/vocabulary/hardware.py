"""What a device and its links can do."""

from workings.units import BYTE, FLOP, SECOND
from workings.vocabulary.concept import Concept, count, seconds

COMPUTE = Concept("C", "compute of one device", "C", FLOP / SECOND, supplied="hardware.compute")
LINK = Concept(
    "W",
    "bytes per second a device sends along one axis of its network: both directions of a torus's ring, "
    "one way into a switch",
    "W",
    BYTE / SECOND,
    supplied="hardware.axis_bandwidth",
)
TORUS_LINK = Concept(
    "torus_axis",
    "bytes per second a device sends along a ring of a torus, both directions together",
    "W",
    BYTE / SECOND,
    supplied="hardware.torus_axis",
    kin="W",
)
RING_DEVICES = count("ring_devices", "devices of which an axis holds a multiple where it closes into a "
                     "ring", "n_ring", "hardware.ring_devices", "devices")  # fmt: skip
LINK_ONE_WAY = Concept(
    "link_one_way", "bytes per second a device sends inside its node, one way", "W_1", BYTE / SECOND,
    supplied="hardware.link_one_way",
)  # fmt: skip
NETWORK_ONE_WAY = Concept(
    "network_one_way", "bytes per second a device sends between nodes, one way", "W_2", BYTE / SECOND,
    supplied="hardware.network_one_way",
)  # fmt: skip
BANDWIDTH = Concept(
    "bandwidth", "bytes per second a rank sends, one way, on the link its group uses", "W_b",
    BYTE / SECOND,
)  # fmt: skip
LATENCY = seconds("latency", "start-up time of one message", "alpha")
LINK_LATENCY = seconds(
    "link_latency", "start-up time of a message inside a node", "alpha_1", "hardware.link_latency"
)
NETWORK_LATENCY = seconds(
    "network_latency", "start-up time of a message between nodes", "alpha_2", "hardware.network_latency"
)
MEMORY_BANDWIDTH = Concept(
    "memory_bandwidth", "bytes per second a device reads from its memory", "W_m", BYTE / SECOND,
    supplied="hardware.memory_bandwidth",
)  # fmt: skip
