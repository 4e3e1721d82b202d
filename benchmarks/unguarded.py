"""Modules of which the tests run no function: `unguarded.py [arguments of pytest]`, else the first tier.

A broken formula in such a module fails nothing. The tests take about twice as long as without.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from types import FrameType

HERE = Path(__file__).parent
SOURCE = HERE.parent / "src" / "workings"
FOUND = "WORKINGS_CALLED"  # the folder into which each process of the tests writes what it called
FIRST_TIER = ("-n", "auto", "--dist", "worksteal", "-m", "not slow")

_called: set[tuple[str, str]] = set()


def _watch(frame: FrameType, event: str, _argument: object) -> None:
    if event == "call":
        code = frame.f_code
        _called.add((code.co_filename, code.co_name))


def pytest_runtest_call() -> None:
    """While a test runs, every function called is noted; imports before it are not."""
    sys.setprofile(_watch)


def pytest_runtest_teardown() -> None:
    """Between tests nothing is noted."""
    sys.setprofile(None)


def pytest_sessionfinish() -> None:
    """Write what this process called."""
    lines = {file for file, name in _called if name != "<module>"}
    (Path(os.environ[FOUND]) / str(os.getpid())).write_text("\n".join(sorted(lines)), encoding="utf-8")


def has_functions(path: Path) -> bool:
    """Whether there is anything in a module that can be called."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return any(isinstance(node, ast.FunctionDef | ast.Lambda) for node in ast.walk(tree))


def main() -> int:
    """Run the tests and print the modules that none of them entered."""
    with tempfile.TemporaryDirectory() as folder:
        paths = os.pathsep.join(filter(None, (str(HERE), os.environ.get("PYTHONPATH", ""))))
        ran = subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "unguarded", *(sys.argv[1:] or FIRST_TIER)],
            cwd=HERE.parent, check=False, env={**os.environ, FOUND: folder, "PYTHONPATH": paths},
        )  # fmt: skip
        called = {line for kept in Path(folder).iterdir() for line in kept.read_text("utf-8").split("\n")}
    modules = [path for path in sorted(SOURCE.rglob("*.py")) if has_functions(path)]
    left = [str(path.relative_to(SOURCE)) for path in modules if str(path) not in called]
    print(
        f"{len(modules)} modules with functions, {len(left)} of which no test runs one", *left, sep="\n"
    )
    return int(bool(left) or ran.returncode != 0)


if __name__ == "__main__":
    sys.exit(main())
