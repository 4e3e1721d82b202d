"""What every stage's ranks hold in the cost model, against every tensor placed on every rank."""

import random
from collections.abc import Mapping
from fractions import Fraction

from awkward import flags_of_zero
from jobs import LLAMA, job

import workings
from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.inputs.jobs import read_job
from workings.planning.letters import STAGES
from workings.scenario import load_scenario, preset_names
from workings.scenario.presets import find
from workings.simulate.rank_tensors import Held, Mesh, block, deal, held_by, on_rank, outside, ranks_of
from workings.simulate.weights import Architecture

Numbers = Mapping[str, int]


def drawn(seed: int) -> dict[str, int]:
    """Letters of a small job: dense or gated, grouped heads or latents, experts behind dense blocks."""
    pick = random.Random(seed)  # noqa: S311 - a test's cases
    t, p, v = pick.choice((1, 2, 4, 8)), pick.choice((1, 2, 3, 4, 6)), pick.choice((1, 1, 2))
    v = v if p > 1 else 1
    d, c = pick.choice((1, 2, 4)), pick.choice((1, 2))
    letters = {
        **{k: int(n) for k, n in LLAMA.items()}, "D": 48, "F": 80, "V": pick.choice((97, 160)), "H": 8,
        "K": pick.choice((2, 4, 8)), "d_h": 6, "n_n": pick.choice((2, 4)), "n_qk": pick.choice((0, 2)),
        "n_pos": pick.choice((0, 11)), "n_emb": pick.choice((1, 2)), "n_f": pick.choice((2, 3)),
        "n_nf": pick.choice((0, 1)), "L": p * v * pick.choice((2, 3)) - pick.choice((0, 1)) * (p > 1),
        **{flag: pick.choice((0, 1)) for flag in ("beta_n", "beta_qkv", "beta_o", "beta_f")},
        "t": t, "c": c, "p": p, "v": v, "n": t * c * d * p, "b": d * p, "b_m": 1, "s": 64, "t_e": t,
        **flags_of_zero(pick.randrange(4)), "w_p": 5, "w_g": 7, "w_o": 11, "w_c": 3, "w": 13, "g": 17,
    }  # fmt: skip
    if pick.random() < 0.7:
        first = pick.randrange(letters["L"])
        ways = [one for one in (1, 2, 4, 8) if c * d % one == 0]
        letters |= {
            "E": 8, "k_E": 2, "F_E": 24, "E_s": pick.choice((0, 1)), "beta_r": pick.choice((0, 1)),
            "beta_s": pick.choice((0, 1)), "e": pick.choice(ways), "L_0": first,
            "L_E": letters["L"] - first,
        }  # fmt: skip
    if letters["E"] and pick.random() < 0.4:
        letters |= {"d_h": 0, "K": 8, "n_qk": 0, "beta_qkv": 0, "beta_o": 0, "r_kv": 10,
                    "r_q": pick.choice((0, 14)), "d_n": 7, "d_r": 3, "d_v": 9}  # fmt: skip
    return letters


def described(n: Numbers) -> Architecture:
    return Architecture(
        d_model=n["D"], d_ff=n["F"], blocks=n["L"], vocab=n["V"], positions=n["n_pos"], heads=n["H"],
        kv_heads=n["K"], head_dim=n["d_h"], norms=n["n_n"], qk_norms=n["n_qk"], final_norms=n["n_nf"],
        embeddings=n["n_emb"], ffn_matrices=n["n_f"], norm_bias=n["beta_n"], qkv_bias=n["beta_qkv"],
        out_bias=n["beta_o"], ffn_bias=n["beta_f"], experts=n["E"] or 1, shared_experts=n["E_s"],
        d_expert=n["F_E"] or 1, router_bias=n["beta_r"], shared_gate=n["beta_s"], q_rank=n["r_q"],
        kv_rank=n["r_kv"], nope_dim=n["d_n"] or 1, rope_dim=n["d_r"] or 1, v_dim=n["d_v"] or 1,
    )  # fmt: skip


def mesh_of(n: Numbers) -> Mesh:
    replicas = n["n"] // (n["t"] * n["c"] * n["p"])
    return Mesh(
        tp=n["t"], cp=n["c"], dp=replicas, pp=n["p"], virtual=n["v"], ep=n.get("e", 1), etp=n["t_e"]
    )


def with_experts(n: Numbers) -> list[bool]:
    places = range(n["L_0"], n["L"], n.get("r_E", 1)) if n["E"] else range(0)
    return [place in places for place in range(n["L"])]


