"""No time in the catalogue is shorter than the wires allow, on any hardware preset.

The bytes that the busiest device must send are summed here one part after another; over the one-way
rate of its wire, or both directions of the torus axes it uses, they take a least time.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import pytest

from workings import catalogue
from workings.derivation import Derivation
from workings.derivation.evaluation import DoesNotApplyError, value_of
from workings.formula.interval import DoesNotEvaluateError, rational
from workings.scenario import Scenario, ScenarioError, load_scenario, preset_names
from workings.units import SECOND
from workings.values.binding import bind
from workings.vocabulary.kinds import SWITCH, TORUS, WITH_EXPERTS

V = Mapping[str, Fraction]
LINKS = ("W", "torus_axis", "bandwidth", "link_one_way", "network_one_way", "port_speed")


class Sent(NamedTuple):
    """Bytes a device must send, the letter of its wire, and the torus axes that may share them."""

    bytes: Fraction
    wire: str
    axes: Fraction = Fraction(1)


def parts(v: V, whole: Fraction, ranks: str = "N") -> Iterator[Fraction]:
    """The shares of a message that a rank does not have at first."""
    count = int(v[ranks])
    yield from (whole / count for other in range(count) if other != 0)


def gathered(v: V, whole: Fraction | None = None, ranks: str = "N") -> Fraction:
    """A rank sends its share on, and those it receives but the last: as many as it lacks."""
    return sum(parts(v, v["S"] if whole is None else whole, ranks), Fraction(0))


def weights(v: V, blocks: int = 1) -> Fraction:
    """Both matrices of the blocks, as far as they are not split by tensor parallelism."""
    return sum((v["w"] * v["D"] * v["F"] / v["Y"] for _b in range(blocks) for _m in "io"), Fraction(0))


def tokens(v: V, blocks: int = 1) -> Fraction:
    """What one FSDP shard's activations are gathered to and reduced from."""
    return sum((v["a"] * v["B"] * v["D"] / v["X"] for _b in range(blocks) for _w in "gr"), Fraction(0))


def least_on_a_mesh(v: V, meet: Callable[[Fraction, Fraction], Fraction]) -> Fraction:
    """Seconds times rate on the best of many meshes, real-numbered ones among them."""
    sides = [1 + Fraction(k * (int(v["n"]) - 1), 2000) for k in range(2001)]

    def on(side: Fraction) -> Fraction:
        mesh = {**v, "X": side, "Y": v["n"] / side}
        return meet((1 - 1 / side) * weights(mesh), (1 - side / v["n"]) * tokens(mesh))

    return min(map(on, sides))


def stationary(v: V) -> Fraction:
    """Seconds times rate of a feed-forward whose weights stay, on the best of many meshes."""
    sides = [1 + Fraction(k * (int(v["n"]) - 1), 2000) for k in range(2001)]

    def on(side: Fraction) -> Fraction:
        model = sum((v["a"] * v["B"] * v["D"] / side for _way in "io"), Fraction(0))
        hidden = sum(
            (v["a"] * v["B"] * v["F"] * side / v["n"] for _m in range(int(v["n_f"]))), Fraction(0)
        )
        return (1 - side / v["n"]) * model / v["m_Y"] + (1 - 1 / side) * hidden / v["m_X"]

    return min(map(on, sides))


def boundary(v: V) -> Fraction:
    """A tensor rank's share of a micro-batch's activations, token by token."""
    return sum((v["a"] * v["D"] / v["t"] * v["b_m"] for _token in range(int(v["s"]))), Fraction(0))


def reduced(v: V) -> Fraction:
    """Four all-reduces of a layer's tokens, forward and backward: each scatters sums and gathers them."""
    whole = v["a"] * v["b_m"] * v["s"] * v["D"] / v["c"]
    return sum((gathered(v, whole, "t") for _four in range(4) for _phase in "sg"), Fraction(0))


def reduced_around_experts(v: V) -> Fraction:
    """Attention's all-reduces there and back, and routed tokens gathered and scattered beside experts."""
    whole = v["a"] * v["b_m"] * v["s"] * v["D"] / v["c"]
    attention = sum((gathered(v, whole, "t") for _two in range(2) for _phase in "sg"), Fraction(0))
    received = sum((v["k_E"] * whole / v["t"] for _rank in range(int(v["t_e"]))), Fraction(0))
    return attention + sum((gathered(v, received, "t_e") for _way in "gsgs"), Fraction(0))


def handed_over(v: V) -> Fraction:
    """Keys and values of a prompt on one rank, token by token and block by block."""
    token = 2 * max(v["K"] / v["t"], Fraction(1)) * v["d_h"] * v["w_kv"]
    blocks = sum((token for _block in range(int(v["L"]))), Fraction(0))
    return blocks * v["s"]


