"""Ranks laid out on a grid of parallel axes, and the groups they fall into.

Axes come in an order, the fastest first: with the order tp, cp, pp, dp the ranks of a tensor-parallel
group follow one another. Ranks are dealt out as an odometer counts: the first wheel turns with every
rank, the next when the first has gone round. Nothing is computed by division; what rank stands
where is read off the wheels.
"""

from collections.abc import Mapping, Sequence

from ._checks import positive_count

Coordinates = dict[str, int]


def lay_out(sizes: Mapping[str, int], order: Sequence[str] = ()) -> list[Coordinates]:
    """The coordinates of every rank, in the order of the ranks.

    `order` names the axes from the fastest to the slowest; left out, it is that of `sizes`.
    ValueError if a size is below 1 or the order does not name each axis once.
    """
    axes = list(order or sizes)
    if sorted(axes) != sorted(sizes):
        raise ValueError(f"the order {'-'.join(axes)} does not name {', '.join(sizes)} once each.")
    for axis in axes:
        positive_count(axis, sizes[axis])
    wheels = dict.fromkeys(axes, 0)
    ranks: list[Coordinates] = []
    turning = True
    while turning:
        ranks.append({axis: wheels[axis] for axis in sizes})
        turning = _turn(wheels, sizes)
    return ranks


def _turn(wheels: Coordinates, sizes: Mapping[str, int]) -> bool:
    """Move on to the next rank; False where every wheel has gone round."""
    for axis in wheels:
        wheels[axis] += 1
        if wheels[axis] < sizes[axis]:
            return True
        wheels[axis] = 0
    return False


def coordinates(rank: int, sizes: Mapping[str, int], order: Sequence[str] = ()) -> Coordinates:
    """Where a rank stands on each axis. ValueError if there is no such rank."""
    ranks = lay_out(sizes, order)
    if not 0 <= rank < len(ranks):
        raise ValueError(f"rank must be from 0 to {len(ranks) - 1}, not {rank}.")
    return ranks[rank]


def rank_at(place: Mapping[str, int], sizes: Mapping[str, int], order: Sequence[str] = ()) -> int:
    """The rank that stands at these coordinates. ValueError if none does."""
    ranks = lay_out(sizes, order)
    if dict(place) not in ranks:
        raise ValueError(f"no rank stands at {dict(place)}.")
    return ranks.index(dict(place))


def groups(
    axis: str | Sequence[str], sizes: Mapping[str, int], order: Sequence[str] = ()
) -> list[list[int]]:
    """The groups along an axis, or along several taken together: ranks that differ only there.

    Groups come in the order of their first ranks. ValueError if an axis is not one of `sizes`.
    """
    along = {axis} if isinstance(axis, str) else set(axis)
    if not along <= set(sizes):
        raise ValueError(f"{', '.join(sorted(along))} must be among {', '.join(sizes)}.")
    found: dict[tuple[int, ...], list[int]] = {}
    for rank, place in enumerate(lay_out(sizes, order)):
        elsewhere = tuple(at for name, at in place.items() if name not in along)
        found.setdefault(elsewhere, []).append(rank)
    return list(found.values())


def nodes_of(group: Sequence[int], node_devices: int) -> set[int]:
    """The nodes on which a group's ranks lie: ranks fill one node after the other.

    ValueError if `node_devices` is below 1.
    """
    positive_count("node_devices", node_devices)
    on_node: dict[int, int] = {}
    node, left = 0, node_devices
    for rank in range(max(group, default=-1) + 1):
        on_node[rank] = node
        left -= 1
        if left == 0:
            node, left = node + 1, node_devices
    return {on_node[rank] for rank in group}
