"""`offload_activations`: a share of what blocks keep, or values by name."""

from fractions import Fraction
from pathlib import Path

import pytest
from job_files import launch, read, remarks

from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.job import JobError


@pytest.mark.parametrize(
    ("said", "value"),
    [("0.3", Fraction(3, 10)), ("30 %", Fraction(3, 10)), ("1", Fraction(1)), ("0", Fraction(0))],
)
def test_a_share_is_taken_as_it_stands(tmp_path: Path, said: str, value: Fraction) -> None:
    assert read(tmp_path, offload_activations=said).values()["x_host"] == value
    assert read(tmp_path).values()["x_host"] == 0


@pytest.mark.parametrize(
    ("again", "names", "columns"),
    [
        ("none", "query, key, value", "qkv"), ("all but query, key, value", "query, key, value", "qkv"),
        ("full", "input", "D"), ("all but query, key, value", "input", "D"),
        ("all but output, context", "output", "D"),
    ],
)  # fmt: skip
def test_values_by_name_are_their_share_of_what_is_kept(
    tmp_path: Path, again: str, names: str, columns: str
) -> None:
    job = read(tmp_path, recompute=again, offload_activations=names)
    v = exactly(plan(), job.values())
    each = {"qkv": v["H"] * v["d_h"] + 2 * v["K"] * v["d_h"], "D": v["D"]}[columns]
    ranks = v["t"] if columns == "qkv" or (names == "input" and v["z_s"]) else 1
    assert v["x_host"] == each * v["a"] * v["T_r"] / ranks / v["A_kept"]


def test_all_that_a_policy_keeps_may_be_named(tmp_path: Path) -> None:
    job = read(tmp_path, recompute="all but middle, query", offload_activations="query, input, middle")
    assert job.values()["x_host"] == 1


@pytest.mark.parametrize(
    ("again", "names", "said"),
    [
        ("full", "query", "found 'query', expected values that a block keeps"),
        ("none", "output", "found 'output', expected values that a block keeps"),
        ("none", "tokens", "found 'tokens', expected values that a block keeps"),
        ("none", "query, keys", "expected values, each one of input, norms"),
        ("none", "1.5", "expected a share such as 0.3 or '30 %', or values, each one of input"),
        ("none", "half", "expected a share such as 0.3"), ("none", "-1", "expected a share"),
    ],
)  # fmt: skip
def test_what_no_block_keeps_is_refused(tmp_path: Path, again: str, names: str, said: str) -> None:
    with pytest.raises(JobError, match=f"offload_activations: .*{said}"):
        read(tmp_path, recompute=again, offload_activations=names)


SHORT = ("--num-layers 24 --hidden-size 2048 --num-attention-heads 16 --seq-length 2048 "
         "--micro-batch-size 1 --global-batch-size 16 --vocab-size 50304 --bf16 ")  # fmt: skip


def test_megatron_moves_layers_or_inputs_of_modules(tmp_path: Path) -> None:
    some = launch(tmp_path, f"{SHORT} --cpu-offloading-num-layers 6", more="devices = 16")
    assert some.values()["x_host"] == Fraction(1, 4)
    fine = (
        f"{SHORT} --fine-grained-activation-offloading --offload-modules core_attn qkv_linear attn_norm"
    )
    job = launch(tmp_path, fine, more="devices = 16")
    v = exactly(plan(), job.values())
    values = v["D"] + 3 * v["H"] * v["d_h"]  # a block's input; queries, keys and values
    assert v["x_host"] == values * v["a"] * v["T_r"] / v["A_kept"]
    assert "counts as held" in remarks(job, "ignored")["--offload-modules qkv_linear"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("--offload-modules core_attn", "nothing is off-loaded without --fine-grained"),
        ("--cpu-offloading-num-layers 0", None),
    ],
)
def test_what_is_not_switched_on_moves_nothing(tmp_path: Path, more: str, said: str | None) -> None:
    job = launch(tmp_path, f"{SHORT} {more}", more="devices = 16")
    assert job.values()["x_host"] == 0
    assert said is None or said in remarks(job, "ignored")["--offload-modules"]


def test_megatron_s_own_refusals_are_ours(tmp_path: Path) -> None:
    for more, said in (
        ("--cpu-offloading-num-layers 24", "found 24, expected fewer than all layers"),
        ("--cpu-offloading-num-layers 6 --fine-grained-activation-offloading", "none beside cpu"),
    ):
        with pytest.raises(JobError, match=said):
            launch(tmp_path, f"{SHORT} {more}", more="devices = 16")


def test_values_kept_in_8_bits_are_named_alike(tmp_path: Path) -> None:
    job = read(tmp_path, saved_in_8_bits="query, key, value")
    v = exactly(plan(), job.values())
    each = (v["H"] + 2 * v["K"]) * v["d_h"] * v["a"] * v["T_r"] / v["t"]
    whole = exactly(plan(), read(tmp_path).values())["A_kept"]
    assert whole - v["A_kept"] == each / 2
    assert job.values()["x_host"] == 0
    with pytest.raises(JobError, match=r"saved_in_8_bits: found 'tokens'"):
        read(tmp_path, saved_in_8_bits="tokens")
