"""One line of options is a job as a file is."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from job_files import read, remarks

from workings.cli import main
from workings.planning.inputs import job_from_options
from workings.planning.job import JobError

LLAMA = {"model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
         "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256}  # fmt: skip
LINE: dict[str, Any] = {
    "gpu": "h100-sxm",
    "gpus": "64",
    "per_node": "8",
    "seq": "8192",
    "global_batch": "4M",
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_line_of_the_readme_is_a_job_without_a_layout(folder: Path) -> None:
    (folder / "config.json").write_text(json.dumps(LLAMA), encoding="utf-8")
    job = job_from_options(hf="config.json", **LINE)
    values = job.values()
    assert values["n"] == 64
    assert values["n_node"] == 8
    assert values["s"] == 8192
    assert values["b"] == 512
    assert values["D"] == 4096
    assert values["K"] == 8
    assert values["n_f"] == 3
    assert not job.chosen
    assert (job.figures["D"].kind, job.figures["D"].source) == ("given", "config.json: hidden_size")
    assert job.name == "llama (32 blocks of 4,096) on 64 × NVIDIA H100 SXM, 80 GB"
    assert set(job.hashes) == {"config.json", "presets/hardware/h100-sxm.toml"}


def test_options_and_a_file_say_the_same(folder: Path) -> None:
    layout: dict[str, Any] = {"tp": 2, "microbatch": 2, "zero": 1, "recompute": "none"}
    run: dict[str, Any] = {"seq": 8192, "global_batch": 64, "tokens": "15T", "price": "2.50 USD/h"}
    line = job_from_options(model="llama3-8b", gpu="h100-sxm", gpus=16, **layout, **run)
    assert line.values() == read(folder).values()


def test_limits_of_the_run_are_options_too() -> None:
    job = job_from_options(model="llama3-8b", **LINE, max_days="30", max_cost="5M USD", min_mfu="35 %")
    assert job.max_time == 30 * 86400
    assert job.max_cost == 5_000_000
    assert job.min_mfu == Fraction(35, 100)


@pytest.mark.parametrize("command", ["plan", "lint", "sweep"])
@pytest.mark.parametrize("option", ["--max-days", "--max-cost"])
def test_only_a_review_takes_limits_of_the_run(command: str, option: str) -> None:
    line = ("--model", "llama3-8b", "--gpu", "h100-sxm", "--gpus", "64", option, "30")
    refused = CliRunner().invoke(main, [command, *line])
    assert refused.exit_code == 2
    assert "No such option" in refused.output
    assert option in CliRunner().invoke(main, ["review", "--help"]).output


@pytest.mark.parametrize(
    ("batch", "seq", "sequences"),
    [
        ("4M", 8192, 512),  # 4 × 2^20
        ("16M", "8k", 2048),
        ("4M", 2000, 2000),  # 4 × 10^6: 2^20 is no multiple of 2,000
        ("512", 8192, 512),
        ("512 sequences", 8192, 512),
        ("65,536 tokens", 8192, 8),
        ("1.5M", 2048, 768),
    ],
)
def test_a_batch_counts_sequences_or_tokens(batch: str, seq: object, sequences: int) -> None:
    job = job_from_options(model="llama3-8b", **{**LINE, "seq": seq, "global_batch": batch})
    assert job.values()["b"] == sequences


def test_how_tokens_became_sequences_is_noted() -> None:
    note = [
        n.text for n in job_from_options(model="llama3-8b", **LINE).noted if n.key == "--global-batch"
    ]
    assert note == ["'4M' taken as 512 sequences of 8,192 tokens, 4,194,304 in all"]


def test_a_plain_number_says_what_it_was_taken_as() -> None:
    job = job_from_options(model="llama3-8b", **{**LINE, "global_batch": "512"})
    note = [n.text for n in job.noted if n.key == "--global-batch"]
    assert note == ["512 taken as 512 sequences of 8,192 tokens, 4,194,304 in all"]


@pytest.mark.parametrize("batch", ["4194304", 4194304, "100001", "4,194,304"])
def test_more_sequences_than_a_step_has_are_taken_for_tokens(batch: object) -> None:
    said = r"--global-batch: found .*, expected at most 100,000 sequences, or tokens with a suffix"
    with pytest.raises(JobError, match=said):
        job_from_options(model="llama3-8b", **{**LINE, "global_batch": batch})
    for clear in ("100000", "4194304 tokens", "131072 sequences"):
        job_from_options(model="llama3-8b", **{**LINE, "global_batch": clear})


@pytest.mark.parametrize("price", ["2 EUR/h", "3 GBP/h"])
def test_a_price_in_another_currency_is_refused(price: str) -> None:
    with pytest.raises(JobError, match=r"--price: .*(only USD|GBP)"):
        job_from_options(model="llama3-8b", price=price, **LINE)


def test_a_job_has_the_name_that_it_is_given() -> None:
    assert job_from_options(model="llama3-8b", name="night run", **LINE).name == "night run"
    with pytest.raises(JobError, match="--name: found"):
        job_from_options(model="llama3-8b", name="two\nlines", **LINE)


@pytest.mark.parametrize("batch", ["3", 0, "-4M", "4 MB", "4M lines", "", "9" * 40 + "T", True, "1e300"])
def test_a_batch_that_is_no_count_is_refused(batch: object) -> None:
    if batch == "3":
        batch = "3k tokens"
    with pytest.raises(JobError, match="--global-batch: found"):
        job_from_options(model="llama3-8b", **{**LINE, "global_batch": batch})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"gpus": 0}, r"command line: --gpus: found 0, expected a whole number from 1 to 10,000,000"),
        ({"gpus": 10**20}, r"--gpus: found 100,000,000,000,000,000,000, expected a whole number"),
        ({"gpus": 12}, r"--gpus: found 12, expected whole nodes of 8 devices"),
        ({"tp": 7}, r"--gpus: found 64, expected a multiple of tp × cp × pp = 7"),
        ({"tp": 64}, r"--tp: found 64, expected a divisor of the 32 heads"),
        ({"seq": "long"}, r"--seq: found 'long', expected tokens of a sequence"),
    ],
)
def test_errors_name_the_option(change: dict[str, Any], said: str) -> None:
    with pytest.raises(JobError, match=said):
        job_from_options(model="llama3-8b", **{**LINE, **change})


def test_what_is_missing_is_named() -> None:
    with pytest.raises(JobError, match="command line: model: found nothing, expected --model or --hf"):
        job_from_options(**LINE)
    with pytest.raises(JobError, match="command line: cluster: found nothing"):
        job_from_options(model="llama3-8b")
    with pytest.raises(JobError, match="--global-batch: found nothing"):
        job_from_options(model="llama3-8b", **{**LINE, "global_batch": None})
    with pytest.raises(JobError, match="command line: found 'warp'"):
        job_from_options(warp=9)


def test_a_price_that_nobody_gave_is_assumed_with_a_range() -> None:
    figure = job_from_options(model="llama3-8b", **LINE).figures["c_d"]
    assert figure.kind == "assumed"
    assert figure.value == Fraction(3, 3600)
    assert figure.low is not None
    assert figure.high is not None
    assert figure.low < figure.value < figure.high


def test_what_is_not_given_is_listed_as_defaulted() -> None:
    defaulted = remarks(job_from_options(model="llama3-8b", tp=2, **LINE), "defaulted")
    assert {"launch.zero", "launch.recompute", "launch.microbatch", "cluster.price"} <= set(defaulted)
