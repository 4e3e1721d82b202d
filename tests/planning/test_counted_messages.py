"""What a rank sends for a block and in a step, message by message, and how long that takes."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise, product

import pytest
from awkward import (
    LATENT,
    LATENT_KEYS,
    Letter,
    Values,
    awkward,
    deal_blocks,
    flags_of_zero,
    own_tokens,
    parts_gathered,
)
from grouped import groups
from looping import each

from workings.planning.flows import flows
from workings.simulate.training_step import ZERO_1, ZERO_2, ZERO_3, training_step


def ring_messages(ranks: int, collective: str) -> int:
    """Messages that rank 0 sends: chunks go round until all that must reach every rank have."""
    phases = {"all-reduce": 2, "all-gather": 1, "reduce-scatter": 1}[collective]
    sent = 0
    for _ in range(phases):
        reached = {0}
        while len(reached) < ranks:
            reached.add(len(reached))
            sent += 1
    return sent


@pytest.mark.parametrize("z_f", [0, 1])
@pytest.mark.parametrize("n_node", [1, 8])
@pytest.mark.parametrize("t", [1, 4])
def test_a_block_reduces_twice_each_way_and_each_message_has_a_start(
    t: int, n_node: int, z_f: int
) -> None:
    v = awkward(t=t, t_e=1, n=48 * t, n_node=n_node, z_s=0, z_f=z_f)
    passes = ["forward", *["forward again"] * z_f, "backward"]
    starts = bytes_sent = Fraction(0)
    start = v["alpha_1"] if t <= n_node else v["alpha_2"]
    for _, _ in product(passes, ("attention", "feed-forward")):
        for _ in range(ring_messages(t, "all-reduce")):
            bytes_sent += v["T_r"] * v["D"] * v["a"] / t
            starts += start
    assert v["V_t"] == bytes_sent
    assert v["T_t"] == (1 - v["h_t"]) * (bytes_sent / v["W_t"] + starts)


@pytest.mark.parametrize("z_f", [0, 1])
@pytest.mark.parametrize("z_s", [0, 1])
def test_a_block_without_attention_sends_for_its_feed_forward_alone(z_s: int, z_f: int) -> None:
    v = awkward(z_h=0, L_E=0, z_s=z_s, z_f=z_f)
    passes = ["gather", "scatter"] * (2 + z_f) + ["gather again"] * z_s
    rounds = len(passes) * ring_messages(int(v["t"]), "all-gather")
    assert v["V_t"] == rounds * v["T_r"] / v["t"] * v["D"] * v["a"]
    assert v["T_t"] == (1 - v["h_t"]) * (v["V_t"] / v["W_t"] + rounds * v["alpha_1"])


def passes_of_a_block(z_s: int, z_f: int, alone: bool) -> list[tuple[str, str]]:
    """Where the ring passes of a block lie, each a gather or a scatter.

    `alone`: its feed-forward is routed experts, to which a rank sends the tokens that it has already.
    """
    forward = [("before", "gather")] * z_s + [("behind", "gather")] * (1 - z_s) + [("behind", "scatter")]
    elsewhere = [("feed-forward", "gather"), ("feed-forward", "scatter")]
    backward = [("before", "scatter"), ("behind", "gather")] if z_s else [("before", "gather")]
    backward += [] if z_s else [("before", "scatter")]
    regathered = [("before", "gather"), ("feed-forward", "gather")] * z_s
    passes = (forward + elsewhere) * (1 + z_f) + backward + elsewhere + regathered
    return [one for one in passes if one[0] != "feed-forward" or not (alone and z_s)]


@pytest.mark.parametrize("z_f", [0, 1])
@pytest.mark.parametrize("z_s", [0, 1])
@pytest.mark.parametrize(
    "changed",
    [{}, LATENT, LATENT_KEYS, {"E_s": 0}, {"E_s": 0, "L_E": 14}, {"E_s": 0, "L_E": 0},
     {**LATENT, "E_s": 0}],
)  # fmt: skip
def test_what_goes_round_before_attention_is_what_its_heads_start_from(
    changed: Mapping[str, Letter], z_s: int, z_f: int
) -> None:
    v = awkward(**changed, z_s=z_s, z_f=z_f)
    start = [v["r_q"] or v["D"], v["r_kv"], v["d_r"]] if v["r_kv"] else [v["D"]]
    values, sent = Fraction(0), 0
    for number in range(int(v["L"])):
        for place, _ in passes_of_a_block(z_s, z_f, alone=number < v["L_E"] and not v["E_s"]):
            chunk = v["T_r"] / v["t"] * (sum(start) if place == "before" else v["D"])
            values += chunk * ring_messages(int(v["t"]), "all-gather")
            sent += ring_messages(int(v["t"]), "all-gather")
    assert v["V_t"] == values * v["a"] / v["L"]
    assert v["T_t"] == (1 - v["h_t"]) * (v["V_t"] / v["W_t"] + sent * v["alpha_1"] / v["L"])


@pytest.mark.parametrize("z_f", [0, 1])
@pytest.mark.parametrize("changed", [{"z_h": 0}, {"K": 2}, {"K": 8}, {"K": 8, "t": 1, "z_s": 0}, LATENT])
@pytest.mark.parametrize("c", [1, 3])
def test_keys_and_values_go_round_before_each_pass_and_their_gradients_once(
    c: int, changed: Mapping[str, Letter], z_f: int
) -> None:
    v = awkward(**{"t": 4, **changed, "c": c, "n": 192, "t_e": 1, "e": 1, "z_f": z_f})
    heads, ranks = int(v["K"]), int(v["t"])
    holders = {head * ranks // heads for head in range(heads)}  # ranks on which some head begins
    each = Fraction(heads, len(holders)) * v["T_r"] if v["z_h"] else Fraction(0)
    gather, scatter = (ring_messages(c, what) for what in ("all-gather", "reduce-scatter"))
    sent = Fraction(0)
    for columns in (v["d_n"] + v["d_r"], v["d_v"]) if v["r_kv"] else (v["d_h"], v["d_h"]):
        for _ in ["forward", *["forward again"] * z_f, "backward"]:  # a rank keeps only its own
            sent += each * columns * v["a"] * gather
        sent += each * columns * v["a"] * scatter
    assert v["V_c"] == sent
    assert v["T_link"] == v["T_t"] + sent / v["W_c"] + v["T_e"]


def copies_sent(ranks: int, tokens: int, visited: int) -> Counter[int]:
    """Copies of its tokens that rank 0 sends to each rank, itself left out; routing is even."""
    sent: Counter[int] = Counter()
    for copy in range(tokens * visited * ranks):
        sent[copy % ranks] += 1
    del sent[0]
    return sent


def ways_of_tokens(v: Values) -> list[str]:
    """How often the tokens of all blocks with experts go to these or come from them."""
    there_and_back = {"backward": ["gradients of answers", "gradients of tokens"]}
    runs = ["forward", *["forward again"] * int(v["z_f"]), "backward"]
    return [way for run in runs for way in there_and_back.get(run, ["out", "home"])] * int(v["L_E"])


@each("z_f", [0, 1])
@each("e, n_node", [(1, 8), (2, 8), (8, 8), (8, 16), (2, 1)])
@each("changed", [{}, {"L_E": 14}, {"L_E": 0}, {"z_s": 0}])
def test_copies_of_tokens_go_to_their_experts_and_back_each_message_with_its_start(
    changed: dict[str, Letter], e: int, n_node: int, z_f: int
) -> None:
    v = awkward(e=e, z_f=z_f, n_node=n_node, **changed)
    to_others = copies_sent(e, 1, int(v["k_E"]))
    copies = Fraction(sum(to_others.values()), e)  # of a token, on the mean
    start = v["alpha_1"] if e == 1 or e * v["t_e"] <= n_node else v["alpha_2"]
    sent = starts = Fraction(0)
    for _ in ways_of_tokens(v):
        sent += v["lambda"] * own_tokens(v) * copies * v["D"] * v["a"]
        starts += start * len([other for other in range(e) if other != 0])
    assert v["V_e"] == sent / v["L"]
    assert v["T_ea"] == sent / v["L"] / v["W_e"] + starts / v["L"]


@each("z_f", [0, 1])
@each("n_node", [2, 8])
@each("z_s", [0, 1])
@each("t, t_e", [(4, 1), (4, 2), (4, 4), (2, 4), (1, 2), (1, 4)])
def test_ranks_that_split_an_expert_gather_what_each_was_sent_and_reduce_what_they_answer(
    t: int, t_e: int, z_s: int, n_node: int, z_f: int
) -> None:
    v = awkward(t=t, t_e=t_e, z_s=z_s if t > 1 else 0, n_node=n_node, z_f=z_f)
    start = v["alpha_1"] if t_e <= n_node else v["alpha_2"]
    sent = starts = Fraction(0)
    for _ in ways_of_tokens(v):  # a gather, or the reduction that goes round as often
        for _ in range(ring_messages(parts_gathered(v), "all-gather")):
            sent += v["lambda"] * v["k_E"] * own_tokens(v) * v["D"] * v["a"]
            starts += start
    assert v["V_te"] == sent / v["L"]
    assert v["T_et"] == sent / v["L"] / v["W_te"] + starts / v["L"]
    assert v["T_e"] == v["T_ea"] + v["T_et"]


def sent_of_a_parameter(v: Values, ranks: int, copies: int) -> Fraction:
    """A step run on as many ranks: bytes a rank sends for each parameter it computes with."""
    stage = int(v["z_1"] + v["z_2"] + v["z_3"])
    step = training_step(ranks, copies, int(v["m"]), {2: ZERO_2, 3: ZERO_3}.get(stage, ZERO_1))
    gathered = v["w"] if stage else v["g"]  # plain replicas gather the reduced gradients instead
    return step.gathered * gathered + (step.scattered + step.all_reduced) * v["g"]


@pytest.mark.parametrize("stage", [0, 1, 2, 3])
@pytest.mark.parametrize(("n", "n_r"), [(96, 1), (96, 2), (96, 3), (192, 2), (48, 3)])
def test_a_step_of_replicas_sends_what_the_fullest_rank_s_parameters_need(
    n: int, n_r: int, stage: int
) -> None:
    v = awkward(n=n, n_r=n_r, b=8 * n // 16, b_m=1, v=1, **flags_of_zero(stage))
    ranks = int(v["N"])
    assert v["V_d"] == sent_of_a_parameter(v, ranks, n_r) * v["P_top"]
    assert v["V_x"] == sent_of_a_parameter(v, int(v["d_e"]), 1) * v["E_top"]


def passes_of_a_step(v: Values, stage: int) -> list[str]:
    """Every time that all of a rank's gradients or weights go round."""
    microbatches = int(v["m"])
    return {
        0: ["all-reduce"], 1: ["reduce-scatter", "all-gather"],
        2: ["reduce-scatter"] * microbatches + ["all-gather"],
        3: ["all-gather", "all-gather", "reduce-scatter"] * microbatches,
    }[stage]  # fmt: skip


