"""An all-gather through switches that copy: devices, a switch in each node, one above all nodes.

Every device sends its chunk to its node's switch. A switch hands a chunk to everything else that hangs
on it: a node's switch to its other devices and up, the one above to all other nodes.
"""

from collections import Counter
from fractions import Fraction
from typing import NamedTuple

from ._checks import positive_amount, positive_count


class SwitchTraffic(NamedTuple):
    """Bytes into and out of the first node's switch, and into and out of the one above the nodes."""

    into_node: Fraction
    out_of_node: Fraction
    into_spine: Fraction
    out_of_spine: Fraction


def gather_through_switches(ranks: int, per_node: int, size: Fraction | int) -> SwitchTraffic:
    """Gather `size` bytes, of which each rank starts with a chunk.

    ValueError unless `per_node` divides `ranks` into at least two nodes.
    """
    if ranks % positive_count("per_node", per_node) or ranks <= per_node:
        raise ValueError(f"{per_node} ranks a node do not divide {ranks} ranks into nodes.")
    chunk = positive_amount("size", size) / ranks
    into, out = Counter[str](), Counter[str]()
    held: list[set[int]] = [{rank} for rank in range(ranks)]
    for owner in range(ranks):
        crossing = [(f"device {owner}", f"node {owner // per_node}")]
        while crossing:
            source, target = crossing.pop()
            out[source] += 1
            into[target] += 1
            if target.startswith("device"):
                held[int(target.split()[1])].add(owner)
            else:
                crossing += [(target, end) for end in _beside(target, ranks, per_node) if end != source]
    arrivals = {into[f"device {rank}"] for rank in range(ranks)}
    if any(len(chunks) != ranks for chunks in held) or arrivals != {ranks - 1}:
        raise AssertionError("The simulated gather is wrong: a chunk is missing or came twice.")
    counts = into["node 0"], out["node 0"], into["spine"], out["spine"]
    return SwitchTraffic(*(count * chunk for count in counts))


def _beside(switch: str, ranks: int, per_node: int) -> list[str]:
    """What hangs on a switch: the nodes on the spine; the spine and its devices on a node's."""
    if switch == "spine":
        return [f"node {node}" for node in range(ranks // per_node)]
    first = int(switch.split()[1]) * per_node
    return ["spine", *(f"device {rank}" for rank in range(first, first + per_node))]
