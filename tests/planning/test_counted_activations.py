"""What a block keeps for its backward, tensor by tensor, and what a rank holds over a step."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

import pytest
from awkward import LATENT, LATENT_KEYS, Letter, Values, awkward, flags_of_zero, parts_gathered

from workings.simulate.peak import Order, interleaved_order, one_f_one_b_order


@dataclass
class Kept:
    """Bytes kept by a rank, a tensor after the other."""

    tokens: Fraction
    whole_on: int  # ranks that share what tensor parallelism leaves whole
    split_on: int
    width: Fraction
    bytes: Fraction = field(default_factory=Fraction)

    def whole(self, *columns: Fraction | int) -> None:
        """Tensors outside the products that are split."""
        for one in columns:
            self.bytes += self.tokens / self.whole_on * one * self.width

    def split(self, *columns: Fraction | int, width: Fraction | int | None = None) -> None:
        """Tensors between them, each rank with its columns (or its tokens)."""
        for one in columns:
            self.bytes += self.tokens / self.split_on * one * (self.width if width is None else width)

    def heads(self, heads: Fraction, columns: Fraction) -> None:
        """Keys or values: a rank holds a whole head at least."""
        mine = {head * self.split_on // int(heads) for head in range(int(heads))}
        each = heads / len(mine) if len(mine) == self.split_on else 1
        self.bytes += self.tokens * each * columns * self.width


def kept_by_block(v: Values, experts: bool) -> Fraction:
    """A block run from its input on; each operation keeps what its derivative needs."""
    ranks = int(v["t"])
    kept = Kept(v["T_r"], ranks if v["z_s"] else 1, ranks, v["a"])
    for _ in range(int(v["n_n"])):
        kept.whole(v["D"])  # a norm keeps its input
    if v["z_h"]:
        kept.whole(v["D"])  # queries, keys and values are products of one input
        scored = v["d_n"] + v["d_r"] if v["r_kv"] else v["d_h"]
        shared = v["d_v"] if v["r_kv"] else v["d_h"]
        kept.split(v["H"] * scored)
        kept.heads(v["K"], scored)
        if v["n_qk"]:  # norms of queries and of keys keep their inputs
            kept.split(v["H"] * scored)
            kept.heads(v["K"], scored)
        kept.heads(v["K"], shared)
        kept.split(v["H"] * shared)  # its output, which the projection keeps
        kept.split(v["H"], width=4)  # row sums
    if v["r_kv"]:
        kept.whole(v["r_q"], v["r_kv"] + v["d_r"])  # what the norms of latents take from
        kept.whole(v["r_q"], v["r_kv"])  # and what the ways up multiply
    if not experts:
        kept.whole(v["D"])  # input of the feed-forward
        kept.split(*hidden(v, v["F"]))
        return kept.bytes
    kept.whole(v["D"])
    kept.split(v["E"], width=4)  # the router's probabilities
    for copies in [Fraction(1)] * int(v["k_E"]):
        received = copies * v["lambda"]
        kept.split(*[received * v["D"]] * parts_gathered(v))
        kept.split(*(received * one for one in hidden(v, v["F_E"])))
        kept.split(received, width=4)  # how much the answer counts
    for _ in range(int(v["E_s"])):
        kept.split(*hidden(v, v["F_E"]))
    return kept.bytes


def hidden(v: Values, columns: Fraction) -> list[Fraction]:
    """What enters the activation function, and what the last matrix multiplies."""
    before = [columns] * (int(v["n_f"]) - 1 if v["z_g"] else int(v["n_f"]) - 2)
    return [*before, columns]


def scores(v: Values) -> Fraction:
    """Softmax, mask and dropped-out softmax of the attention: two bytes, one and two for each score."""
    if v["z_a"] or not v["z_h"]:
        return Fraction(0)
    return v["T_r"] * v["s"] * v["H"] / v["t"] * sum((2, 1, 2))


BLOCKS: list[Mapping[str, Letter]] = [
    {}, {"z_s": 0}, {"K": 8}, {"z_h": 0}, {"n_f": 2, "L_E": 0}, {"L_E": 14}, {"E_s": 0},
    {"z_g": 0, "n_f": 2, "L_E": 0}, {"t": 1, "t_e": 1, "n": 48, "z_s": 0},
    LATENT, LATENT_KEYS,
]  # fmt: skip


@pytest.mark.parametrize("changed", BLOCKS)
def test_a_block_keeps_what_its_operations_need(changed: Mapping[str, Letter]) -> None:
    v = awkward(**changed)
    assert v["A_whole"] == kept_by_block(v, experts=False)
    if v["z_g"]:  # experts have an activation function
        assert v["A_whole_x"] == kept_by_block(v, experts=True)


@pytest.mark.parametrize("z_h", [0, 1])
@pytest.mark.parametrize("z_a", [0, 1])
def test_scores_are_kept_where_attention_is_not_fused(z_a: int, z_h: int) -> None:
    v = awkward(z_a=z_a, z_h=z_h)
    assert v["A_core"] == scores(v)
    assert v["A_kept"] == kept_by_block(v, experts=False) + scores(v)
    assert v["A_kept_x"] == kept_by_block(v, experts=True) + scores(v)


@pytest.mark.parametrize("z_s", [0, 1])
@pytest.mark.parametrize("again", ["nothing", "core", "all", "all, core"])
def test_what_is_computed_again_is_held_for_one_block_only(again: str, z_s: int) -> None:
    v = awkward(z_a=0, z_s=z_s, z_c=int("core" in again), z_f=int("all" in again))
    inputs = v["T_r"] * v["D"] * v["a"]
    shared, core = inputs / v["t"] if z_s else inputs, scores(v)
    gathered, which = inputs if z_s else 0, again.split(",", maxsplit=1)[0]
    for kind in ("", "_x"):
        block = kept_by_block(v, experts=kind == "_x")
        kept = {"nothing": block + core, "core": block, "all": shared}
        fresh = {"nothing": Fraction(0), "core": core, "all": block + core - shared}  # its input was kept
        assert v[f"A_kept{kind}"] == kept[which]
        assert v[f"A_again{kind}"] == fresh[which] + gathered
    # The last of 4 stages has blocks of both kinds, the first has dense ones alone.
    assert v["A_rlast"] == sorted([v["A_again"], v["A_again_x"]])[-1]
    assert v["A_rfirst"] == v["A_again"] != v["A_again_x"] or which != "all"


def test_the_head_keeps_the_norm_s_input_its_own_and_the_logits() -> None:
    v = awkward()
    each = v["T_r"] / v["t"]
    assert v["A_head"] == each * v["D"] * v["a"] + each * v["D"] * v["a"] + each * v["V"] * v["w_l"]
    assert v["G_head"] == each * v["V"] * v["w_d"]


def backward_of_units(units: int, ahead: int, weights: Fraction, gradient: Fraction) -> Fraction:
    """An FSDP backward, unit by unit: gathered ahead, computed, its gradient reduced, freed."""
    held: set[tuple[str, int]] = set()
    size = {"weights": weights, "gradient": gradient}
    peak = Fraction(0)
    for unit in reversed(range(units)):
        held |= {("weights", one) for one in range(unit, max(-1, unit - ahead - 1), -1)}
        held.add(("gradient", unit))
        peak = max(peak, sum((size[kind] for kind, _ in held), Fraction(0)))
        held -= {("weights", unit), ("gradient", unit)}
    assert not held
    return peak


@pytest.mark.parametrize("ahead", [0, 1, 3])
@pytest.mark.parametrize("changed", [{"V": 1}, {"V": 1, "L_E": 14}, {"V": 10**6}])
def test_units_are_gathered_for_the_block_at_work_and_those_ahead(
    ahead: int, changed: dict[str, int]
) -> None:
    v = awkward(**changed, **flags_of_zero(3), k_u=ahead)
    dense, experts = v["P_db"], v["P_eb"] + v["P_re"]
    for stage, table in (("first", v["P_tab"]), ("mid", 0), ("last", v["P_tab"])):
        kinds = [dense] * (v[f"L_{stage}"] > v[f"X_{stage}"]) + [experts] * (v[f"X_{stage}"] > 0)
        unit = sorted([*kinds, table])[-1]
        assert v[f"B_{stage}"] == backward_of_units(5, ahead, v["w"] * unit, v["g"] * unit)


@pytest.mark.parametrize(("v", "x_turn"), [(1, 0), (2, 0), (1, 1), (2, 1)])
@pytest.mark.parametrize("changed", [{"V": 1}, {"V": 10**6}])
def test_with_zero_2_the_whole_gradient_of_what_is_at_work_is_held_until_it_is_reduced(
    changed: dict[str, int], v: int, x_turn: int
) -> None:
    found = awkward(**changed, **flags_of_zero(2), v=v, L=24, x_turn=x_turn)
    of_a_block = {False: found["P_db"], True: found["P_eb"] + found["P_re"]}
    with_experts = [number >= 24 - found["L_E"] for number in range(24)]
    size = 24 // int(found["p"]) // v
    for stage, place in (("first", 0), ("mid", 1), ("last", int(found["p"]) - 1)):
        starts = [(turn * int(found["p"]) + place) * size for turn in range(v)]
        chunks = [with_experts[start : start + size] for start in starts]
        units = [of_a_block[kind] for chunk in chunks for kind in chunk]  # one at a time, or of a chunk
        for chunk in chunks if v > 1 and x_turn else []:
            units.append(sum((of_a_block[kind] for kind in chunk), Fraction(0)))
        units += [found["P_tab"]] * (stage != "mid")
        assert found[f"B_{stage}"] == found["g"] * sorted(units)[-1]
    before = awkward(**changed, **flags_of_zero(1), v=v, L=24)
    assert {before[f"B_{stage}"] for stage in ("first", "mid", "last")} == {0}


def held_over_a_step(v: Values, name: str, stage: int, order: Order) -> dict[str, Fraction]:
    """The most a stage's rank holds at each moment, its tasks run one after the other."""
    blocks = v["L_first"] if name == "first" else v["L_last"] if name == "last" else v["L_mid"]
    kept = (blocks - v[f"X_{name}"]) * v["A_kept"] + v[f"X_{name}"] * v["A_kept_x"]
    fixed = v[f"S_{name}"] + v["M_ctx"] + v["M_comm"] + v["M_work"]
    ends_here, per_task = stage == v["p"] - 1, kept / v["v"]
    waste, held = 1 + v["x_frag"], Fraction(0)
    logits = [v["A_head"], v["G_head"]] if ends_here else [0, 0]
    forward = backward = Fraction(0)
    for before, task in pairwise([order[0], *order]):
        if task.phase == "F":
            held += per_task
            forward = max(forward, held + logits[0])
        else:
            at_work = held + v[f"A_r{name}"] + v[f"B_{name}"] + sum(logits)
            backward = max(backward, at_work) if before.phase == "F" else backward
            held -= per_task
    step = v["w_t"] * (1 - v["x_off"]) * (v[f"P_{name}"] / v["n_o"] + v[f"E_{name}"] / v["n_oe"])
    return {"0": fixed, "f": fixed + waste * forward, "b": fixed + waste * backward, "s": fixed + step}


