"""What a rank holds of a scenario, against every tensor placed on every rank."""

import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path

import pytest

import workings
from workings.scenario import Scenario, ScenarioError, load_scenario, preset_names
from workings.simulate.rank_tensors import Held, Mesh, held_by, sharing
from workings.simulate.weights import Architecture

# A model's keys that an architecture has too, and the degrees of a mesh.
_SIZES = Architecture.__dataclass_fields__
_DEGREES = {"virtual": "virtual_stages"} | {n: n for n in ("tp", "cp", "dp", "fsdp", "pp", "ep", "etp")}


def every_rank(scenario: Scenario) -> list[tuple[Held, tuple[int, int]]]:
    """What every rank holds, and with how many it shares both parts."""
    figures = {key: int(one.value) for key, one in scenario.values.items() if one.value.denominator == 1}
    sizes = {n: figures[f"model.{n}"] for n in _SIZES if f"model.{n}" in figures}
    if "heads" not in sizes:  # a feed-forward alone
        sizes |= dict.fromkeys(("embeddings", "norms", "final_norms", "heads"), 0)
    a = Architecture(**sizes)
    mesh = Mesh(**{name: figures[f"layout.{key}"] for name, key in _DEGREES.items()})
    first, period = figures.get("model.moe_from", a.blocks), figures["model.moe_gap"]
    with_experts = [number in range(first, a.blocks, period) for number in range(a.blocks)]
    return list(zip(held_by(a, mesh, with_experts), sharing(mesh), strict=True))


def kept(scenario: Scenario, stage: int, held: Held, ranks: tuple[int, int]) -> Fraction:
    """Bytes of state that a rank keeps: each value whole, or dealt to those that hold the same."""
    bytes_kept = Fraction(0)
    kinds = {"working": 3, "gradient": 2, "master": 1, "moment": 1}
    for kind, shared_from in kinds.items():
        width = scenario.values[f"training.{kind}_width"].value * (2 if kind == "moment" else 1)
        for number, group in zip(held, ranks, strict=True):
            bytes_kept += width * Fraction(number, group if stage >= shared_from else 1)
    return bytes_kept


def drawn(seed: int) -> dict[str, dict[str, int]]:
    """A small model and mesh, no size of which is another's: dense or gated, with experts or latents."""
    pick = random.Random(seed)  # noqa: S311 - a test's cases
    flags = ("norm_bias", "qkv_bias", "out_bias", "ffn_bias")
    tp, pp, virtual = pick.choice((1, 2, 4, 8)), pick.choice((1, 2, 3, 4)), pick.choice((1, 1, 2))
    virtual = virtual if pp > 1 else 1
    model = {
        "d_model": 48, "d_ff": 80, "vocab": pick.choice((97, 160)), "heads": 8,
        "kv_heads": pick.choice((2, 4, 8)), "head_dim": 6, "norms": pick.choice((0, 2, 4)),
        "qk_norms": pick.choice((0, 2)), "positions": pick.choice((0, 11)),
        "embeddings": pick.choice((1, 2)), "ffn_matrices": pick.choice((2, 3)),
        "final_norms": pick.choice((0, 1)),
        "blocks": pp * virtual * pick.choice((1, 2, 3)) + pick.choice((0, 1)),
        **{flag: pick.choice((0, 1)) for flag in flags},
    }  # fmt: skip
    layout = {
        "tp": tp, "pp": pp, "virtual_stages": virtual, "cp": pick.choice((1, 2)),
        "dp": pick.choice((1, 2, 4)), "fsdp": pick.choice((1, 1, 2, 4)),
    }  # fmt: skip
    if pick.random() < 0.6:
        model |= _experts(pick, model)
        inside = tp * layout["cp"] * layout["dp"] * layout["fsdp"]
        layout["etp"] = pick.choice([one for one in (1, tp) if inside % one == 0])
        layout["ep"] = pick.choice([one for one in (1, 2, 4, 8) if inside % (one * layout["etp"]) == 0])
    if "experts" in model and pick.random() < 0.4:
        for key in ("head_dim", "qk_norms", "out_bias", "qkv_bias", "kv_heads"):
            del model[key]
        model |= {"kv_rank": 10, "q_rank": pick.choice((0, 14)), "nope_dim": 7, "rope_dim": 3, "v_dim": 9}
    return {"model": model, "layout": layout}


def _experts(pick: random.Random, model: Mapping[str, int]) -> dict[str, int]:
    blocks, period = model["blocks"], pick.choice((1, 1, 2))
    first = pick.randrange(blocks)
    return {
        "experts": 8, "active_experts": 2, "d_expert": 24, "shared_experts": pick.choice((0, 1)),
        "shared_gate": pick.choice((0, 1)), "router_bias": pick.choice((0, 1)), "moe_gap": period,
        "moe_from": first, "moe_blocks": len(range(first, blocks, period)),
    }  # fmt: skip


HARDWARE = '[hardware]\ncompute = "1e15 FLOP/s"\nlink_one_way = "450 GB/s"\nmemory_marketing = "80 GB"\n'
TRAINING = '[training]\nbatch = 1\nsequence_length = 8\nworking_width = "2 byte"\n'