def start_of(v: Values, ring: list[int], collective: str) -> Fraction:
    """Starts of messages, one after the other: along the ring, or up a tree of nodes and down again."""
    nodes = [rank // int(v["n_node"]) for rank in ring]
    if collective != "all-reduce":
        return sum((v["alpha_1"] if one == other else v["alpha_2"] for one, other in pairwise(nodes)),
                   Fraction(0))  # fmt: skip
    most, roots, rounds = max(Counter(nodes).values()), sorted(set(nodes)), 0
    while len(roots) > 1:
        roots, rounds = roots[::2], rounds + 1
    return 2 * ((most - 1) * v["alpha_1"] + rounds * v["alpha_2"])


def rings(v: Values, axis: str) -> list[list[int]]:
    """The ranks of each ring; of those at one place of the mesh, every copy has one of its own."""
    size = int(v[{"d": "N", "x": "d_e"}[axis]])
    return [group[i : i + size] for group in groups(v, axis) for i in range(0, len(group), size)]


SENDING: list[dict[str, Letter]] = [
    {}, {"n_node": 1}, {"n_node": 16}, {"n_node": 192}, {"c": 1}, {"t": 1, "t_e": 1, "z_s": 0, "n": 96},
    {"o_d": 0, "c": 2}, {"o_d": 0, "n_node": 96}, {"E": 0, "k_E": 0, "E_s": 0, "L_E": 0},
    {"n_r": 2, "n_node": 2}, {"L_E": 14},
]  # fmt: skip


@each("stage", [0, 1, 2, 3])
@each("chunks", [1, 2])
@each("changed", SENDING)
def test_every_piece_that_goes_round_starts_message_by_message(
    changed: dict[str, Letter], chunks: int, stage: int
) -> None:
    v = awkward(**{"n": 192, "b": 96, "b_m": 1, "v": chunks, **changed}, **flags_of_zero(stage))
    blocks = max(deal_blocks(int(v["L"]), int(v["p"]), chunks))
    with_experts = max(v[f"X_{name}"] for name in ("first", "mid", "turn", "rich", "last"))
    pieces = {"d": Fraction(blocks), "x": with_experts}
    if chunks > 1 and stage < 3:
        pieces = {"d": Fraction(chunks), "x": min(Fraction(chunks), with_experts)}
    spent = v["V_d"] / v["W_d"] + v["V_x"] / v["W_x"]
    for axis, collective in product(pieces, passes_of_a_step(v, stage)):
        spent += pieces[axis] * max(start_of(v, ring, collective) for ring in rings(v, axis))
    if v["n_r"] == 2:  # all-reduced between two copies on two nodes: there and back
        spent += pieces["d"] * 2 * v["alpha_2"]
    assert v["T_d"] == spent
    waits = sum(flow.starts for flow in flows(v) if flow.axis.endswith("data"))
    assert waits == spent - v["V_d"] / v["W_d"] - v["V_x"] / v["W_x"]


def test_the_starts_of_thousands_of_ranks_outweigh_their_bytes() -> None:
    links = {"W_1": 10**9, "W_2": 10**9, "n_pod": 10**6}
    few, many = (awkward(**flags_of_zero(3), n=48 * d, b=d, b_m=1, v=1, **links) for d in (4, 1024))
    bytes_alone = [v["V_d"] / v["W_d"] + v["V_x"] / v["W_x"] for v in (few, many)]
    assert few["T_d"] < 2 * bytes_alone[0]
    assert many["T_d"] > 2 * bytes_alone[1]


@pytest.mark.parametrize("stage", [0, 1, 2, 3])
@pytest.mark.parametrize("e", [2, 8])
def test_under_dualpipe_all_ranks_that_hold_a_stage_share_what_it_holds_and_sends(
    e: int, stage: int
) -> None:
    v = awkward(n=192, e=e, v=1, z_bi=1, b=64, b_m=1, **flags_of_zero(stage))
    assert v["x_bi"] == 1
    for axis, ranks, letters, sent, held in (
        ("d", v["N"], ("n_o", "n_g", "n_w"), v["V_d"], v["P_top"]),
        ("x", v["d_e"], ("n_oe", "n_ge", "n_we"), v["V_x"], v["E_top"]),
    ):
        assert {len(group) for group in groups(v, axis)} == {ranks}
        sharing = {1 + (ranks - 1) * (stage > place) for place in range(3)}
        assert {v[letter] for letter in letters} == sharing
        assert sent == sent_of_a_parameter(v, int(ranks), 1) * held


def test_one_copy_of_an_expert_has_nobody_to_send_to() -> None:
    v = awkward(n=48, e=12, E=12, t_e=1, p=4, c=3, t=4, b=24, b_m=1)
    assert v["d_e"] == 1
    assert v["V_x"] == 0


@pytest.mark.parametrize(("n", "n_node"), [(192, 8), (24, 48), (96, 8)])
def test_a_boundary_is_one_message_of_a_rank_s_share_of_tokens(n: int, n_node: int) -> None:
    layout = {"c": 1, "p": 2, "t": 4, "t_e": 2, "n": n, "n_node": n_node, "n_pod": 10**6}
    v = awkward(**layout)
    stage_of = [rank * int(v["p"]) // n for rank in range(n)]
    neighbours = [(one, one + stage_of.count(0)) for one in range(stage_of.count(0))]
    apart = any(one // n_node != other // n_node for one, other in neighbours)
    tokens = v["T_r"] / v["t"]
    start = v["alpha_2"] if apart else v["alpha_1"]
    assert v["T_hop"] == start + tokens * v["D"] * v["a"] / v["W_p"]
