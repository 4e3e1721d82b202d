"""Parameters and model state of ranks, counted tensor by tensor and rank by rank."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

import pytest
from awkward import (
    LATENT,
    LATENT_KEYS,
    Letter,
    Tensor,
    Values,
    awkward,
    blocks,
    deal_blocks,
    flags_of_zero,
    mesh,
)

from workings.simulate.rank_tensors import Mesh, deal
from workings.simulate.weights import Architecture

STAGES = ("first", "mid", "last")
EVERY = (*STAGES, "turn", "rich")


def parameters(v: Values, *, routed: bool) -> Iterator[Tensor]:
    """Every tensor of the model's blocks, in routed experts or outside them."""
    yield from (tensor for tensors in blocks(v) for tensor in tensors if tensor.routed is routed)


def of_a_rank(v: Values, numbers: Iterable[int]) -> Fraction:
    """What a rank holds of some blocks outside routed experts."""
    kinds, held = blocks(v), Fraction(0)
    for number in numbers:
        held += sum((one.on_a_rank(v["t"]) for one in kinds[number] if not one.routed), Fraction(0))
    return held


def tables(v: Values, *, first: bool, last: bool) -> int:
    """What a rank holds outside blocks on a stage; a head tied to the embedding elsewhere is a copy."""
    rows = len(range(0, int(v["V"]), int(v["t"])))  # of the rank with most
    words, found = rows * int(v["D"]), 0
    if first:
        found += words + int(v["n_pos"] * v["D"])
    if last:
        found += int(v["n_nf"] * v["D"]) * (1 + int(v["beta_n"]))
        found += words if v["n_emb"] == 2 or not first else 0
    return found


def numbers_by_stage(v: Values) -> dict[str, list[int]]:
    """The numbers of the blocks on the first, the second and the last stage."""
    mesh = Mesh(pp=int(v["p"]), virtual=int(v["v"]))
    dealt = deal(Architecture(d_model=1, blocks=int(v["L"])), mesh)
    return {"first": dealt[0], "last": dealt[-1], "mid": dealt[1] if len(dealt) > 2 else []}


SHAPES: list[Mapping[str, Letter]] = [
    {}, {"z_h": 0}, {"beta_n": 0, "n_qk": 0, "beta_o": 0}, {"beta_qkv": 0, "beta_r": 0}, {"n_f": 2},
    {"L_E": 0, "beta_f": 0}, {"L_E": 14, "E_s": 0, "beta_s": 0}, {"p": 2, "n": 96}, {"n_emb": 1},
    LATENT, LATENT_KEYS, {"n_nf": 0},
]  # fmt: skip


@pytest.mark.parametrize("changed", SHAPES)
def test_a_stage_holds_its_blocks_and_tables_in_equal_parts(changed: Mapping[str, Letter]) -> None:
    v = awkward(**changed)
    dealt = deal_blocks(int(v["L"]), int(v["p"]), int(v["v"]))
    held = {"first": dealt[0], "last": dealt[-1], "mid": dealt[1] if len(dealt) > 2 else 0}
    assert v["P_bd"] * v["L"] == sum(one.values for one in parameters(v, routed=False))
    assert v["P_be"] * v["L"] == sum(one.values for one in parameters(v, routed=True))
    of_experts = sum(one.values for one in blocks(v)[-1] if one.routed)
    for stage, numbers in numbers_by_stage(v).items():
        assert v[f"L_{stage}"] == held[stage] == len(numbers)
        outside = tables(v, first=stage == "first", last=stage == "last")
        assert v[f"P_{stage}"] == of_a_rank(v, numbers) + outside
        with_experts = len([number for number in numbers if number >= v["L"] - v["L_E"]])
        assert v[f"E_{stage}"] * v["t_e"] * v["e"] == with_experts * of_experts


@pytest.mark.parametrize("n_emb", [1, 2])
def test_a_single_stage_holds_the_whole_model(n_emb: int) -> None:
    v = awkward(p=1, v=1, n=48, n_emb=n_emb)
    assert v["L_first"] == v["L_last"] == v["L"]
    assert v["L_mid"] == 0
    whole = of_a_rank(v, range(int(v["L"])))
    assert v["P_top"] == v["P_last"] == whole + tables(v, first=True, last=True)
    norm = v["n_nf"] * v["D"] * (1 + v["beta_n"])
    assert v["P_first"] == v["P_last"] - norm  # the norm is counted once


