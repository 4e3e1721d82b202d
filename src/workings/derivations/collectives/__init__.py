"""A collective moves data among all ranks of a group: it gathers, scatters, reduces or exchanges it.

Whatever is split over devices has to be put together again: gradients of replicas are added up, sharded
weights are gathered, partial sums of split products are reduced, routed tokens are exchanged. So every
later chapter asks the same two questions of a collective: how many bytes does one rank send, and how
long does it take? Bytes depend on the algorithm and the size of the group only. Times follow the α–β
model: every message costs a start-up latency and its bytes over a bandwidth, so that small messages are
bound by latency and large ones by bandwidth. Rings come first, since they send the fewest bytes; trees
start less often; then come networks that are no plain ring: tori, all-to-alls over a switch or a ring,
groups that span nodes, levels of switches that work at once, and switches that add.
"""

SECTIONS = (
    "ring",
    "ring_time",
    "tree",
    "tree_time",
    "torus",
    "all_to_all",
    "hierarchical",
    "levels",
    "switch",
)
