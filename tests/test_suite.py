"""The tests themselves: none measures time, and each is of a tier that a command runs."""

import ast
import re
from pathlib import Path

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
            case ast.Attribute(attr="perf_counter" | "process_time" | "monotonic" | "getrusage" as name):
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
                 "run(timeout=3)", "settings(deadline=200)", "resource.getrusage(0)"):  # fmt: skip
        assert clocks(text), text
    assert not clocks("settings(deadline=None)\nT_step = time(desk)")


def test_the_two_tiers_are_all_tests() -> None:
    chosen = re.findall(r"-m ([^\n]+?)$", MAKEFILE, re.MULTILINE)
    assert [one for one in chosen if "slow" in one] == [
        'pytest $(WORKERS) -m "not slow"',
        "pytest $(WORKERS) -m slow",
    ]
    assert "make second" in (TESTS.parent / ".ci" / "run").read_text(encoding="utf-8")
    assert "make second" in MAKEFILE.partition("test: .venv/ready")[2].partition("second: ")[0]