@pytest.mark.parametrize(
    ("count", "p", "v"),
    [(1, 1, 1), (7, 2, 1), (13, 4, 1), (15, 4, 1), (126, 16, 8), (96, 8, 2), (29, 5, 3), (10, 3, 2),
     (5, 4, 1), (9, 8, 1)],
)  # fmt: skip
def test_blocks_too_few_for_equal_chunks_are_missing_at_the_ends(count: int, p: int, v: int) -> None:
    found, dealt = awkward(L=count, L_E=0, p=p, v=v, n=48 * p), deal_blocks(count, p, v)
    assert [found["L_first"], found["L_last"]] == [dealt[0], dealt[-1]]
    if p > 2:
        assert {found["L_mid"]} == set(dealt[1:-1])


@pytest.mark.parametrize("n_r", [1, 2])
@pytest.mark.parametrize("n", [48, 192])
def test_ranks_that_hold_the_same_are_those_at_one_place_of_the_mesh(n: int, n_r: int) -> None:
    v = awkward(n=n, n_r=n_r, z_1=1, z_2=1, z_3=1)
    replicas = Counter((r["t"], r["c"], r["p"]) for r in mesh(v, "t", "c", "d", "p"))
    dense = Counter((r["t"], r["p"]) for r in mesh(v, "t", "c", "d", "p"))
    experts = Counter((r["t_e"], r["e"], r["p"]) for r in mesh(v, "t_e", "e", "d_e", "p"))
    assert sum(dense.values()) == sum(experts.values()) == n
    assert set(replicas.values()) == {v["d"]}
    assert {count / v["n_r"] for count in dense.values()} == {v["N"]}
    assert {v["n_o"], v["n_g"], v["n_w"]} == {v["N"]}
    assert {v["n_oe"], v["n_ge"], v["n_we"]} == set(experts.values()) == {v["d_e"]}


def test_sequences_are_dealt_to_replicas_in_piles() -> None:
    v = awkward()
    sequences = range(int(v["b"]))[:: int(v["d"])]
    piles = [
        sequences[start : start + int(v["b_m"])] for start in range(0, len(sequences), int(v["b_m"]))
    ]
    tokens = [(one, place) for one in piles[0] for place in range(int(v["s"]))]
    assert v["m"] == len(piles)
    assert v["T_r"] == len(tokens[:: int(v["c"])])


@pytest.mark.parametrize("off", [Fraction(0), Fraction(1, 3), Fraction(1)])
@pytest.mark.parametrize("stage", [0, 1, 2, 3])
def test_state_is_held_copy_by_copy_and_shared_from_its_zero_stage_on(stage: int, off: Fraction) -> None:
    v = awkward(**flags_of_zero(stage), x_off=off)
    copies = {"w": [(3, "w_c")], "g": [(2, "w_g")], "o": [(1, "w_p"), (1, "w_o"), (1, "w_o")]}
    for where in STAGES:
        whole = Fraction(0)
        for kind, of_kind in copies.items():
            held = Fraction(0)
            for shared_from, width in of_kind:
                shared = stage >= shared_from
                here = v[width] * (1 - off if kind == "o" else 1)  # the rest lies on the host
                if kind == "w" and stage in (1, 2):  # gathered once a step, and held in this width
                    here = sorted([v["w_c"], v["w"]])[-1]
                held += here * v[f"P_{where}"] / (v["N"] if shared else 1)
                held += here * v[f"E_{where}"] / (v["d_e"] if shared else 1)
            assert v[f"S_{kind}{where}"] == held
            whole += held
        assert v[f"S_{where}"] == whole


def test_the_fullest_stage_is_the_one_with_most() -> None:
    two: dict[str, Letter] = {"p": 2, "n": 96, "v": 1, "L": 7}
    for changed in ({}, {"n_pos": 900}, {"n_nf": 900}, {"V": 1}, two):
        v = awkward(**changed)
        assert v["P_top"] == sorted(v[f"P_{stage}"] for stage in EVERY)[-1]
        assert v["E_top"] == sorted(v[f"E_{stage}"] for stage in EVERY)[-1]


@pytest.mark.parametrize(("stage", "held"), [(0, 0), (1, 13), (2, 13), (3, 0)])
def test_without_a_working_copy_weights_that_are_not_shared_are_held_as_they_were_gathered(
    stage: int, held: int
) -> None:
    v = awkward(**flags_of_zero(stage), w_c=0)
    assert v["w"] == 13
    for where in STAGES:
        assert v[f"S_w{where}"] == held * (v[f"P_{where}"] + v[f"E_{where}"])
