"""Data sheets add links up in different ways: one way or both, a device or a whole node, bits or bytes.

Here each sum is made from single links, one way, so that figures from different sources can be compared;
then what devices get of ports and uplinks that they share, and what crosses the middle of a network.
"""

SECTIONS = (
    "device",
    "node",
    "network",
    "sharing",
)
