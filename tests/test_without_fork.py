"""A system without `os.fork`, as Windows is: everything runs but algebra that needs a forked child."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from documents import FRONT, run

import workings
from workings import catalogue
from workings.proof import child

SRC = Path(workings.__file__).parents[1]
JOB = SRC.parent / "reports" / "reviews" / "llama3-8b-8" / "job.toml"
AT = ("--at", "xxl-220b", "--set", "N_fsdp=156")
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("list", "collectives"), ("show", "fsdp-memory"), ("presets",),
    ("value", "fsdp-memory", *AT), ("work", "fsdp-memory", *AT),
    ("solve", "fsdp-memory", "< 95 GB", "--for", "N_fsdp", *AT[:2]),
    ("solve", "model-state", "--for", "P"),
    ("simplify", "ring-all-reduce"), ("verify", "ring-all-reduce", "--dry-run"),
    ("mutants", "matmul-flops", "--dry-run"), ("report", "page.md", "-o", "out"), ("check", "page.md"),
    ("plan", str(JOB)), ("lint", str(JOB)), ("review", str(JOB), "-o", "out"),
)  # fmt: skip
HIDDEN = ("resource", "fcntl", "pwd", "grp", "termios")  # what Windows' Python does not have either
PROGRAM = f"""
import json, os, sys
del os.fork, os.forkpty
sys.modules.update(dict.fromkeys({HIDDEN!r}))
from workings.cli import main
codes = []
for command in json.loads(sys.argv[1]):
    try:
        main(command, prog_name="workings")
    except SystemExit as end:
        codes.append(end.code)
print(json.dumps(codes), file=sys.stderr)
"""


def test_every_command_runs_where_nothing_can_be_forked(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text(f"{FRONT}x\n\n```{{chain}} ring-all-reduce\n```\n", "utf-8")
    ran = subprocess.run(  # noqa: S603 - this Python and our own lines
        [sys.executable, "-c", PROGRAM, json.dumps(COMMANDS)], capture_output=True, text=True,
        check=False, cwd=tmp_path, env={"PYTHONPATH": str(SRC), "PYTHONUTF8": "1"},
    )  # fmt: skip
    codes = json.loads(ran.stderr.splitlines()[-1])
    assert dict(zip(map(" ".join, COMMANDS), codes, strict=True)) == {" ".join(c): 0 for c in COMMANDS}
    assert "94.883 GB" in ran.stdout
    assert "ring-all-reduce                     proved" in ran.stdout
    assert (tmp_path / "out" / "report.md").is_file()
    assert (tmp_path / "out" / "review.md").is_file()


# --- what needs a child says so ------------------------------------------------------------------

NEEDED = "found no os.fork on this system, expected one"


def test_algebra_too_heavy_to_do_without_a_child_is_refused_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(os, "fork")
    assert child.in_child(lambda x: x + 1, 41, quick=True) == 42
    with pytest.raises(child.NoChildError, match=NEEDED):
        child.in_child(lambda x: x + 1, 41, quick=False)


def test_a_heavy_step_is_undecided_with_the_reason_and_proved_where_a_child_can_be_had(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = catalogue.get("matmul-flops")
    heavy = real.with_chain(f"{real.chain.rstrip()}\n = 2[FLOP]*B*D*F*1^17 -- too high a power")
    monkeypatch.setattr(catalogue, "get", lambda _: heavy)
    assert re.search(r"^matmul-flops +proved ", run("verify", "matmul-flops", "--dry-run").stdout, re.M)
    monkeypatch.delattr(os, "fork")
    result = run("verify", "matmul-flops", "--dry-run")
    assert result.exit_code == 0
    assert re.search(
        rf"^matmul-flops +undecided .*\n    undecided: line 4: {NEEDED}", result.stdout, re.M
    )
    result = run("mutants", "matmul-flops", "--dry-run")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"workings: {NEEDED}")
    assert result.stderr.count("\n") == 1
