"""Where the traffic between stages goes, in words; what experts send adds up."""

from fractions import Fraction

import pytest
from awkward import Letter, awkward

from workings.planning.flows import boundaries, flows
from workings.planning.shares import worth
from workings.planning.waterfall import slowest_stage, waterfall


def pipeline(n_node: int, n_pod: int, v: int) -> dict[str, Fraction]:
    """Eight stages of 48 ranks each, so many ranks to a node and to a pod."""
    return awkward(p=8, v=v, L=16, n=384, n_node=n_node, n_pod=n_pod)


@pytest.mark.parametrize(
    ("n_node", "n_pod", "v", "link"),
    [
        (384, 384, 1, "node"),
        (8, 384, 2, "network"),
        (8, 48, 1, "beyond the pod"),
        (8, 96, 1, "between nodes, 3 of 7 boundaries beyond the pod"),
        (8, 96, 2, "between nodes, 7 of 15 boundaries beyond the pod"),
        (96, 384, 1, "inside a node, 3 of 7 boundaries beyond it"),
        (96, 192, 1, "inside a node, 3 of 7 boundaries beyond it, 1 beyond the pod"),
        (96, 192, 2, "inside a node, 7 of 15 boundaries beyond it, 3 beyond the pod"),
    ],
)
def test_sends_between_stages_say_how_many_boundaries_go_how_far(
    n_node: int, n_pod: int, v: int, link: str
) -> None:
    found = pipeline(n_node, n_pod, v)
    assert next(flow.link for flow in flows(found) if flow.axis == "pipeline") == link


def test_without_a_pipeline_there_is_no_boundary() -> None:
    assert boundaries(awkward(p=1, v=1, n=48)) == (0, 0, 0)


@pytest.mark.parametrize(
    ("changed", "links"),
    [
        ({}, {"expert": "node", "expert tensor": "node"}),
        ({"t_e": 1}, {"expert": "node"}),
        ({"e": 1}, {"expert tensor": "node"}),
        ({"n_node": 2}, {"expert": "network", "expert tensor": "node"}),
        ({"n_node": 2, "t_e": 4, "n_pod": 2},
         {"expert": "beyond the pod", "expert tensor": "beyond the pod"}),
        ({"L_E": 0}, {}),
    ],
)  # fmt: skip
def test_what_experts_send_and_gather_takes_the_time_that_the_step_gives_them(
    changed: dict[str, Letter], links: dict[str, str]
) -> None:
    v = awkward(**changed, alpha_1=0, alpha_2=0)
    rows = {flow.axis: flow for flow in flows(v) if flow.axis in ("expert", "expert tensor")}
    assert {axis: row.link for axis, row in rows.items()} == links
    for axis, row in rows.items():
        assert row.size == {"expert": v["e"], "expert tensor": v["t_e"]}[axis]
        assert row.seconds == row.exposed == row.count * row.bytes / row.bandwidth
    _, blocks, _ = slowest_stage(v)
    spent = sum(row.seconds for row in rows.values())
    assert spent == v["m"] * worth(blocks, v) * v["T_e"]
    assert spent == sum(span.seconds for span in waterfall(v) if span.name == "expert parallelism")


def test_messages_to_experts_take_longer_by_their_starts() -> None:
    late, early = (flows(awkward(alpha_1=alpha)) for alpha in (Fraction(1, 1000), 0))
    for axis in ("expert", "expert tensor"):
        one, other = (next(f for f in found if f.axis == axis) for found in (late, early))
        assert one.seconds > other.seconds
        assert (one.bytes, one.count) == (other.bytes, other.count)


def test_what_lies_with_the_host_goes_there_and_back_over_its_link() -> None:
    v = awkward(x_off=Fraction(3, 5), x_host=Fraction(1, 2))
    activations, state = (flow for flow in flows(v) if flow.link == "host")
    blocks = worth(slowest_stage(v)[1], v)
    assert activations.count == 2 * v["m"] * blocks
    assert activations.exposed == v["m"] * blocks * v["T_away"]
    assert activations.seconds == activations.count * v["B_away"] / v["W_h"]
    assert state.bytes == v["x_off"] * v["P_own"] * (v["w_g"] + v["w_c"])
    assert state.seconds == state.exposed == v["T_off"] - v["x_off"] * v["P_own"] * v["B_opt"] / v["W_hm"]
    assert not [flow for flow in flows(awkward()) if flow.link == "host"]
