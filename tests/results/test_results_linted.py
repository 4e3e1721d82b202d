"""`lint` from Python: what is broken, how badly, and where."""

import json
from pathlib import Path
from typing import Any

import pytest
from documents import run

import workings

BROKEN = """
[model]
preset = "llama3-8b"
[cluster]
hardware = "h100-sxm"
devices = 64
[launch]
tp = 3
batch = 64
sequence_length = 8192
"""


def test_broken_rules_are_sorted_by_what_they_cost() -> None:
    found = workings.lint("llama3-405b-16k")
    assert found.ok
    assert not found.errors
    assert {f.rule.id for f in found.warnings} == {"microbatches-fill", "gather-hides"}
    assert {f.rule.id for f in found.notes} == {"virtual-stages", "zero-with-stages"}
    assert {f.rule.id for f in found.broken} == {f.rule.id for f in (*found.warnings, *found.notes)}
    assert (found.counts.warnings, found.counts.notes) == (2, 2)


def test_an_error_is_not_ok_as_the_command_exits_1() -> None:
    line: dict[str, Any] = {"model": "llama3-405b", "gpu": "h100-sxm", "gpus": 8, "per_node": 8,
                            "seq": 8192, "global_batch": 8, "tp": 8}  # fmt: skip
    found = workings.lint(**line)
    assert not found.ok
    assert "fits" in {f.rule.id for f in found.errors}
    words = (word for name, v in line.items() for word in (f"--{name.replace('_', '-')}", str(v)))
    assert run("lint", *words).exit_code == 1


def test_it_prints_as_the_count_and_a_line_for_each_broken_rule() -> None:
    count, *lines = repr(workings.lint("llama3-405b-16k")).splitlines()
    assert count.endswith(": 30 of 34 rules hold: 2 warnings, 2 notes")
    assert "warning gather-hides, broken: The forward of a block hides the gather of the next" in lines
    assert [line.split()[0] for line in lines] == ["warning", "warning", "note", "note"]


def test_the_command_prints_the_same_data_with_the_lines_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = BROKEN.replace("tp = 3", "tp = 2\nmicrobatch = 2")
    Path("job.toml").write_text(text, encoding="utf-8")
    found = workings.lint("job.toml")
    assert json.loads(run("lint", "job.toml", "--format", "json").stdout) == found.to_dict()
    told = [(r["line"], f"{r['title']}  [{r['id']}]") for r in found.to_dict()["rules"] if r["line"]]
    assert told
    shown = run("lint", "job.toml").stdout
    places = [line.partition("  ")[0] for line in shown.splitlines() if line.endswith("]")]
    assert all(words in shown and f"job.toml:{line}" in places for line, words in told)


def test_without_a_layout_it_says_which_one_it_judged() -> None:
    found = workings.lint(model="llama3-8b", gpu="b200-sxm", gpus=2, per_node=2, seq=2048, global_batch=4)
    assert found.searched[0].startswith("no layout is given; of those searched the fastest that fits")
    assert workings.lint("gpt3-512").searched == ()


def test_a_job_that_cannot_be_read_is_refused_in_the_commands_sentence(tmp_path: Path) -> None:
    path = tmp_path / "job.toml"
    path.write_text(BROKEN, encoding="utf-8")
    for job in (str(path), str(tmp_path / "none.toml"), "nosuch"):
        with pytest.raises(workings.UserError) as refused:
            workings.lint(job)
        made = run("lint", job)
        assert made.exit_code == 2
        assert made.stderr == f"workings: {refused.value}\n"
