"""Data sheets add links up in different ways: one way or both, a device or a whole node, bits or bytes.

A time for a transfer is only as good as the bandwidth put into it, and figures of the same name differ
by factors of two, eight, or the devices of a node. Here each sum is made from single links, one way, so
that figures from different sources can be compared: a device first, then the links of a node and what
leads out of it, then levels of switches. What a device gets may be less than its port: leaf switches
have fewer uplinks than downlinks, groups share a port, and a ring that crosses nodes waits for its
slowest hop. The bisection says what crosses the middle of a network. Conventions of every entry name
the direction, and many give the figures of a known machine.
"""

SECTIONS = (
    "device",
    "node",
    "switches",
    "network",
    "sharing",
)
