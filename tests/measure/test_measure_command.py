"""`workings measure`: what it hands to the measuring, what it prints and what it refuses."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from workings.cli import main
from workings.measure import node
from workings.measure.node import Setting


def ran(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["measure", *arguments])


def test_options_reach_the_measuring(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seen: list[tuple[Setting, Path | None]] = []

    def measured(setting: Setting, output: Path | None) -> str:
        seen.append((setting, output))
        return "[measured]\n"

    monkeypatch.setattr(node, "measured", measured)
    assert ran("--quick", "--only", "memory", "--device", "cpu").output == "[measured]\n"
    file = tmp_path / "node.toml"
    assert ran("--device", "cuda", "-o", str(file)).output == f"{file}\n"
    assert seen == [(Setting("cpu", True, ("memory",)), None), (Setting("cuda"), file)]


def test_without_torch_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node, "torch", None)
    found = ran("--quick")
    assert found.exit_code == 2
    assert found.stderr == (
        "workings: measure needs PyTorch 2.4 or newer, which is not installed here: pip install torch\n"
    )


def test_what_is_no_family_is_refused() -> None:
    found = ran("--only", "gemm", "--device", "cpu")
    assert found.exit_code == 2
    assert found.stderr == (
        "workings: --only: found 'gemm', expected some of matmul, attention, memory, collective\n"
    )


def test_a_file_that_cannot_be_written_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def measured(_: Setting, output: Path | None) -> str:
        (output or tmp_path).write_text("", encoding="utf-8")
        return ""

    monkeypatch.setattr(node, "measured", measured)
    missing = tmp_path / "missing" / "node.toml"
    found = ran("--device", "cpu", "-o", str(missing))
    assert found.exit_code == 2
    assert found.stderr == f"workings: {missing}: No such file or directory\n"