@pytest.mark.parametrize(("w_t", "x_off"), [(0, 0), (10**7, 0), (10**8, Fraction(1, 3))])
@pytest.mark.parametrize(("p", "v"), [(4, 1), (4, 2), (2, 2), (3, 1)])
def test_a_rank_s_memory_is_followed_task_by_task(p: int, v: int, w_t: int, x_off: Letter) -> None:
    letters = {"p": p, "v": v, "n": 48 * p, "b": 8 * p * 3, "L": 2 * p * v, **flags_of_zero(3)}
    found = awkward(**letters, z_c=1, z_a=0, b_m=3, t_e=2, w_t=w_t, x_off=x_off, n_r=2)
    most = []
    between = [("mid", 1), *((n, int(found[f"i_{n}"])) for n in ("turn", "rich"))] if p > 2 else []
    for name, stage in [("first", 0), ("last", p - 1), *between]:
        m = int(found["m"])
        order = interleaved_order(p, stage, m, v) if v > 1 else one_f_one_b_order(p, stage, m)
        moments = held_over_a_step(found, name, stage, order)
        assert {moment: found[f"M_{moment}{name}"] for moment in moments} == moments
        assert found[f"M_{name}"] == sorted(moments.values())[-1]
        most.append(found[f"M_{name}"])
    assert found["M"] == sorted(most)[-1]
    assert found["u_M"] * found["M_dev"] == found["M"]
    if p == 2:
        assert {found[f"M_{moment}mid"] for moment in "0fbs"} == {0}


