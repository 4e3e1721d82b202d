"""Tokens really routed to experts on ranks, computed there, and brought home.

Experts lie on the ranks of an expert-parallel group, equally many on each, in order. Every rank
starts with tokens of its own, each with a route: the experts it goes to. An all-to-all dispatches
a copy of the token's vector for each of its experts, the experts compute, and a second all-to-all
combines the results at home, where they are compared with what one device computes alone.

What is counted is vectors that leave a rank; a vector whose expert is at home does not.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count, islice
from typing import TypeAlias

from ._checks import positive_count

Route: TypeAlias = tuple[int, ...]
"""The experts of one token."""


@dataclass(frozen=True)
class Exchange:
    """What a block with experts moved and computed; tuples have one entry a rank or an expert.

    dispatched, combined: vectors each rank sent away in either all-to-all, padding included.
    computed: tokens each expert computed.
    dropped: copies of tokens that found no room.
    """

    dispatched: tuple[int, ...]
    combined: tuple[int, ...]
    computed: tuple[int, ...]
    dropped: int


def even_routes(tokens: int, experts: int, active: int, first: int = 0) -> list[Route]:
    """Routes in turn: each token takes the `active` experts after those of the token before it.

    ValueError if a number is below 1 or there are fewer experts than a token needs.
    """
    _check_routes(tokens, experts, active)
    turn = (expert % positive_count("experts", experts) for expert in count(first))
    return [tuple(islice(turn, active)) for _ in range(tokens)]


def greedy_routes(tokens: int, experts: int, active: int) -> list[Route]:
    """Routes as uneven as can be: every token takes the first `active` experts.

    ValueError if a number is below 1 or there are fewer experts than a token needs.
    """
    _check_routes(tokens, experts, active)
    return [tuple(range(active)) for _ in range(tokens)]


def exchange(routes: Sequence[Sequence[Route]], experts: int, capacity: int | None = None) -> Exchange:
    """Run a block with experts: `routes` has, for each rank, the route of each of its tokens.

    With a `capacity`, each rank sends every expert that many places, filled in the order of its
    tokens and padded with empty ones; copies beyond them are dropped. ValueError if the experts do
    not divide among the ranks, AssertionError if the combined result is wrong.
    """
    home = _homes(experts, len(routes))
    inbox: list[list[_Copy]] = [[] for _ in routes]
    dispatched = [0] * len(routes)
    dropped = 0
    for rank, tokens in enumerate(routes):
        room = Counter(dict.fromkeys(range(experts), capacity or 0))
        for place, route in enumerate(tokens):
            for expert in route:
                if capacity is not None and room[expert] == 0:
                    dropped += 1
                    continue
                room[expert] -= 1
                inbox[home[expert]].append(_Copy(rank, place, expert))
                dispatched[rank] += home[expert] != rank
        if capacity is not None:  # places left empty travel too
            dispatched[rank] += sum(room[expert] for expert in room if home[expert] != rank)
    combined = _bring_home(inbox, routes, dropped)
    return Exchange(
        tuple(dispatched),
        combined if capacity is None else tuple(dispatched),
        _computed(inbox, experts),
        dropped,
    )


@dataclass(frozen=True)
class NodeTraffic:
    """Vectors each rank sent in a dispatch that crosses to every node once.

    network: to ranks of other nodes. link: to other ranks of its own node.
    """

    network: tuple[int, ...]
    link: tuple[int, ...]


def dispatch_by_node(routes: Sequence[Sequence[Route]], experts: int, node_devices: int) -> NodeTraffic:
    """Dispatch tokens to each node once, to the rank of the same place, which forwards them there.

    ValueError if the experts do not divide among the ranks, or the ranks among the nodes.
    """
    ranks = len(routes)
    if ranks % positive_count("node_devices", node_devices):
        raise ValueError(f"{node_devices} devices a node must divide {ranks} ranks.")
    home = _homes(experts, ranks)
    nodes = [list(range(n, n + node_devices)) for n in range(0, ranks, node_devices)]
    network, link = [0] * ranks, [0] * ranks
    for rank, tokens in enumerate(routes):
        place = next(node.index(rank) for node in nodes if rank in node)
        for route in tokens:
            for node in nodes:
                wanted = [home[expert] for expert in route if home[expert] in node]
                if not wanted:
                    continue
                entry = node[place]
                network[rank] += entry != rank
                link[entry] += sum(1 for target in wanted if target != entry)
    return NodeTraffic(tuple(network), tuple(link))


@dataclass(frozen=True)
class _Copy:
    """A token's vector on its way: whose it is, and for which expert."""

    rank: int
    token: int
    expert: int


def _check_routes(tokens: int, experts: int, active: int) -> None:
    positive_count("tokens", tokens)
    positive_count("active", active)
    if positive_count("experts", experts) < active:
        raise ValueError(f"a token cannot go to {active} of {experts} experts.")


def _homes(experts: int, ranks: int) -> list[int]:
    """The rank of each expert."""
    if positive_count("experts", experts) % positive_count("ranks", ranks):
        raise ValueError(f"{experts} experts do not divide among {ranks} ranks.")
    each = experts // ranks
    return [rank for rank in range(ranks) for _ in range(each)]


def _computed(inbox: Sequence[Sequence[_Copy]], experts: int) -> tuple[int, ...]:
    """How many copies each expert computes."""
    loads = Counter(copy.expert for copies in inbox for copy in copies)
    return tuple(loads[expert] for expert in range(experts))


def _bring_home(
    inbox: Sequence[Sequence[_Copy]], routes: Sequence[Sequence[Route]], dropped: int
) -> tuple[int, ...]:
    """Send every expert's result home and add them up; the vectors each rank sent back."""
    sent = [0] * len(routes)
    results = [[0] * len(tokens) for tokens in routes]
    for rank, copies in enumerate(inbox):
        for copy in copies:
            results[copy.rank][copy.token] += _expert(copy.expert, _vector(copy.rank, copy.token))
            sent[rank] += copy.rank != rank
    if not dropped:
        alone = [
            [sum(_expert(expert, _vector(rank, place)) for expert in route)
             for place, route in enumerate(tokens)]
            for rank, tokens in enumerate(routes)
        ]  # fmt: skip
        if results != alone:
            raise AssertionError("The combined result differs from that of one device.")
    return tuple(sent)


def _vector(rank: int, token: int) -> int:
    """A number that stands for a token's vector, different for every token."""
    return 1 + token + 1_000_003 * rank


def _expert(expert: int, vector: int) -> int:
    """What an expert makes of a vector; no two experts make the same."""
    return (expert + 2) * vector + expert
