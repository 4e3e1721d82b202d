"""A collective moves data among all ranks of a group: it gathers, scatters, reduces or exchanges it.

First the bytes that one rank sends, on rings, trees and tori, inside nodes and between them; then the
time they take, where every message costs a start-up latency and its bytes over a bandwidth (the α–β
model).
"""

SECTIONS = (
    "ring",
    "tree",
    "all_to_all",
    "switch",
    "ring_time",
    "tree_time",
    "torus",
    "hierarchical",
)