@pytest.mark.parametrize(
    ("stage", "changed"),
    [
        ("first", {"n_pos": 10**7}),
        ("mid", {"V": 1, "b": 12, "z_1": 0}),
        ("last", {"V": 10**6, "n_pos": 0}),
    ],
)
def test_the_fullest_rank_may_be_of_any_stage(stage: str, changed: dict[str, Letter]) -> None:
    v = awkward(**changed)
    assert v["M"] == v[f"M_{stage}"]
    assert all(v["M"] > v[f"M_{other}"] for other in ("first", "mid", "last") if other != stage)


def test_a_single_stage_holds_logits_and_state_at_once() -> None:
    v = awkward(p=1, v=1, n=48, z_3=1, z_2=1, z_1=1)
    order = one_f_one_b_order(1, 0, int(v["m"]))
    for name in ("first", "last"):
        waste = 1 + v["x_frag"]
        blocks = (v["L"] - v["L_E"]) * v["A_kept"] + v["L_E"] * v["A_kept_x"]
        fixed = v[f"S_{name}"] + v["M_ctx"] + v["M_comm"] + v["M_work"]
        assert order[0].phase == "F"
        assert v[f"M_f{name}"] == fixed + waste * (blocks + v["A_head"])
        at_work = v[f"A_r{name}"] + v[f"B_{name}"] + v["G_head"]
        assert v[f"M_b{name}"] == v[f"M_f{name}"] + waste * at_work


