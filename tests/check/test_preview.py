"""By default `check` accuses by rules that are right often enough, and says how much it holds back."""

import json
import os
from pathlib import Path

import pytest
from documents import run

from workings.check import check_file, check_text
from workings.check.running import Task, check_one
from workings.check.verdicts import Checked
from workings.claims.rules import rules

ROOT = Path(__file__).parents[2]
COMMITTED = (ROOT / "examples", ROOT / "tests" / "grade" / "hand_ins")
MIXED = r"""# A page with one mistake of each sort

With $d = 2048$ and $f = 14336$: `6 * 7 = 43`, and

$(d + f)^2 = d^2 + f^2$ or $2 d f = 3 d f$.

| what | GB |
|---|---|
| weights | 14.2 |
| gradients | 15.3 |
| total | 39.5 |

<!-- workings: ring-all-reduce -->
$V = (N - 1)/N S$
"""


def documents(folder: Path) -> list[Path]:
    """The documents of a folder that the checker reads."""
    return sorted(path for path in folder.glob("*") if path.suffix in (".md", ".tex", ".ipynb", ".txt"))


def practice() -> list[Path]:
    """The labelled documents that lie beside the repository, if they do."""
    shared = Path(os.environ.get("WORKINGS_SHARED", ROOT.parent / "shared"))
    return [path for name in ("practice", "derivations") for path in documents(shared / name)]


def stray_in(path: Path) -> list[tuple[str, int, str]]:
    """The accusations that are by no rule that accuses by default, nor asked for by a comment."""
    checked = check_one(Task(str(path)))
    assert isinstance(checked, Checked), checked
    accusing = {rule.id for rule in rules() if not rule.preview}
    accusing.add("catalogue")
    return [(s.file, s.line, s.quote) for s in checked.wrong if s.rule not in accusing]


def accusing(checked: Checked) -> set[str]:
    return {s.rule for s in checked.wrong}


def test_only_default_rules_and_what_a_comment_names_is_accused_unless_a_preview_is_asked_for() -> None:
    assert accusing(check_text(MIXED)) == {"arithmetic", "catalogue", "table-total"}
    assert accusing(check_text(MIXED, preview=True)) == accusing(check_text(MIXED)) | {"identity"}


def test_what_is_held_back_stays_in_its_place_without_a_word_against_it() -> None:
    shown, whole = check_text(MIXED), check_text(MIXED, preview=True)
    assert len(shown.statements) == len(whole.statements)
    quiet = [
        (now, then) for now, then in zip(shown.statements, whole.statements, strict=True) if now != then
    ]
    assert [then for _, then in quiet] == list(shown.held) != []
    for now, _ in quiet:
        assert (now.verdict, now.expected, now.explanations) == ("undecided", "", ())
        assert "--preview" in now.reason


def test_no_committed_example_is_accused_by_a_preview() -> None:
    paths = [path for folder in COMMITTED for path in documents(folder)]
    assert len(paths) > 7
    assert [found for path in paths for found in stray_in(path)] == []


@pytest.mark.slow
def test_no_labelled_document_is_accused_by_a_preview() -> None:
    if not (paths := practice()):
        pytest.skip("the labelled documents are no part of this repository")
    assert [found for path in paths for found in stray_in(path)] == []


# --- the command line -------------------------------------------------------------------------


def held_line(*arguments: str, text: Path) -> list[str]:
    result = run("check", str(text), *arguments)
    return [line for line in (result.stdout + result.stderr).splitlines() if "held back" in line]


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.md"
    path.write_text(MIXED, encoding="utf-8")
    return path


def test_every_format_says_in_one_line_how_much_is_held_back(page: Path) -> None:
    count = len(check_file(page).held)
    assert count > 1
    for form in ("text", "json", "github", "sarif", "md", "csv"):
        said = held_line("--format", form, text=page)
        assert len(said) == 1, form
        assert f"{count} further remarks are held back" in said[0], form
        assert held_line("--format", form, "--preview", text=page) == [], form


def test_nothing_is_said_of_it_where_nothing_is_held_back(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("`6 * 7 = 43`", encoding="utf-8")
    assert held_line(text=tmp_path / "a.md") == []


def test_what_is_held_back_does_not_count_for_the_exit_code(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("$(p + 1)^2 = p^2 + 1$\n", encoding="utf-8")
    assert run("check", str(tmp_path / "a.md")).exit_code == 0
    assert run("check", str(tmp_path / "a.md"), "--preview").exit_code == 1


def test_a_baseline_of_a_preview_is_not_stale_without_one(page: Path, tmp_path: Path) -> None:
    known = str(tmp_path / "known.json")
    run("check", str(page), "--preview", "--write-baseline", known)
    for arguments in ((), ("--preview",)):
        result = run("check", str(page), "--baseline", known, *arguments)
        assert result.exit_code == 0
        assert "found no more" not in result.stdout


def test_a_key_calls_no_line_bad_for_what_is_held_back(tmp_path: Path) -> None:
    hand_in = ROOT / "tests" / "grade" / "hand_ins" / "right.md"
    with_more = tmp_path / "right.md"
    with_more.write_text(hand_in.read_text(encoding="utf-8") + "\n$(p + 1)^2 = p^2 + 1$\n", "utf-8")

    def graded(*arguments: str) -> tuple[int, list[int | None], str]:
        result = run("check", "--key", "xxl-220b", "--format", "json", str(with_more), *arguments)
        parts = json.loads(result.stdout)["files"][0]["parts"]
        bad = [p["first_bad_line"]["line"] if p["first_bad_line"] else None for p in parts]
        return result.exit_code, bad, result.stdout

    code, bad, said = graded()
    assert (code, set(bad)) == (0, {None})
    assert "1 further remark is held back" in said
    code, bad, said = graded("--preview")
    assert code == 1
    assert set(bad) != {None}
    assert "held back" not in said
