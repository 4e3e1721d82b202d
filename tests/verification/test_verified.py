"""verified.json: an entry is believed only while everything it was found from is the same."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from documents import markdown_of, run

import workings
from workings import catalogue
from workings.derivation import Derivation
from workings.render.text_derivation import derivation_text
from workings.verification import verified
from workings.vocabulary.training import BATCH

PACKAGE = Path(workings.__file__).parent
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    """Nothing remembered from the sources as another test changed them."""

    def clear() -> None:
        for cached in (verified.load, verified._prover, verified.sympy_version):
            cached.cache_clear()
        verified._KEYS.clear()

    clear()
    yield
    clear()


@pytest.fixture
def what() -> Derivation:
    return catalogue.get("fsdp-memory")


def again(what: Derivation, **changed: object) -> Derivation:
    """The same derivation with some fields changed."""
    fields = {name: getattr(what, name) for name in what.__dataclass_fields__}
    return Derivation(**{**fields, **changed})


def test_a_key_is_the_same_for_the_same_derivation(what: Derivation) -> None:
    assert verified.key(again(what)) == verified.key(what)
    assert verified.key(again(what, title="Another title")) == verified.key(what)  # not proved


def test_keys_of_different_derivations_differ() -> None:
    keys = [verified.key(one) for one in catalogue.every()]
    assert len(set(keys)) == len(keys)


def other_oracle(**_: object) -> int:
    return 1


def test_a_key_changes_with_everything_a_verdict_rests_on(
    what: Derivation, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = verified.key(what)
    used = what.uses["S"].derivation
    changed_use = again(used, chain=used.chain.replace("rows", "1*rows"))
    changes = {
        "chain": what.with_chain(what.chain.replace("collect", "gather")),
        "given": again(what, given=()),
        "unit": again(what, unit=what.letters["N"].dimension),
        "letters": again(what, letters={**what.letters, "N": BATCH}),
        "ledger": again(what, ledger=what.ledger[1:]),
        "oracle": again(what, oracle=other_oracle),
        "used chain": again(what, uses={**what.uses, "S": changed_use.at()}),
        "arguments": again(what, uses={**what.uses, "S": used.at(L="L + 1")}),
    }
    keys = {name: verified.key(one) for name, one in changes.items()}
    assert before not in keys.values()
    assert len(set(keys.values())) == len(keys)


@pytest.mark.parametrize("what_changed", ["_behind", "_prover"])
def test_a_key_changes_with_the_sources_behind_the_oracle_and_with_the_prover(
    what: Derivation, monkeypatch: pytest.MonkeyPatch, what_changed: str
) -> None:
    before, real = verified.key(what), getattr(verified, what_changed)
    monkeypatch.setattr(verified, what_changed, lambda *a: real(*a) + " ")
    verified._KEYS.clear()
    assert verified.key(what) != before


def entry(what: Derivation, key: str) -> dict[str, object]:
    return {
        "key": key, "sympy": verified.sympy_version(), "word": "proved", "steps": [{}, {}],
        "warnings": [],
        "oracle": {"word": "proved", "how": "agrees at 24 points", "points": 24},
        "simplified": "", "solutions": {},
    }  # fmt: skip


def saved(folder: Path, entries: dict[str, object]) -> Path:
    path = folder / "verified.json"
    path.write_text(json.dumps({"derivations": entries}))
    return path


def use_file(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    real = verified.load
    monkeypatch.setattr(verified, "load", lambda _: real(path))


def test_a_fresh_entry_is_believed_and_a_stale_one_is_not(
    what: Derivation, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    use_file(monkeypatch, saved(tmp_path, {what.id: entry(what, verified.key(what))}))
    assert verified.fresh(what) is not None
    assert "Proved: 2 steps. Counted a second way: " in derivation_text(what)
    changed = what.with_chain(what.chain.replace("collect", "gather"))
    assert verified.fresh(changed) is None
    assert "Not verified (run `workings verify`)." in derivation_text(changed)
    assert "roved:" not in derivation_text(changed)


def test_a_proof_under_another_sympy_is_believed_and_says_under_which(
    what: Derivation, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kept = {**entry(what, verified.key(what)), "sympy": "1.13.0"}
    use_file(monkeypatch, saved(tmp_path, {what.id: kept}))
    assert "Proved under SymPy 1.13.0: 2 steps. " in derivation_text(what)
    page = markdown_of(tmp_path, f"```{{chain}} {what.id}\n```\n")
    assert "Proved under SymPy 1.13.0: 2 steps. " in page
    said = run("verify", what.id, "--stale", "--dry-run").stdout
    assert f"\n{what.id} " not in said  # it is not stale
    old, installed = "\n1 proved under SymPy 1.13.0: ", verified.sympy_version()
    assert said.endswith(f"{old}`workings verify` proves them under {installed}\n")
    said = run("verify", what.id, "--dry-run").stdout
    assert f"\n{what.id} " in said
    assert said.endswith(f"{old}now {installed}\n")


def test_a_missing_file_verifies_nothing(
    what: Derivation, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    use_file(monkeypatch, tmp_path / "nowhere.json")
    assert verified.fresh(what) is None
    assert "Not verified (run `workings verify`)." in derivation_text(what)


def test_saving_keeps_what_the_catalogue_has_and_drops_the_rest(what: Derivation, tmp_path: Path) -> None:
    path = saved(tmp_path, {"gone": {"key": "1"}, "kept": {"key": "2"}})
    verified.save({what.id: {"key": "3"}, "alien": {"key": "4"}}, ["kept", what.id], path)
    found = json.loads(path.read_text(encoding="utf-8"))
    assert found["derivations"] == {what.id: {"key": "3"}, "kept": {"key": "2"}}
    assert path.read_text(encoding="utf-8").endswith("}\n")


def test_saving_twice_writes_the_same_bytes(what: Derivation, tmp_path: Path) -> None:
    path = tmp_path / "verified.json"
    verified.save({what.id: {"b": 1, "a": "×"}}, [what.id], path)
    first = path.read_bytes()
    verified.save({what.id: {"a": "×", "b": 1}}, [what.id], path)
    assert path.read_bytes() == first
    assert "×" in first.decode()


def test_the_installed_version_is_read_without_loading_sympy() -> None:
    code = (
        "import sys; from workings.verification.verified import sympy_version; print(sympy_version()); "
        "print('sympy' in sys.modules)"
    )
    ran = subprocess.run(  # noqa: S603 - this Python and our own lines
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env={"PYTHONPATH": str(PACKAGE.parent)},
    )  # fmt: skip
    assert ran.stdout.split()[1] == "False"
    assert ran.stdout.split()[0] == verified.sympy_version()


def test_every_derivation_has_a_fresh_verdict_on_file() -> None:
    """Where this fails, run `make verify`: pages say "not verified" until then."""
    stale = [what.id for what in catalogue.every() if verified.fresh(what) is None]
    assert not stale
    words = {what.id: verified.load()[what.id]["word"] for what in catalogue.every()}
    assert "refuted" not in words.values()


# --- a copy of the package, to drop files into ------------------------------------------------


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The package and its templates in a folder of their own."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGE, tmp_path / "src" / "workings", ignore=ignored)
    shutil.copytree(ROOT / "templates", tmp_path / "templates")
    return tmp_path


def at(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command line of the copy."""
    return subprocess.run(  # noqa: S603 - this Python and our own lines
        [sys.executable, "-c", "from workings.cli import main; main()", *arguments],
        capture_output=True, text=True, check=False, cwd=copy,
        env={"PYTHONPATH": str(copy / "src"), "PYTHONUTF8": "1", "PATH": os.environ["PATH"]},
    )  # fmt: skip


