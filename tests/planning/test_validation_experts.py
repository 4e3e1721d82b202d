"""Published runs with experts: the rows have the sizes and the utilization that their sources print."""

from pathlib import Path

import pytest
from validating.letters import letters_of, worth
from validating.published import read_table

FOLDER = Path(__file__).parents[2] / "benchmarks" / "validation" / "time"


def letters(source: str, name: str) -> dict[str, float]:
    """The letters of a row, and `seconds`, a step's time as published."""
    table = read_table(FOLDER / f"{source}.toml")
    row = next(one for one in table.rows if one.name == name)
    found = letters_of(table, row)
    seconds = worth(table.theirs, {**found, "published": row.published}) if table.unit == "s" else 0
    return {**{letter: float(value) for letter, value in found.items()}, "seconds": float(seconds)}


def attention(x: dict[str, float]) -> float:
    """Weights of a block's attention: queries, output, keys and values."""
    return x["D"] * x["d_h"] * 2 * (x["H"] + x["K"])


def expert(x: dict[str, float]) -> float:
    """Weights of one expert: three matrices."""
    return 3 * x["D"] * x["F_E"]


# Billions of parameters, all of them and those that see a token, as the sources name their models.
SIZES = [
    ("moe-folding-qwen2", "MCore, 64 GPUs", 57, 14),
    ("dgxc-grok1", "512 GPUs", 314, None),
    ("zoo-qwen3", "TP2, PP8, EP32", 235, 22),
    ("zoo-long", "16384 tokens", 235, 22),
    ("dgxc-qwen3", "256 GPUs", 235, 22),
    ("automodel", "Qwen3 30B-A3B, 8 GPUs", 30.5, 3.3),
]  # fmt: skip


@pytest.mark.parametrize(("source", "name", "whole", "active"), SIZES)
def test_models_have_the_size_of_their_name(
    source: str, name: str, whole: float, active: float | None
) -> None:
    x = letters(source, name)
    outside = x["L"] * (attention(x) + x["D"] * x["E"]) + 2 * x["V"] * x["D"]
    seen = x["L"] * (x["k_E"] + x["E_s"]) * expert(x)
    assert (outside + x["L"] * (x["E"] + x["E_s"]) * expert(x)) / 1e9 == pytest.approx(whole, rel=0.01)
    if active is not None:
        assert (outside + seen) / 1e9 == pytest.approx(active, rel=0.03)


def test_experts_cut_into_eight_hold_what_the_whole_ones_held() -> None:
    coarse, fine = (letters(f"moe-folding-{one}", "MCore, 128 GPUs") for one in ("mixtral", "g8t8"))
    assert fine["E"] * expert(fine) == coarse["E"] * expert(coarse)
    assert fine["E"] == 8 * coarse["E"]


# TFLOP/s a GPU that a page prints beside the time of the step; each counts half of attention.
THROUGHPUT = [
    ("zoo-qwen3", "TP2, PP8, EP32", 245), ("zoo-qwen3", "TP2, EP8, FSDP", 276),
    ("zoo-qwen3", "TP2, PP32, EP8", 200), ("zoo-qwen3", "TP4, PP8, EP8", 167),
    ("dgxc-qwen3", "256 GPUs", 190),
    ("automodel", "Qwen3 30B-A3B, 8 GPUs", 277),
    ("dgxc-grok1", "512 GPUs", 0.415 * 989), ("dgxc-grok1", "2048 GPUs", 0.410 * 989),
    ("dgxc-grok1", "512 GPUs, experts whole", 0.542 * 989),
    ("dgxc-grok1", "256 GPUs, 32 blocks", 0.421 * 989),
]  # fmt: skip


@pytest.mark.parametrize(("source", "name", "printed"), THROUGHPUT)
def test_times_come_to_the_throughput_that_is_printed(source: str, name: str, printed: float) -> None:
    x = letters(source, name)
    block = attention(x) + (x["k_E"] + x["E_s"]) * expert(x)
    flops = 6 * (x["L"] * block + x["V"] * x["D"]) + 6 * x["L"] * x["H"] * x["d_h"] * x["s"]
    mine = flops * x["b"] * x["s"] / (x["n"] * x["seconds"]) / 1e12
    assert mine == pytest.approx(printed, rel=0.012)


PRINTED_LAYOUTS = [
    ("moe-folding-mixtral", 29), ("moe-folding-g8t8", 20), ("moe-folding-qwen2", 25),
    ("moe-folding-llama3", 10), ("dgxc-grok1", 10), ("automodel", 3), ("automodel-mla", 3),
    ("zoo-qwen3", 4), ("zoo-long", 4), ("dgxc-deepseek", 2),
]  # fmt: skip


@pytest.mark.parametrize(("source", "rows"), PRINTED_LAYOUTS)
def test_every_expert_has_whole_copies_and_ranks_whole_experts(source: str, rows: int) -> None:
    table = read_table(FOLDER / f"{source}.toml")
    assert len(table.rows) == rows
    for row in table.rows:
        x = letters_of(table, row)
        assert (x["n"] / (x["t_e"] * x["e"] * x["p"])).denominator == 1, row.name
        assert (x["E"] / x["e"]).denominator == 1, row.name
