"""The stored cost model is the cost model."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from workings.planning import stored
from workings.planning.cost import plan
from workings.planning.stored import STORE, stored_plan


def test_the_store_is_the_model_statement_by_statement() -> None:
    kept = stored_plan()
    assert kept.statements == plan().statements
    assert kept.letters == plan().letters


def test_the_store_is_not_stale() -> None:
    kept = json.loads(STORE.read_text(encoding="utf-8"))
    assert kept["sum"] == stored._sum(kept["files"]), "run python -m workings.planning.stored"


def test_a_stale_store_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    other = tmp_path / "plan.json"
    kept = json.loads(STORE.read_text(encoding="utf-8"))
    other.write_text(json.dumps({**kept, "sum": 1, "statements": []}))
    monkeypatch.setattr(stored, "STORE", other)
    stored_plan.cache_clear()
    assert stored_plan().statements == plan().statements
    stored_plan.cache_clear()


def test_reading_the_store_loads_no_derivation_and_no_sympy() -> None:
    code = (
        "import sys; from workings.planning.stored import stored_plan; stored_plan(); print(*sys.modules)"
    )
    ran = subprocess.run(  # noqa: S603 - our own line, in a fresh interpreter
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    slow = {"sympy", "jinja2", "mpmath", "numpy", "workings.catalogue", "workings.derivation"}
    assert not set(ran.stdout.split()) & slow
