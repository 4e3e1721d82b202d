"""Rings whose links work both ways, as along an axis of a torus, and the links of a torus.

Every rank has one port to its right and one to its left, each with half of the bandwidth that the
axis has both ways.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import prod

from ._checks import positive_amount, positive_count
from ._parcels import Pack, Parcel, merge, own_chunks, require_all_chunks, ship
from ._walks import reduce_scatter_walk
from .clock import Clock, Link


def both_ways(link: Link) -> tuple[Link, Link]:
    """Return the links to the right and to the left of an axis whose two ways together are `link`."""
    each = Fraction(link.bandwidth) / 2
    return (
        Link(link.latency, each, "right", link.overlapped),
        Link(link.latency, each, "left", link.overlapped),
    )


def gather_in_halves(ranks: int, size: Fraction | int, axis: Link) -> Clock:
    """All-gather on a ring: the two halves of every chunk go all the way round, one each way."""
    clock = Clock()
    half_bytes = positive_amount("size", size) / positive_count("ranks", ranks) / 2
    for link, step in zip(both_ways(axis), (1, -1), strict=True):
        held = own_chunks(ranks)
        carried = {rank: dict(pack) for rank, pack in held.items()}
        while any(len(pack) < ranks for pack in held.values()):
            carried = _hop(clock, link, step, carried, half_bytes)
            for rank, pack in carried.items():
                merge(held[rank], pack)
        require_all_chunks(held, ranks)
    return clock


def gather_the_shorter_way(ranks: int, size: Fraction | int, axis: Link) -> Clock:
    """All-gather on a ring: every whole chunk goes both ways at once until all ranks hold all.

    A chunk that comes from both sides at the same time is received twice and kept once.
    """
    clock = Clock()
    chunk_bytes = positive_amount("size", size) / positive_count("ranks", ranks)
    held = own_chunks(ranks)
    moving = [{rank: dict(pack) for rank, pack in held.items()} for _ in range(2)]
    while any(len(pack) < ranks for pack in held.values()):
        moving = [
            _hop(clock, link, step, carried, chunk_bytes)
            for link, step, carried in zip(both_ways(axis), (1, -1), moving, strict=True)
        ]
        for carried in moving:
            for rank, pack in carried.items():
                merge(held[rank], {c: p for c, p in pack.items() if c not in held[rank]})
    require_all_chunks(held, ranks)
    return clock


def gather_on_square(side: int, size: Fraction | int, axis: Link) -> Clock:
    """All-gather on a square torus: one half of the message goes over rows and then columns.

    The other half goes over columns and then rows, so that both axes work all the time. On each
    axis the halves of a pack go round both ways.
    """
    clock = Clock()
    quarter = positive_amount("size", size) / positive_count("side", side) ** 2 / 4
    ranks = side * side
    rows = [[row * side + column for column in range(side)] for row in range(side)]
    columns = [list(column) for column in zip(*rows, strict=True)]
    names = ("row", "column")
    halves = [own_chunks(ranks), own_chunks(ranks)]
    for stage in range(2):
        for half, held in enumerate(halves):
            along = (half + stage) % 2
            for members in (rows, columns)[along]:
                _round_both_ways(clock, axis, names[along], members, held, quarter)
    for held in halves:
        require_all_chunks(held, ranks)
    return clock


def reduce_scatter_on_torus(sides: Sequence[int], size: Fraction | int) -> Fraction:
    """Bytes that the busiest device sends where all sum their vectors along one axis after the other.

    Along every ring of an axis each device ends with the sum of its part of what they hold, which is
    all that it takes to the next axis. ValueError if `size` is not above 0.
    """
    devices = list(product(*(range(side) for side in sides)))
    piece = positive_amount("size", size) / prod(sides)
    held = {d: {at: number * 100 + place for place, at in enumerate(devices)}
            for number, d in enumerate(devices, 1)}  # fmt: skip
    sums = {at: sum(vector[at] for vector in held.values()) for at in devices}
    sent = dict.fromkeys(devices, 0)
    for axis, side in enumerate(sides):
        for first in [device for device in devices if not device[axis]]:
            ring = [(*first[:axis], place, *first[axis + 1 :]) for place in range(side)]
            _sum_round(axis, ring, held, sent)
    if any(held[device] != {device: sums[device]} for device in devices):
        raise AssertionError("a device has a wrong sum")
    return piece * max(sent.values())


def torus_links(sides: Sequence[int]) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """List the links of a torus, each once: from every device one along every axis, round the end."""
    for device in product(*(range(side) for side in sides)):
        for axis, side in enumerate(sides):
            neighbour = list(device)
            neighbour[axis] = (device[axis] + 1) % side
            yield device, tuple(neighbour)


def furthest(sides: Sequence[int], *, closed: bool = True) -> int:
    """Count the hops until word from one corner has reached every device of a torus, or of a grid.

    In each round whoever knows tells all neighbours. An axis of a grid (not `closed`) has no link
    round its end.
    """
    start = (0,) * len(sides)
    knowing, rounds = {start}, 0
    links = [
        (a, b) for a, b in torus_links(sides)
        if closed or all(abs(i - j) <= 1 for i, j in zip(a, b, strict=True))
    ]  # fmt: skip
    while len(knowing) < prod(sides):
        knowing |= {end for a, b in links for end in (a, b) if a in knowing or b in knowing}
        rounds += 1
    return rounds


def all_to_all_on_torus(sides: Sequence[int], size: Fraction | int) -> Fraction:
    """Bytes over the busiest link, one way, where every device has a part for each other one.

    Each part goes along one axis after the other, the shorter way round; of a part for the device
    right across half goes either way. ValueError if `size` is not above 0.
    """
    part = positive_amount("size", size) / prod(sides)
    carried: dict[tuple[tuple[int, ...], int, int], Fraction] = {}
    devices = list(product(*(range(side) for side in sides)))
    for source, target in product(devices, devices):
        at = list(source)
        for axis, side in enumerate(sides):
            ahead = (target[axis] - source[axis]) % side
            ways = [(step, hops) for step, hops in ((1, ahead), (-1, side - ahead)) if 2 * hops <= side]
            for step, hops in ways if ahead else ():
                place = list(at)
                for _ in range(hops):
                    link = tuple(place), axis, step
                    carried[link] = carried.get(link, Fraction(0)) + part / len(ways)
                    place[axis] = (place[axis] + step) % side
            at[axis] = target[axis]
    return max(carried.values(), default=Fraction(0))


def links_cut(sides: Sequence[int], axis: int) -> int:
    """Count the links between the two halves of a torus cut across an axis of even length.

    ValueError if that axis has an odd length.
    """
    if sides[axis] % 2:
        raise ValueError(f"an axis of {sides[axis]} devices has no halves.")
    middle = sides[axis] // 2
    return sum((a[axis] < middle) != (b[axis] < middle) for a, b in torus_links(sides))


def fewest_links_cut(sides: Sequence[int]) -> int:
    """Count, over every way to split a small torus into equal halves, the fewest links between them.

    ValueError with more than 16 devices or an odd number of them.
    """
    devices = prod(sides)
    if devices > 16 or devices % 2:
        raise ValueError(f"a torus of {devices} devices is not split in every way here.")
    number = {device: i for i, device in enumerate(product(*(range(side) for side in sides)))}
    links = [(number[a], number[b]) for a, b in torus_links(sides)]
    return min(
        sum((half >> a ^ half >> b) & 1 for a, b in links)
        for half in range(1 << (devices - 1))
        if half.bit_count() == devices // 2
    )


_Place = tuple[int, ...]


def _sum_round(
    axis: int, ring: Sequence[_Place], held: dict[_Place, dict[_Place, int]], sent: dict[_Place, int]
) -> None:
    """Pass partial sums round a ring until each member has the one of its place along the axis."""
    parts = [[{at: v for at, v in held[m].items() if at[axis] == place} for place in range(len(ring))]
             for m in ring]  # fmt: skip
    walk = reduce_scatter_walk(parts, lambda a, b: {at: a[at] + b[at] for at in a})
    for member, kept, passed in zip(ring, walk.held, walk.sent, strict=True):
        (held[member],) = kept
        sent[member] += sum(len(part) for part in passed)


def _hop(
    clock: Clock, link: Link, step: int, carried: dict[int, Pack], chunk_bytes: Fraction
) -> dict[int, Pack]:
    """Send what every rank carries one place on."""
    ranks = len(carried)
    return {
        (rank + step) % ranks: ship(clock, link, (rank, (rank + step) % ranks), pack, chunk_bytes)
        for rank, pack in carried.items()
    }


def _round_both_ways(
    clock: Clock, axis: Link, name: str, members: Sequence[int], held: dict[int, Pack], each: Fraction
) -> None:
    """Gather packs among members; the halves of each go round a ring both ways, in step."""
    gathered = {chunk: parcel.value for member in members for chunk, parcel in held[member].items()}
    ready = max(parcel.ready for member in members for parcel in held[member].values())
    arrivals = []
    for link, step in zip(both_ways(axis), (1, -1), strict=True):
        named = Link(link.latency, link.bandwidth, f"{name} {link.name}")
        begun = {m: {c: Parcel(p.value, ready) for c, p in held[m].items()} for m in members}
        for _ in range(len(members) - 1):
            arrived: dict[int, Pack] = {}
            for place, member in enumerate(members):
                target = members[(place + step) % len(members)]
                arrived[target] = ship(clock, named, (member, target), begun[member], each)
            begun = arrived
        arrivals += [p.ready for pack in begun.values() for p in pack.values()]
    for member in members:
        held[member] = {c: Parcel(value, max(arrivals)) for c, value in gathered.items()}
