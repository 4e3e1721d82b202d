"""Links, ports and switches."""

from workings.units import BYTE, ONE, SECOND
from workings.vocabulary.concept import Concept, count

LINE_RATE = Concept("line_rate", "bits per second of a network port, one way", "r_b", ONE / SECOND)
DEVICE_LINKS = count("device_links", "links of one device", "n_l", None, "links")
LINK_SPEED = Concept("link_speed", "bytes per second of one link, one way", "W_l", BYTE / SECOND)
PEERS = count("peers", "other devices that a device is wired to", "n_peer", None, "devices")
PAIR_SPEED = Concept(
    "pair_speed", "bytes per second from one device to another of its node, one way", "W_p",
    BYTE / SECOND,
)  # fmt: skip
PORTS = count("ports", "network ports of a node", "n_port", None, "ports")
PORT_SPEED = Concept(
    "port_speed", "bytes per second of one network port, one way", "W_port", BYTE / SECOND
)
DOWNLINKS = count("downlinks", "ports of a leaf switch towards devices", "n_down", None, "ports")
UPLINKS = count("uplinks", "ports of a leaf switch towards the spine", "n_up", None, "ports")
SHARING_GROUPS = count(
    "sharing_groups", "groups that send over one port of a node", "n_g", None, "groups"
)
CUT_SIDE = count("cut_side", "devices along the torus axis that is cut", "X_c", None, "devices")
LEVEL_SWITCHES = count("level_switches", "switches of a level of the network", "n_sw", None, "switches")
LEVEL_PORTS = count(
    "level_ports", "ports of a switch that lead to the level below", "n_sp", None, "ports"
)
LEVEL_DEVICES = count("level_devices", "devices below a level of switches", "n_lev", None, "devices")
NODE_SWITCHES = count("node_switches", "switches inside a node", "n_ns", None, "switches")
SWITCH_PORTS = count(
    "switch_ports", "ports of a switch between nodes, up and down", "k_sw", None, "ports"
)
