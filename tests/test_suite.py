"""The tests themselves: none measures time, and each is of a tier that a command runs."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parent
MAKEFILE = (TESTS.parent / "Makefile").read_text(encoding="utf-8")


def clocks(text: str) -> set[str]:
    """The ways to measure or limit time that a file of tests uses."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Import(names):
                found |= {alias.name for alias in names} & {"time", "timeit"}
            case ast.ImportFrom(module="time" | "timeit", names=names):
                found |= {alias.name for alias in names}
            case ast.Attribute(
                attr="perf_counter"
                | "process_time"
                | "monotonic"
                | "getrusage"
                | "wait_for_timeout" as name
            ):
                found.add(name)
            case ast.keyword(arg="timeout", value=value):
                found.add(f"timeout={ast.unparse(value)}")
            case ast.keyword(arg="deadline", value=value) if ast.unparse(value) != "None":
                found.add(f"deadline={ast.unparse(value)}")
    return found


def test_no_test_measures_time() -> None:
    """A busy machine must fail nothing: work is counted (tests/effort.py), or the outcome is asked."""
    found = {
        str(path.relative_to(TESTS)): clocks(path.read_text("utf-8")) for path in TESTS.rglob("*.py")
    }
    assert {name: used for name, used in found.items() if used} == {}


def test_a_clock_is_seen() -> None:
    for text in ("import time", "from time import process_time", "x.perf_counter()",
                 "run(timeout=3)", "settings(deadline=200)", "resource.getrusage(0)",
                 "page.wait_for_timeout(300)"):  # fmt: skip
        assert clocks(text), text
    assert not clocks("settings(deadline=None)\nT_step = time(desk)")


def test_the_two_tiers_and_what_opens_pages_are_all_tests() -> None:
    chosen = re.findall(r"-m ([^\n]+?)$", MAKEFILE, re.MULTILINE)
    assert [one for one in chosen if "slow" in one or "browser" in one] == [
        'pytest $(WORKERS) -m "not slow and not browser"',
        'pytest $(WORKERS) -m "slow and not browser"',
        "pytest $(WORKERS) -m browser",
    ]
    run = (TESTS.parent / ".ci" / "run").read_text(encoding="utf-8")
    assert "make second" in run
    assert "make browser" in run
    assert "make second" in MAKEFILE.partition("test: .venv/ready")[2].partition("second: ")[0]


# --- which Pythons ---------------------------------------------------------------------------------

ROOT = TESTS.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def declared(project: dict[str, Any]) -> list[str]:
    """The versions of Python that a project says it is for."""
    named = "Programming Language :: Python :: 3."
    return [one.rpartition(" ")[2] for one in project["project"]["classifiers"] if named in one]


def test_the_oldest_python_declared_is_the_one_that_everything_else_names() -> None:
    oldest = declared(PROJECT)[0]
    assert PROJECT["project"]["requires-python"] == f">={oldest}"
    assert PROJECT["tool"]["ruff"]["target-version"] == f"py{oldest.replace('.', '')}"
    assert len(declared(PROJECT)) > 1


def test_ci_runs_every_other_python_declared_or_says_that_it_is_not_to_be_had(tmp_path: Path) -> None:
    assert "\n.ci/pythons\n" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    here = f"3.{sys.version_info.minor}"
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "python").symlink_to(sys.executable)
    classifiers = [f"Programming Language :: Python :: {one}" for one in (here, "3.998", "3.999")]
    (tmp_path / "pyproject.toml").write_text(f"[project]\nclassifiers = {classifiers}\n", "utf-8")
    ran = subprocess.run(  # noqa: S603 - our own script
        [ROOT / ".ci" / "pythons"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert ran.stdout.splitlines() == [
        f"Python {one} is not to be had here: its first tier was not run" for one in ("3.998", "3.999")
    ]
