"""`review` from Python: the verdict, figures with their units, and the documents."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from documents import run

import workings
from workings.results.reviewed import ReviewResult

LINE: dict[str, Any] = {
    "model": "llama3-8b", "gpu": "b200-sxm", "gpus": 2, "per_node": 2, "seq": 2048, "global_batch": 4,
    "tp": 2,
}  # fmt: skip
WORDS = [word for name, value in LINE.items() for word in (f"--{name.replace('_', '-')}", str(value))]
SRC = Path(workings.__file__).parents[1]


@pytest.fixture(scope="module")
def reviewed() -> ReviewResult:
    return workings.review(**LINE)


def test_the_command_prints_the_same_data_and_review_json_holds_it(reviewed: ReviewResult) -> None:
    assert json.loads(run("review", *WORDS, "--format", "json").stdout) == reviewed.to_dict()
    assert json.loads(reviewed.files(("md",))["review.json"]) == reviewed.to_dict()


def test_figures_are_those_of_the_document(reviewed: ReviewResult) -> None:
    made = reviewed.to_dict()
    values = {value["letter"]: value for value in made["values"]}
    for found, letter in ((reviewed.memory.peak, "M"), (reviewed.step.time, "T_step"),
                          (reviewed.run_time, "T_run"), (reviewed.cost, "c_run")):  # fmt: skip
        assert found is not None
        ends = values[letter]
        assert (found.low, found.base, found.high) == (ends["low"], ends["base"], ends["high"])
    assert reviewed.verdict.word == made["verdict"]["word"]
    assert reviewed.recommended == made["recommended"]
    assert reviewed.values["T_step"] == reviewed.step.time.base == reviewed.layout.step_time
    assert [layout.memory for layout in reviewed.alternatives] == [
        option["values"]["M"] for option in made["alternatives"]
    ]


def test_accounts_and_parts_add_up(reviewed: ReviewResult) -> None:
    memory, step = reviewed.memory, reviewed.step
    moments = {a["name"]: a["moments"] for a in reviewed.to_dict()["memory"]["accounts"]}
    held = sum(size for name, size in memory.accounts.items() if memory.moment in moments[name])
    assert held == pytest.approx(memory.peak.base, rel=1e-12)
    assert memory.totals[memory.moment] == memory.peak.base == max(memory.totals.values())
    assert sum(step.parts.values()) == pytest.approx(step.time.base, rel=1e-12)
    assert memory.share == pytest.approx(reviewed.values["u_M"], rel=1e-12)


def test_it_prints_as_a_verdict_its_reason_and_four_lines() -> None:
    found = workings.review(**LINE, microbatch=4)
    lines = repr(found).splitlines()
    assert lines[0] == f"Review of {found.name}: GO on memory"
    assert lines[1] == f"why     {found.verdict.reason}"
    assert lines[2] == "layout  TP 2 with micro-batches of 4 and ZeRO stage 1"
    assert [line.split()[0] for line in lines[1:]] == ["why", "layout", "memory", "step", "run"]
    assert repr(found.verdict) == f"{found.verdict.said}: {found.verdict.reason}"


def test_a_verdict_on_a_condition_prints_the_condition() -> None:
    found = workings.review(**LINE, microbatch=4, max_days=100)
    [condition] = found.verdict.conditions
    assert found.verdict.word == "GO IF"
    assert repr(found).splitlines()[2] == f"if      {condition}"
    assert repr(found.verdict).endswith(f"; if {condition}")


def test_of_several_conditions_each_has_its_line() -> None:
    """Memory and days that are near their limits."""
    found = workings.review(**{**LINE, "gpu": "h100-sxm"}, microbatch=2, max_days=250)
    memory, days = found.verdict.conditions
    assert found.verdict.said == "GO IF on memory and days"
    assert repr(found).splitlines()[2:4] == [f"if      {memory}", f"if      {days}"]
    assert repr(found.verdict).endswith(f"; if {memory}; {days}")


def test_files_are_those_that_the_command_writes(
    reviewed: ReviewResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("review", *WORDS, "--format", "md", "-o", "theirs").exit_code == 0
    written = reviewed.write("ours", ("md",))
    assert {path.name for path in written} == {path.name for path in Path("theirs").iterdir()}
    for path in written:
        assert path.read_bytes() == (Path("theirs") / path.name).read_bytes()


def test_a_limit_on_the_run_decides_as_on_the_command_line() -> None:
    refused = workings.review(**LINE, max_days=1)
    assert refused.verdict.word == "NO-GO"
    assert "days" in refused.verdict.about
    assert json.loads(run("review", *WORDS, "--max-days", "1", "--format", "json").stdout) == (
        refused.to_dict()
    )


def test_what_cannot_be_asked_is_refused_in_the_commands_sentence() -> None:
    for arguments, job, options in (
        ((), None, {}),
        (("gpt3-512", "--tp", "2"), "gpt3-512", {"tp": 2}),
        (("gpt3-512", "--max-days", "no"), "gpt3-512", {"max_days": "no"}),
        (("--model", "llama3-8b"), None, {"model": "llama3-8b"}),
        (("--model", "llama9", "--gpu", "h100-sxm"), None, {"model": "llama9", "gpu": "h100-sxm"}),
    ):
        with pytest.raises(workings.UserError) as refused:
            workings.review(job, **options)
        assert run("review", *arguments).stderr == f"workings: {refused.value}\n"
    with pytest.raises(workings.UserError, match="--format: found 'doc', expected md, tex"):
        workings.review(**LINE).files(("doc",))


def test_json_and_a_folder_to_write_to_are_not_both_given() -> None:
    for more in (("-o", "out"), ("--check",)):
        made = run("review", *WORDS, "--format", "json", *more)
        assert made.exit_code == 2
        assert made.stderr == (
            f"workings: --format json: found {' '.join(more)} beside it, expected nothing to write\n"
        )


CALLED = """
import inspect, workings
import {first}
import workings.review.build as build
assert build.review.__module__ == "workings.review.build"
assert "job" in inspect.signature(workings.review).parameters
from workings import review
try:
    review("nosuch")
except workings.UserError as error:
    print(error)
"""


@pytest.mark.parametrize("first", ["workings.review", "workings.cli.planning", "workings.api", "json"])
def test_the_room_of_reviews_is_a_function_too_however_it_was_loaded(first: str) -> None:
    ran = subprocess.run(  # noqa: S603 - this Python and our own lines
        [sys.executable, "-W", "error", "-c", CALLED.format(first=first)],
        capture_output=True, text=True, check=True, env={"PYTHONPATH": str(SRC)},
    )  # fmt: skip
    assert "nosuch" in ran.stdout
