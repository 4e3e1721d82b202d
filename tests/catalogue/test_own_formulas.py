"""One's own formulas: a folder that the command line names, with all that ours have."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from documents import run

import workings
from workings import catalogue

SRC = Path(workings.__file__).parents[1]
MODULE = '''"""Tokens that a reader gets through.

Why one asks: to know when a log is read.
"""

from workings.derivation import Source, derivation
from workings.units import ONE
from workings.vocabulary.training import BATCH, SEQUENCE_LENGTH

SOURCE = Source("Author", "Title", 2025, "section 1", "https://example.org")


def hand_out_tokens(b: int, s: int) -> int:
    """Every token of every sequence, counted one by one."""
    return sum(1 for _ in range(b) for _ in range(s))


READ_TOKENS = derivation(
    "read-tokens",
    title="Tokens in a batch that is read",
    unit=ONE,
    noun="tokens",
    letters={"b": BATCH, "s": SEQUENCE_LENGTH},
    source=SOURCE,
    oracle=hand_out_tokens,
    convention="A sequence is full.",
    chain="""
    n_tok = sum(s, (i, 1, b))     -- each of `b` sequences has `s` tokens
      = b*s                       -- equal terms
    """,
)
TWICE_READ_TOKENS = derivation(
    "twice-read-tokens",
    title="Tokens in a batch that is read twice",
    unit=ONE,
    noun="tokens",
    letters={"b": BATCH, "s": SEQUENCE_LENGTH},
    uses={"n_tok": READ_TOKENS.at()},
    source=SOURCE,
    convention="A sequence is full.",
    chain="""
    n_2 = n_tok + n_tok           -- once and once more
      = 2*n_tok                   -- equal terms
    """,
)
'''


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder of somebody's own, forgotten afterwards."""
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "reading.py").write_text(MODULE, encoding="utf-8")
    yield mine
    for name in [n for n in sys.modules if n.startswith("workings.derivations.own")]:
        del sys.modules[name]
    for cached in (catalogue.ids, catalogue.topics, catalogue.sections, catalogue.get):
        cached.cache_clear()


def test_they_are_listed_shown_evaluated_proved_and_broken_like_ours(folder: Path) -> None:
    def mine(*arguments: str) -> str:
        result = run("--derivations", str(folder), *arguments)
        assert result.exit_code == 0, result.output
        return result.stdout

    assert "Tokens that a reader gets through\n    read-tokens" in mine("list", "own")
    assert mine("value", "read-tokens", "--set", "b=3", "--set", "s=5").count("= 15\n") == 1
    assert "Not verified" in mine("show", "read-tokens")
    assert "proved" in mine("verify", "read-tokens")
    assert "undecided" in mine("verify", "twice-read-tokens")
    assert "Proved: 1 step. Counted a second way: Every token" in mine("show", "read-tokens")
    assert "Proved: 1 step. Not counted a second way." in mine("show", "twice-read-tokens")
    mine("mutants", "read-tokens")
    kept = json.loads((folder / "verified.json").read_text(encoding="utf-8"))["derivations"]
    assert set(kept) == {"read-tokens", "twice-read-tokens"}
    assert set(json.loads((folder / "mutants.json").read_text(encoding="utf-8"))) == {"read-tokens"}


def test_a_report_prints_them_only_where_the_command_line_names_their_folder(folder: Path) -> None:
    source = folder.parent / "source.md"
    source.write_text('+++\ntitle = "Mine"\nderivations = "mine"\n+++\n\n```{chain} read-tokens\n```\n')
    out = folder.parent / "out"
    refused = run("report", str(source), "-o", str(out))
    assert refused.exit_code == 2
    assert "derivations: found 'mine', whose Python runs only where the command line" in refused.stderr
    assert not out.exists()
    assert run("--derivations", str(folder), "report", str(source), "-o", str(out)).exit_code == 0
    assert "each of" in (out / "report.md").read_text(encoding="utf-8")


def test_a_notebook_loads_them_before_it_works_them_out(folder: Path) -> None:
    source = folder.parent / "source.md"
    text = "```{worked} read-tokens b=3 s=5\n```\n"
    source.write_text(f'+++\ntitle = "Mine"\nderivations = "mine"\n+++\n\n{text}')
    written = run("--derivations", str(folder), "report", str(source), "--format", "ipynb")
    assert written.exit_code == 0, written.output
    cells = json.loads((folder.parent / "report.ipynb").read_text(encoding="utf-8"))["cells"]
    *before, last = ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    assert "in the folder that holds `mine`" in "".join(cells[0]["source"])
    ran = subprocess.run(  # noqa: S603 - our own lines, in a fresh interpreter
        [sys.executable, "-c", "\n".join([*before, f"print(repr({last}))"])], cwd=folder.parent,
        capture_output=True, text=True, check=True, env={"PYTHONPATH": str(SRC)},
    )  # fmt: skip
    assert ran.stdout.strip() == "".join(cells[-1]["outputs"][0]["data"]["text/plain"])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (None, "found no folder"),
        ("", "modules that declare nothing"),
        ("1/0\n", "reading.py: it cannot be imported: ZeroDivisionError"),
        (MODULE.replace("twice-read-tokens", "fsdp-memory"), "declares fsdp-memory, which memory.fsdp"),
    ],
)
def test_what_is_wrong_with_a_folder_is_one_sentence(
    folder: Path, text: str | None, problem: str
) -> None:
    if text is None:
        folder = folder / "nothing"
    else:
        (folder / "reading.py").write_text(text, encoding="utf-8")
    result = run("--derivations", str(folder), "list", "own")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert problem in result.stderr
