"""Levels of switches.

A network of switches has levels: those inside a node, leaves above the nodes, a spine above the leaves.
What a level carries is the sum of its ports, but the devices below may be able to send less than that,
and then it is they who limit. How many switches a cluster takes follows from the ports of one, since a
full fat tree gives every device a port of its own at every level.
"""

from collections.abc import Iterator
from fractions import Fraction

from workings.derivation import derivation, like, only_if
from workings.derivations.links._sources import SCALING_BOOK_FABRIC, SCALING_BOOK_NODE_LINKS
from workings.derivations.links.device import send_over_free_links
from workings.units import BYTE, ONE, SECOND
from workings.vocabulary.hardware import LINK_ONE_WAY
from workings.vocabulary.layout import DEVICES, NODE_DEVICES
from workings.vocabulary.links import (
    LEVEL_DEVICES,
    LEVEL_PORTS,
    LEVEL_SWITCHES,
    NODE_SWITCHES,
    PORT_SPEED,
    SWITCH_PORTS,
)

LEVEL = {"n_sw": LEVEL_SWITCHES, "n_sp": LEVEL_PORTS, "W_port": PORT_SPEED}


def add_up_ports(n_sw: int, n_sp: int, W_port: Fraction) -> Fraction:
    """Every port of every switch listed, and their speeds added up."""
    only_if(n_sw * n_sp <= 20_000)
    ports = {(switch, port): W_port for switch in range(n_sw) for port in range(n_sp)}
    return sum(ports.values(), Fraction(0))


SWITCH_LEVEL_BANDWIDTH = derivation(
    "switch-level-bandwidth",
    title="Bandwidth of a level of switches, one way",
    phrases="NVSwitch bandwidth of a node; 64 ports times 25 GB/s times 4 switches; leaf switch "
    "bandwidth of a scalable unit; bandwidth into the spine; total switching capacity of a level; how "
    "many TB/s can the leaf layer of a SuperPod carry",
    unit=BYTE / SECOND,
    letters=LEVEL,
    source=SCALING_BOOK_FABRIC,
    oracle=add_up_ports,
    convention="Ports that lead to the level below, one way. DGX H100: 4 switches × 64 ports × 25 GB/s = "
    "6.4 TB/s; a unit of 256 GPUs: 8 leaves × 32 ports × 50 GB/s = 12.8 TB/s.",
    leaves_out="What the level below can send, which may be less.",
    chain="""
    B_lev = sum(n_sp*W_port, (i, 1, n_sw))   -- switch by switch, all its ports down
      = n_sw*n_sp*W_port                     -- equal switches
    """,
)


def send_through_the_level(n_sw: int, n_sp: int, W_port: Fraction, n_lev: int, W_1: Fraction) -> Fraction:
    """Bytes put on free device links and on free switch ports; the rate of whichever takes longer."""
    only_if(n_sw * n_sp <= 2_000 and n_lev <= 2_000)
    devices = send_over_free_links(n_lev, W_1)
    ports = send_over_free_links(n_sw * n_sp, W_port)
    return 1 / max(1 / devices, 1 / ports)


USABLE_LEVEL_BANDWIDTH = like(
    "usable-level-bandwidth",
    SWITCH_LEVEL_BANDWIDTH,
    title="Bandwidth of a level of switches that the devices below it can use, one way",
    phrases="node bandwidth limited by GPUs or NVSwitches; min of switch and GPU egress; 3.6 TB/s of a "
    "DGX H100 node; do GPUs saturate the NVSwitches; usable bandwidth of a switch tier; joint egress of "
    "all GPUs against switch capacity",
    letters={**LEVEL, "n_lev": LEVEL_DEVICES, "W_1": LINK_ONE_WAY},
    uses={"B_lev": SWITCH_LEVEL_BANDWIDTH.at()},
    source=SCALING_BOOK_NODE_LINKS.at("part 12, quiz 2, question 1, and its appendix B"),
    oracle=send_through_the_level,
    convention="One way, when all devices send at once. DGX H100: the switches' 6.4 TB/s against 8 × 450 "
    "GB/s = 3.6 TB/s of the devices.",
    leaves_out="Oversubscription above the level.",
    chain="""
    B_use = min(B_lev, n_lev*W_1)            -- the switches' ports, or all that devices send
      = min(n_sw*n_sp*W_port, n_lev*W_1)     -- put the ports in
    """,
)


def switches_for(cables: int, ports: int) -> Iterator[int]:
    """Cables plugged in one by one; a switch is added when the last one is full."""
    free = 0
    for _cable in range(cables):
        if free == 0:
            yield 1
            free = ports
        free -= 1


def plug_everything_in(n: int, n_node: int, n_ns: int, k_sw: int) -> int:
    """Nodes with their switches listed, devices plugged into leaves, as many cables into the spine."""
    only_if(n <= 5_000)
    inside = {(node, switch) for node in range(n // n_node) for switch in range(n_ns)}
    leaves = sum(switches_for(n, k_sw // 2))
    uplinks = sum(k_sw - k_sw // 2 for _leaf in range(leaves))
    return len(inside) + leaves + sum(switches_for(uplinks, k_sw))


FAT_TREE_SWITCHES = derivation(
    "fat-tree-switches",
    title="Switches of a cluster: inside the nodes, leaves and spine",
    phrases="how many switches does a SuperPod have; 560 switches for 1024 GPUs; leaf and spine switch "
    "count of a fat tree; number of InfiniBand switches for a cluster; NVSwitches plus leaves plus "
    "spines; switches needed for a non-blocking network",
    unit=ONE,
    noun="switches",
    letters={"n": DEVICES, "n_node": NODE_DEVICES, "n_ns": NODE_SWITCHES, "k_sw": SWITCH_PORTS},
    given=(
        "n_node divides n",
        "2 divides k_sw",
        "k_sw divides n -- leaves or the spine have ports left over",
        "n <= k_sw^2/2 -- one spine level reaches no more",
    ),
    source=SCALING_BOOK_FABRIC,
    oracle=plug_everything_in,
    convention="A full fat tree of two levels above the nodes: half of a leaf's ports go down, one to "
    "each device, and half up. 1,024 H100 with switches of 64 ports: 512 + 32 + 16 = 560.",
    leaves_out="Switches of storage and management, and a third level for more devices.",
    chain="""
    n_tree = n/n_node*n_ns + n/(k_sw/2) + n/(k_sw/2)*(k_sw/2)/k_sw
                                       -- in nodes; leaves, half their ports down; a spine for the rest
      = n/n_node*n_ns + 2*n/k_sw + n/k_sw        -- as many uplinks as devices
      = n*(n_ns/n_node + 3/k_sw)                 -- three ports a device between nodes
    """,
)