def unit_of_a_stage(n: Numbers, stage: int) -> int:
    """Values of the largest block or table of a stage, as its first rank holds them."""
    a, mesh, kinds = described(n), mesh_of(n), with_experts(n)
    layers = [block(a, experts=kinds[number]) for number in deal(a, mesh)[stage]]
    layers += [[one] for one in outside(a, first=stage == 0, last=stage == n["p"] - 1) if one.units]
    mine = range(n["E"] // n.get("e", 1))
    return max(
        sum(
            on_rank(one, n["t"] if one.expert is None else n["t_e"], 0)
            for one in layer
            if one.expert is None or one.expert in mine
        )
        for layer in layers
    )


def test_every_stage_holds_the_tensors_placed_on_it() -> None:
    shapes = set()
    for seed in range(60):
        n = drawn(seed)
        v = exactly(plan(), job(f"seed {seed}", n).values())
        n |= {"L_0": int(v["L_0"])}
        held = held_by(described(n), mesh_of(n), with_experts(n))
        by_stage: dict[int, set[Held]] = {}
        for rank, one in zip(ranks_of(mesh_of(n)), held, strict=True):
            by_stage.setdefault(rank["pp"], set()).add(one)
        fullest = [max(one) for _, one in sorted(by_stage.items())]
        stages = {"first": 0, "mid": 1, "turn": int(v["i_turn"]), "rich": int(v["i_rich"]), "last": -1}
        for stage, place in stages.items():
            if {"first": 1, "mid": v["x_mid"], "last": 1}.get(stage, v["x_mix"]):
                if stage == "last" or n["p"] > 1:  # a single stage is counted as the last
                    assert [v[f"P_{stage}"], v[f"E_{stage}"]] == [*fullest[place]], (seed, stage)
                    assert v[f"B_{stage}"] == v["w_u"] * unit_of_a_stage(n, place % n["p"]), (seed, stage)
            else:
                assert v[f"M_{stage}"] == 0
        shapes.add((n["p"] > 2, n["E"] > 0, n["r_kv"] > 0, n["t"] > n["K"], n["v"] > 1))
        assert [v["P_top"], v["E_top"]] == [max(column) for column in zip(*fullest, strict=True)]
        state = state_of(v, held, mesh_of(n))
        assert max(v[f"S_{stage}"] for stage in STAGES) == state, seed
    assert len(shapes) > 12


def state_of(v: Mapping[str, Fraction], held: list[Held], mesh: Mesh) -> Fraction:
    """Bytes of the rank that keeps most, each value whole or dealt to those that hold the same."""
    dense, experts = mesh.dp * mesh.cp, mesh.dp * mesh.cp * mesh.tp // (mesh.ep * mesh.etp)
    stage = v["z_1"] + v["z_2"] + v["z_3"]
    alone = stage in (0, 3) or max(dense, experts) == 1  # nothing is gathered
    working = v["w_c"] if alone else max(v["w_c"], v["w"])
    kinds = ((working, 3), (v["w_g"], 2), (v["w_p"] + 2 * v["w_o"], 1))
    kept = []
    for rank in set(held):
        groups = zip(rank, (dense, experts), strict=True)
        shares = (
            width * Fraction(number, group if stage >= shared_from else 1)
            for number, group in groups
            for width, shared_from in kinds
        )
        kept.append(sum(shares, Fraction(0)))
    return max(kept)


# A job whose ranks share nothing but the blocks.
ALONE: Numbers = {
    **drawn(3), "K": 8, "d_h": 6, "r_kv": 0, "r_q": 0, "d_n": 0, "d_r": 0, "d_v": 0, "t": 1, "c": 1,
    "e": 1, "t_e": 1, "E": 8, "k_E": 2, "F_E": 24,
}  # fmt: skip


def test_periods_that_fill_chunks_give_every_stage_as_many_blocks_with_experts() -> None:
    for period, chunks, p in ((2, 1, 4), (3, 2, 2), (2, 2, 4)):
        blocks = p * chunks * period * 2
        n = {**ALONE, "p": p, "v": chunks, "L": blocks, "n": p, "b": p}
        n |= {"r_E": period, "L_0": period - 1, "L_E": blocks // period}
        v = exactly(plan(), job("periods", n).values())
        assert [v[f"X_{stage}"] for stage in ("first", "last")] == [2 * chunks] * 2
        held = held_by(described(n), mesh_of(n), with_experts(n))
        assert v["E_top"] == max(one.routed for one in held)


def test_a_period_that_fills_no_chunk_is_counted_with_the_most_a_chunk_can_hold() -> None:
    # 8 blocks in 4 stages and every third with experts: one on two of the stages, none on the others.
    n = {**ALONE, "p": 4, "v": 1, "L": 8, "n": 4, "b": 4}
    n |= {"r_E": 3, "L_0": 2, "L_E": 2}
    v = exactly(plan(), job("periods", n).values())
    held = held_by(described(n), mesh_of(n), with_experts(n))
    assert v["E_top"] == max(one.routed for one in held)
    assert all(v[f"X_{stage}"] <= 1 for stage in STAGES)


def test_the_planner_and_the_catalogue_say_the_same_of_every_preset() -> None:
    asked = 0
    for name in preset_names("scenarios"):
        job, scenario = read_job(find("scenarios", name)), load_scenario(name)
        if not scenario.values["training.working_width"].value or not job.chosen:
            continue
        widths = {
            letter: scenario.values[f"training.{key}_width"].value for letter, key in WIDTHS.items()
        }
        for stage in (1, 2, 3):
            flags = {letter: Fraction(flag) for letter, flag in flags_of_zero(stage).items()}
            given = {**job.values(), **widths, **flags, "x_off": Fraction(0)}
            v = exactly(plan(), given, [f"S_{stage}" for stage in STAGES])
            ours = workings.value(f"zero-{stage}-state", at=scenario).value
            assert max(v[f"S_{stage}"] for stage in STAGES) == ours, (name, stage)
            asked += 1
    assert asked > 20


WIDTHS = {"w_p": "master", "w_g": "gradient", "w_o": "moment", "w_c": "working", "w": "gather"}
