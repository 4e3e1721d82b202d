"""The letters of collectives: what is sent among how many, and over which links."""

from workings.vocabulary.collectives import GROUP, MESSAGE
from workings.vocabulary.hardware import (
    BANDWIDTH,
    LATENCY,
    LINK_LATENCY,
    LINK_ONE_WAY,
    NETWORK_LATENCY,
    NETWORK_ONE_WAY,
)
from workings.vocabulary.layout import NODE_DEVICES

SENT = {"N": GROUP, "S": MESSAGE}
TIMED = {**SENT, "alpha": LATENCY, "W_b": BANDWIDTH}
IN_NODES = {**SENT, "n_node": NODE_DEVICES}
TIMED_NODES = {
    **IN_NODES,
    "alpha_1": LINK_LATENCY, "W_1": LINK_ONE_WAY, "alpha_2": NETWORK_LATENCY, "W_2": NETWORK_ONE_WAY,
}  # fmt: skip
