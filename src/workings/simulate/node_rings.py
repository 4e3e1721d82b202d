"""Rings of devices that lie in nodes: what each link carries, and the time of the busiest.

A device sends to one of its node over a link inside, to another node over a network card of its
own. Rings share a message evenly and run at once. Each ring visits node after node; ring j leaves
every node at device j, so that different rings use different cards.
"""

from collections import Counter
from fractions import Fraction

from ._checks import positive_amount, positive_count


def ring_order(ring: int, nodes: int, per_node: int) -> list[tuple[int, int]]:
    """(node, device) in the order of ring number `ring`: its node's device `ring` comes last."""
    inside = [(ring + 1 + step) % per_node for step in range(per_node)]
    return [(node, device) for node in range(nodes) for device in inside]


def all_gather_time(
    nodes: int, per_node: int, rings: int, size: Fraction, inside: Fraction, between: Fraction
) -> Fraction:
    """Seconds in which the busiest link carries its part of an all-gather of `size` bytes.

    `inside` and `between` are bytes per second of a device's link and of its network card.
    ValueError if there are more rings than devices in a node.
    """
    positive_count("nodes", nodes)
    if not 1 <= rings <= positive_count("per_node", per_node):
        raise ValueError(f"{rings} rings cannot leave a node of {per_node} devices.")
    count = nodes * per_node
    chunk = positive_amount("size", size) / rings / count
    carried: Counter[tuple[str, int, int]] = Counter()
    for ring in range(rings):
        order = ring_order(ring, nodes, per_node)
        held = [{place} for place in range(count)]
        latest = list(range(count))
        while any(len(chunks) < count for chunks in held):
            for place in range(count):
                node, device = order[place]
                other = order[(place + 1) % count][0]
                carried["inside" if other == node else "between", node, device] += 1
            latest = [latest[place - 1] for place in range(count)]
            for place in range(count):
                held[place].add(latest[place])
    speed = {"inside": positive_amount("inside", inside), "between": positive_amount("between", between)}
    return max((chunks * chunk / speed[link] for (link, _, _), chunks in carried.items()),
               default=Fraction(0))  # fmt: skip