@pytest.mark.parametrize("changed", [{}, {"V": 1, "w_g": 64}, {"z_f": 1, "w_g": 64}, {"V": 10**6}])
def test_gradients_that_are_not_kept_come_as_activations_go(changed: dict[str, Letter]) -> None:
    v = awkward(**{"p": 1, "v": 1, "n": 144, "b": 8, "b_m": 1, "t": 6, "L_E": 0, "z_k": 0, **changed})
    assert v["m"] == 1
    blocks, waste = int(v["L"]), 1 + v["x_frag"]
    fixed = v["S_last"] - v["S_glast"] + v["M_ctx"] + v["M_comm"] + v["M_work"]
    moments = []
    for done in range(blocks):
        held = (blocks - done) * v["A_kept"] + v["A_rlast"] + v["B_last"]
        held += v["A_head"] + v["G_head"] if not done else 0
        moments.append(waste * held + v["S_glast"] * done / blocks)
    most = fixed + sorted(moments)[-1]
    assert most <= v["M_blast"] <= most + v["S_glast"] / blocks
    assert v["M_0last"] == fixed
    kept = awkward(**{"p": 1, "v": 1, "n": 144, "b": 8, "b_m": 1, "t": 6, "L_E": 0, **changed})
    assert v["M_slast"] == kept["M_slast"]
    assert v["M_blast"] < kept["M_blast"]


def test_gradients_of_earlier_micro_batches_are_there_whether_kept_or_not() -> None:
    kept, freed = awkward(), awkward(z_k=0)
    assert kept["m"] > 1
    assert [kept[f"M_{s}"] for s in ("first", "mid", "last")] == [
        freed[f"M_{s}"] for s in ("first", "mid", "last")
    ]


@pytest.mark.parametrize("parts", [1, 3, 8])
def test_logits_of_one_part_are_there_at_a_time(parts: int) -> None:
    v = awkward(n_l=parts)
    tokens = [v["T_r"] / parts] * parts
    logits = [part * v["V"] * v["w_l"] / v["t"] for part in tokens]
    gradients = [part * v["V"] * v["w_d"] / v["t"] for part in tokens]
    assert v["A_head"] - 2 * v["a"] * v["D"] * v["T_r"] / v["t"] == sorted(logits)[-1]
    assert v["G_head"] == sorted(gradients)[-1]