def contributed() -> str:
    """The derivation that docs/derivations.md shows."""
    text = (ROOT / "docs" / "derivations.md").read_text(encoding="utf-8")
    return text.partition("```python\n")[2].partition("```\n")[0]


@pytest.mark.slow
@pytest.mark.parametrize("topic", ["memory", "a_new_topic"])
def test_one_file_dropped_into_a_topic_is_found_shown_and_proved(copy: Path, topic: str) -> None:
    folder = copy / "src" / "workings" / "derivations" / topic
    if not folder.exists():
        folder.mkdir()
        (folder / "__init__.py").write_text("")
    (folder / "predictions.py").write_text(contributed(), encoding="utf-8")
    listed = at(copy, "list", topic.replace("_", " "))
    assert "  batch-predictions " in listed.stdout, listed.stderr
    assert "Not verified" in at(copy, "show", "batch-predictions").stdout
    verdict = at(copy, "verify", "batch-predictions")
    assert verdict.returncode == 0, verdict.stderr
    assert "batch-predictions" in verdict.stdout
    assert "proved " in verdict.stdout
    shown = at(copy, "show", "batch-predictions").stdout
    assert "Proved: 1 step" in shown
    assert "Counted a second way: Every token that has one before it in its sequence" in shown
    value = at(copy, "value", "batch-predictions", "--at", "xxl-220b").stdout
    assert value.splitlines()[-3].endswith("= 8,188")
    others = json.loads((copy / "src/workings/verification/verified.json").read_text(encoding="utf-8"))
    assert "fsdp-memory" in others["derivations"]  # what was on file stays


BELIEVED = """
from workings import catalogue
from workings.verification import verified
oracle = {"word": "proved", "how": "agrees at 24 points", "points": 24}
verified.save({
    what.id: {"key": verified.key(what), "sympy": verified.sympy_version(), "word": "proved",
              "steps": [{}], "oracle": oracle, "warnings": [], "simplified": "", "solutions": {}}
    for what in catalogue.every()
}, catalogue.ids())
"""


@pytest.mark.slow
def test_an_edited_chain_takes_the_word_from_itself_and_from_what_uses_it(copy: Path) -> None:
    subprocess.run(  # noqa: S603 - this Python and our own lines
        [sys.executable, "-c", BELIEVED], check=True, env={"PYTHONPATH": str(copy / "src")}
    )
    users = ("model-state", "fsdp-memory", "fsdp-smallest-n")
    for id_ in (*users, "ring-all-reduce"):
        assert "Proved: 1 step" in at(copy, "show", id_).stdout
    chain = copy / "src/workings/derivations/memory/stack.py"
    text = chain.read_text(encoding="utf-8")
    chain.write_text(text.replace("bytes a parameter, times", "bytes for each, times"), "utf-8")
    for id_ in users:
        assert "Not verified" in at(copy, "show", id_).stdout
    assert "Proved" in at(copy, "show", "ring-all-reduce").stdout
    (copy / "src/workings/verification/verified.json").unlink()
    assert "Not verified" in at(copy, "show", "ring-all-reduce").stdout