def scenario_of(folder: Path, tables: Mapping[str, Mapping[str, int]]) -> Scenario:
    lines = [HARDWARE, TRAINING]
    for name, table in tables.items():
        lines += [f"[{name}]", *(f"{key} = {value}" for key, value in table.items())]
    path = folder / "drawn.toml"
    path.write_text("\n".join(lines), encoding="utf-8")
    return load_scenario(path)


def scenarios(folder: Path) -> Iterator[Scenario]:
    """Every preset, and forty drawn ones."""
    yield from (load_scenario(name) for name in preset_names("scenarios"))
    yield from (scenario_of(folder, drawn(seed)) for seed in range(40))


def value(id_: str, scenario: Scenario, **letters: int) -> Fraction:
    return workings.value(id_, at=scenario, set={n: str(v) for n, v in letters.items()}).value


def test_zero_state_is_that_of_the_rank_that_keeps_most(tmp_path: Path) -> None:
    asked = 0
    for scenario in scenarios(tmp_path):
        ranks = set(every_rank(scenario))
        for stage in range(4):
            if not scenario.values["training.working_width"].value:
                continue  # ZeRO's stages are told apart by a working copy
            most = max(kept(scenario, stage, *rank) for rank in ranks)
            assert value(f"zero-{stage}-state", scenario) == most, (scenario.name, stage)
            asked += 1
    assert asked > 190


def test_rank_state_is_that_of_every_rank_whose_counts_are_set(tmp_path: Path) -> None:
    for scenario in scenarios(tmp_path):
        for held, (dense, expert) in set(every_rank(scenario)):
            counts = {"P_d": held.dense, "P_x": held.routed, "N": dense, "d_e": expert}
            ours = value("rank-state", scenario, **counts)
            shares = Fraction(held.dense, dense) + Fraction(held.routed, expert)
            assert ours == 6 * (held.dense + held.routed) + 12 * shares


def test_the_fullest_rank_holds_what_was_placed_on_it(tmp_path: Path) -> None:
    for scenario in scenarios(tmp_path):
        ranks = [held for held, _ in every_rank(scenario)]
        most = max(held.dense + held.routed for held in ranks)
        assert value("rank-parameters", scenario) == most, scenario.name
        routed = max(held.routed for held in ranks)
        if routed:
            assert value("expert-rank-parameters", scenario) == routed


def test_what_a_rank_sends_in_a_step_is_counted_over_both_groups(tmp_path: Path) -> None:
    for scenario in scenarios(tmp_path):
        ranks = every_rank(scenario)
        held, (dense, expert) = max(ranks, key=lambda rank: sum(rank[0]))
        w, g = (scenario.values[f"training.{kind}_width"].value for kind in ("gather", "reduce"))
        own = held.dense * Fraction(dense - 1, dense) + held.routed * Fraction(expert - 1, expert)
        assert value("zero-1-step-bytes", scenario) == (w + g) * own
        for micro in (1, 3):
            assert value("zero-2-step-bytes", scenario, m=micro) == (w + micro * g) * own
            assert value("zero-3-step-bytes", scenario, m=micro) == micro * (2 * w + g) * own
        same = len(ranks) // int(scenario.values["layout.tp"].value * scenario.values["layout.pp"].value)
        whole = held.dense * Fraction(same - 1, same) + held.routed * Fraction(expert - 1, expert)
        assert value("ddp-step-bytes", scenario) == 2 * g * whole
        assert value("dense-gradient-bytes", scenario) == 2 * g * held.dense * Fraction(same - 1, same)


def test_gpt_3_on_8_by_8_by_8_holds_what_tensor_parallelism_copies() -> None:
    # 12 blocks, a table in 8 parts of 6,283 rows at most, and 2,048 learned positions on the first stage.
    scenario = load_scenario("gpt3-512")
    weights = 2 * value("rank-parameters", scenario)
    assert round(float(weights) / 1e9, 2) == 5.64
    assert round(float(2 * weights) / 1e9, 2) == 11.29
    optimizer = value("zero-1-state", scenario) - 3 * weights  # without weights and gradients
    assert round(float(optimizer) / 1e9, 2) == 4.23
    assert round(float(value("zero-1-step-bytes", scenario)) / 1e9, 3) == 9.875


def test_where_dense_blocks_lie_is_said_or_refused(tmp_path: Path) -> None:
    model = drawn(1)["model"] | {"blocks": 8, "experts": 4, "active_experts": 1, "d_expert": 8}
    layout = {"tp": 1, "pp": 2}

    def of(**keys: int) -> Scenario:
        return scenario_of(tmp_path, {"model": model | keys, "layout": layout})

    assert of(moe_blocks=5).values["model.moe_from"].value == 3  # nothing said: they come first
    assert of(moe_blocks=4, moe_gap=2).values["model.moe_from"].value == 1
    assert value("expert-rank-parameters", of(moe_blocks=5)) > value(
        "expert-rank-parameters", of(moe_blocks=4, moe_gap=2)
    )
    for keys, named in (
        ({"moe_blocks": 5, "moe_from": 2}, "model.moe_from: found 2, expected 5 moe_blocks"),
        ({"moe_blocks": 5, "moe_gap": 2}, "model.moe_gap: found 2, expected 5 moe_blocks"),
    ):
        with pytest.raises(ScenarioError, match=named):
            of(**keys)
