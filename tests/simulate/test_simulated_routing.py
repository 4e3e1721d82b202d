"""Tokens routed to experts on ranks: what leaves a rank, what is computed, what is dropped."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.simulate import routing
from workings.simulate.routing import (
    Exchange,
    NodeTraffic,
    Route,
    dispatch_by_node,
    even_routes,
    exchange,
    greedy_routes,
)


@st.composite
def routed(draw: st.DrawFn) -> tuple[list[list[Route]], int]:
    """Ranks with a few tokens each, and routes of different experts for them."""
    ranks, each = draw(st.integers(1, 5)), draw(st.integers(1, 3))
    experts = ranks * each
    active = draw(st.integers(1, experts))
    route = st.permutations(range(experts)).map(lambda order: tuple(order[:active]))
    return draw(st.lists(st.lists(route, max_size=5), min_size=ranks, max_size=ranks)), experts


def test_tokens_for_experts_at_home_do_not_travel() -> None:
    assert exchange([[(0,), (1,)], [(2,), (3,)]], 4) == Exchange((0, 0), (0, 0), (1, 1, 1, 1), 0)


def test_a_copy_travels_for_each_expert_elsewhere_and_its_result_comes_back() -> None:
    # Rank 0 has one token for experts 1 (its own) and 2, 3 (rank 1's)
    assert exchange([[(1, 2, 3)], []], 4) == Exchange((2, 0), (0, 2), (0, 1, 1, 1), 0)


def test_routes_in_turn_load_every_expert_equally() -> None:
    assert even_routes(4, 3, 2) == [(0, 1), (2, 0), (1, 2), (0, 1)]
    assert exchange([even_routes(3, 3, 2)], 3).computed == (2, 2, 2)


def test_greedy_routes_load_the_first_experts_alone() -> None:
    assert exchange([greedy_routes(5, 4, 2), []], 4).computed == (5, 5, 0, 0)


def test_beyond_its_capacity_an_expert_drops_and_below_it_pads() -> None:
    # Three tokens for expert 2, which keeps two places; expert 3 keeps two that stay empty
    run = exchange([[(2,), (2,), (2,)], []], 4, capacity=2)
    assert run == Exchange((4, 4), (4, 4), (0, 0, 2, 0), 1)


def test_a_token_enters_each_node_once_and_is_forwarded_there() -> None:
    # Two nodes of two ranks, one expert each; rank 0's token goes to experts 2 and 3, on the other node
    traffic = dispatch_by_node([[(2, 3)], [], [], []], 4, 2)
    assert traffic == NodeTraffic(network=(1, 0, 0, 0), link=(0, 0, 1, 0))
    assert exchange([[(2, 3)], [], [], []], 4).dispatched == (2, 0, 0, 0)


@settings(deadline=None, max_examples=60)
@given(case=routed())
def test_every_copy_is_computed_once_and_comes_home(case: tuple[list[list[Route]], int]) -> None:
    routes, experts = case
    run = exchange(routes, experts)
    assert sum(run.computed) == sum(len(route) for tokens in routes for route in tokens)
    assert sum(run.dispatched) == sum(run.combined)
    assert run.dropped == 0


@settings(deadline=None, max_examples=60)
@given(case=routed(), capacity=st.integers(1, 6))
def test_with_a_capacity_every_rank_sends_the_same_whatever_the_routes(
    case: tuple[list[list[Route]], int], capacity: int
) -> None:
    routes, experts = case
    run = exchange(routes, experts, capacity)
    ranks = len(routes)
    assert set(run.dispatched) == {(experts - experts // ranks) * capacity}
    assert sum(run.computed) + run.dropped == sum(len(r) for tokens in routes for r in tokens)


@settings(deadline=None, max_examples=60)
@given(case=routed())
def test_a_node_of_one_device_sends_no_more_than_a_copy_for_each_expert(
    case: tuple[list[list[Route]], int],
) -> None:
    routes, experts = case
    alone = dispatch_by_node(routes, experts, 1)
    assert set(alone.link) == {0}
    plain = exchange(routes, experts).dispatched
    assert all(few <= many for few, many in zip(alone.network, plain, strict=True))


def test_a_result_that_differs_from_one_devices_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    made = iter(range(1, 100))
    monkeypatch.setattr(routing, "_expert", lambda expert, vector: next(made))
    with pytest.raises(AssertionError, match="differs from that of one device"):
        exchange([[(0, 1)]], 2)


def test_experts_ranks_and_nodes_must_divide() -> None:
    with pytest.raises(ValueError, match="3 experts do not divide among 2 ranks"):
        exchange([[], []], 3)
    with pytest.raises(ValueError, match="2 devices a node must divide 3 ranks"):
        dispatch_by_node([[], [], []], 3, 2)
    with pytest.raises(ValueError, match="cannot go to 4 of 3 experts"):
        even_routes(1, 3, 4)
    with pytest.raises(ValueError, match="active must be at least 1"):
        greedy_routes(1, 3, 0)