def read_state(v: V) -> Fraction:
    """What one rank of the replica that reads passes on: master weights and moments of its parameters."""
    ranks = v["n"] / v["d"]
    return sum((v["P"] / ranks * width for width in (v["w_p"], v["w_o"], v["w_o"])), Fraction(0))


def given_away(v: V) -> Fraction:
    """What the last device of a group that grows has before and others have after, piece by piece."""
    before, after = int(v["N_1"]), int(v["N_2"])
    pieces, last = before * after, before - 1
    owned = [piece for piece in range(pieces) if piece // after == last]
    return sum((v["S"] / pieces for piece in owned if piece // before != last), Fraction(0))


def between(v: V, whole: Fraction) -> Fraction:
    """What each device of a node sends to others: the shares of other nodes, over the node's ports."""
    other = sum((whole / v["N"] for rank in range(int(v["N"])) if rank >= v["n_node"]), Fraction(0))
    return other / v["n_node"]


MUST: Mapping[str, Callable[[V], Sent]] = {
    "all-to-all-nodes-time": lambda v: Sent(between(v, v["S"]) * v["n_node"], "W_2"),
    "all-to-all-time": lambda v: Sent(gathered(v), "W_b"),
    "bidirectional-all-gather-time": lambda v: Sent(gathered(v), "W"),
    "bruck-all-gather-time": lambda v: Sent(gathered(v), "W_b"),
    "tree-all-gather-time": lambda v: Sent(gathered(v), "W_b"),
    "halving-doubling-all-reduce-time": lambda v: Sent(2 * gathered(v), "W_b"),
    "ring-all-gather-time": lambda v: Sent(gathered(v), "W_b"),
    "hierarchical-all-gather-time": lambda v: Sent(between(v, v["S"]), "W_2"),
    "broadcast-all-gather-time": lambda v: Sent(gathered(v), "W_b"),
    "regrouping-time": lambda v: Sent(given_away(v), "W_b"),
    "ring-reduce-scatter-time": lambda v: Sent(gathered(v), "W_b"),
    "ring-all-reduce-time": lambda v: Sent(2 * gathered(v), "W_b"),
    "hierarchical-all-reduce-time": lambda v: Sent(2 * between(v, v["S"]), "W_2"),
    "point-to-point-time": lambda v: Sent(v["S"], "W_b"),
    "tree-all-reduce-time": lambda v: Sent(2 * gathered(v), "W_b"),
    "ring-broadcast-pieces": lambda v: Sent(v["S"], "W_b"),
    "ring-broadcast-time": lambda v: Sent(v["S"], "W_b"),
    "tree-broadcast-time": lambda v: Sent(v["S"], "W_b"),
    "square-torus-time": lambda v: Sent(gathered({**v, "N": v["X_t"] ** 2}), "W", Fraction(2)),
    "torus-axes-time": lambda v: Sent(gathered({**v, "N": v["X_sum"]}), "W", v["M"]),
    "torus-all-to-all-time": lambda v: Sent(gathered({**v, "N": v["X_l"]}), "W"),
    "overlapped-all-gather-time": lambda v: Sent(between(v, v["S"]), "W_2"),
    "split-array-gather-time": lambda v: Sent(between(v, v["S"]), "W_2"),
    "two-way-ring-time": lambda v: Sent(gathered(v), "W"),
    "torus-axis-time": lambda v: Sent(gathered(v), "W"),
    "ddp-sync-time": lambda v: Sent(2 * gathered(v, v["g"] * v["P"], "d"), "W_b"),
    "ring-across-nodes-time": lambda v: Sent(between(v, v["S"]), "W_2"),
    "shared-port-time": lambda v: Sent(v["n_g"] * gathered(v), "W_port"),
    "port-rings-time": lambda v: Sent(gathered(v) / v["n_port"], "W_port"),
    "gather-then-multiply-time": lambda v: Sent(gathered(v, v["a"] * v["B"] * v["D"], "X"), "W_1"),
    "multiply-then-reduce-time": lambda v: Sent(2 * gathered(v, v["a"] * v["B"] * v["F"], "X"), "W_1"),
    "resharding-time": lambda v: Sent(gathered(v, v["a"] * v["B"] * v["D"] / v["X"], "X"), "W_1"),
    "resharding-torus-time": lambda v: Sent(gathered(v, v["a"] * v["B"] * v["D"] / v["X"], "X"), "W"),
    "best-mesh-time-max": lambda v: Sent(
        least_on_a_mesh(v, lambda x, y: max(x / v["M_X"], y / v["M_Y"])), "W"
    ),
    "best-mesh-time-sum": lambda v: Sent(
        least_on_a_mesh(v, lambda x, y: x / v["M_X"] + y / v["M_Y"]), "W"
    ),
    "weight-stationary-time": lambda v: Sent(stationary(v), "W"),
    "mesh-gather-time": lambda v: Sent(gathered(v, weights(v), "X"), "W", v["M_X"]),
    "mesh-gather-time-large": lambda v: Sent(gathered(v, weights(v), "X"), "W", v["M_X"]),
    "mesh-tensor-time": lambda v: Sent(gathered(v, tokens(v), "Y"), "W", v["M_Y"]),
    "mesh-tensor-time-large": lambda v: Sent(gathered(v, tokens(v), "Y"), "W", v["M_Y"]),
    "forward-gather-time": lambda v: Sent(gathered(v, weights(v, int(v["L"])), "X"), "W", v["M_X"]),
    "forward-tensor-time": lambda v: Sent(gathered(v, tokens(v, int(v["L"])), "Y"), "W", v["M_Y"]),
    "pp-message-time": lambda v: Sent(boundary(v), "W_2"),
    "pipeline-transfer-time": lambda v: Sent(v["m"] * boundary(v), "W_2"),
    "first-backward-bubble": lambda v: Sent(2 * boundary(v), "W_2"),
    "gpipe-time-sending": lambda v: Sent(v["m"] * boundary(v), "W_2"),
    "one-f-one-b-exposed-sending": lambda v: Sent(2 * boundary(v), "W_2"),
    "tp-layer-time": lambda v: Sent(reduced(v), "W_1"),
    "tp-decode-time": lambda v: Sent(
        sum(
            (2 * 2 * gathered(v, v["b"] * v["D"] * v["a"], "t") for _ in range(int(v["L"]))), Fraction(0)
        ),
        "W_1",
    ),
    "checkpoint-read-once-time": lambda v: Sent(read_state(v), "W_b"),
    "cache-transfer-time": lambda v: Sent(handed_over(v), "W_2"),
    "moe-tp-layer-time": lambda v: Sent(reduced_around_experts(v), "W_1"),
}
# What scenarios do not give: sizes near those of a large model.
GIVEN = {
    "warm_up_forwards": "2",
    "group": "16", "message": "1 GB", "latency": "1 us", "torus_side": "16", "chain_hops": "6",
    "axis": "16", "ports": "8", "storage": "2 TB/s",
    "gathered_axes": "2", "axes_sum": "32", "longest_axis": "16",
    "inner_axis": "4", "devices_before": "16", "devices_after": "24",
    "axis_rings": "1", "other_axis_rings": "2",
    "pieces": "16", "sharing_groups": "2", "ddp_buckets": "8", "node_devices": "8",
    "network_latency": "3 us", "forward_time": "80 ms", "input_gradient_time": "80 ms",
    "weight_gradient_time": "80 ms", "microbatches": "8",
}  # fmt: skip
GPU, TPU = (
    tuple(name for name in preset_names("hardware") if name.startswith("tpu") == tpu)
    for tpu in (False, True)
)
LAYOUTS = ({"N_fsdp": "16", "tp": "4"}, {"N_fsdp": "16", "tp": "16"}, {"N_fsdp": "2", "tp": "2"})


def timed() -> list[Derivation]:
    """Every entry in seconds that a link's speed goes into."""
    return [
        what for what in catalogue.every()
        if what.unit == SECOND and any(c.name in LINKS for c in what.letters.values())
    ]  # fmt: skip


def scenario(hardware: str, layout: Mapping[str, str], model: str = "llama3-70b") -> Scenario:
    return load_scenario("llama3-70b-64", {"hardware": hardware, "model": model, **layout})


def letters_of(what: Derivation, at: Scenario) -> dict[str, Fraction]:
    """Every letter of an entry: what a scenario leaves open is set, speeds to the wire's one-way rate."""
    wire = {
        "bandwidth": at.values["hardware.link_one_way"],
        "port_speed": at.values["hardware.link_one_way"],
    }
    settings = {
        c.name: GIVEN.get(c.name) or f"{int(wire[c.name].value)} byte/s"
        for c in what.letters.values()
        if c.name in GIVEN or c.name in wire
    }
    return {name: rational(value) for name, value in bind(what, at, settings).values.items()}


def rate(wire: str, at: Scenario, axes: Fraction) -> Fraction:
    """The most that a device sends in a second: one way, or both ways along the axes of a torus."""
    one_way = at.values["hardware.network_one_way" if wire == "W_2" else "hardware.link_one_way"].value
    return one_way * (2 * axes if wire == "W" and at.values["hardware.torus"].value else 1)


def test_every_time_that_a_link_goes_into_is_held_against_the_wire() -> None:
    assert {what.id for what in timed()} == set(MUST)


@pytest.mark.parametrize("hardware", [*GPU, *TPU])
def test_no_time_is_shorter_than_the_wires_allow(hardware: str) -> None:
    answered = set()
    for layout in LAYOUTS:
        dense, mixture = scenario(hardware, layout), scenario(hardware, layout, "mixtral-8x7b")
        for what in timed():
            at = mixture if WITH_EXPERTS in what.holds_for else dense
            try:
                v = letters_of(what, at)
            except DoesNotApplyError:
                assert TORUS in what.holds_for or SWITCH in what.holds_for
                continue
            least = MUST[what.id](v)
            seconds = rational(value_of(what, v))
            assert seconds * rate(least.wire, at, least.axes) >= least.bytes, (what.id, layout)
            answered.add(what.id)
    wrong_here = SWITCH if hardware in TPU else TORUS
    assert {what.id for what in timed() if wrong_here not in what.holds_for} == answered


def test_what_needs_rings_says_so() -> None:
    for what in catalogue.every():
        names = {concept.name for concept in what.letters.values()}
        assert TORUS in what.holds_for or not names & {"torus_axis", "ring_devices"}, what.id


def test_what_one_network_is_refused_the_entry_named_answers_there() -> None:
    refused = [
        (what, kind, elsewhere)
        for what in catalogue.every()
        for kind, elsewhere in what.holds_for.items()
        if kind in (TORUS, SWITCH) and elsewhere
    ]
    assert len(refused) >= 15
    for what, kind, elsewhere in refused:
        assert kind not in _all_kinds(catalogue.get(elsewhere)), what.id


def _all_kinds(what: Derivation) -> set[Any]:
    """Kinds that an entry asks for, itself or through what it uses."""
    return set(what.holds_for).union(*(_all_kinds(use.derivation) for use in what.uses.values()))


def at_preset(id_: str, scenario: str, **settings: str) -> Fraction:
    what = catalogue.get(id_)
    bound = bind(what, load_scenario(scenario, settings), settings)
    return rational(value_of(what, bound.values))


def test_a_gpu_hides_its_gathers_from_2199_tokens_a_shard_and_a_tpu_from_1278_on_two_axes() -> None:
    assert round(at_preset("compute-bound-batch-per-shard", "llama3-70b-64")) == 2199
    assert round(at_preset("compute-bound-batch-per-shard", "xxl-220b")) == 1278


def test_a_ring_both_ways_is_refused_on_a_switch_and_the_ring_that_answers_takes_the_wires_time() -> None:
    settings = {"group": "8", "message": "1 GB", "latency": "0 s"}
    with pytest.raises(DoesNotApplyError, match="ring-all-gather-time answers here"):
        at_preset("bidirectional-all-gather-time", "llama3-70b-64", **settings)
    seconds = at_preset("ring-all-gather-time", "llama3-70b-64", **settings, bandwidth="450 GB/s")
    assert seconds == Fraction(7, 8) / 450
    assert at_preset("bidirectional-all-gather-time", "xxl-220b", **settings) == Fraction(7, 8) / 180


def test_axes_that_a_network_has_not_are_asked_for_and_refused_where_they_are_set() -> None:
    for hardware in ("h100-sxm", "tpu-v5e"):  # 2 + 1 axes on a switch, and on a torus of 2
        with pytest.raises(DoesNotEvaluateError, match=r"needs M_X \(torus axes .* \(1 on a switch\)"):
            at_preset("mesh-gather-time", "xxl-220b", hardware=hardware)
        assert at_preset("mesh-gather-time", "xxl-220b", hardware=hardware, M_X="1") > 0
    with pytest.raises(
        ScenarioError, match=r"layout.fsdp_axes: found 2, expected 1: a switch has no axes"
    ):
        at_preset("mesh-gather-time", "llama3-70b-64", M_X="2")
    with pytest.raises(ScenarioError, match=r"layout.fsdp_axes: found 3, expected at most 3 axes in all"):
        at_preset("mesh-gather-time", "xxl-220b", M_X="3")


def test_an_axis_that_does_not_close_is_no_ring() -> None:
    settings = {"group": "8", "message": "1 GB", "latency": "0 s"}
    for axis, closes in (("8", False), ("16", True)):  # on TPU v5e only a whole axis of 16 closes
        given = {**settings, "hardware": "tpu-v5e", "group": axis}
        if closes:
            assert at_preset("torus-axis-time", "xxl-220b", **given) > 0
        else:
            with pytest.raises(
                DoesNotApplyError, match=r"N to be divisible by n_ring .here N = 8, n_ring = 16"
            ):
                at_preset("torus-axis-time", "xxl-220b", **given)
