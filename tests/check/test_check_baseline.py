"""Accepted errors: written, read, and found again wherever they have moved."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from check_cases import DEPENDS, OK, WRONG, results_of

from workings.check import baseline
from workings.check.results import Results
from workings.check.verdicts import Checked
from workings.errors import UserError


def after(tmp_path: Path, old: Results, new: Results) -> Results:
    """The new run with the old one's errors accepted, through a file."""
    path = tmp_path / "baseline.json"
    baseline.write(path, baseline.errors_in(old, path))
    return baseline.without_accepted(new, baseline.read(path), path)


def test_accepted_errors_are_left_out_and_counted(tmp_path: Path) -> None:
    results = results_of(OK, WRONG, DEPENDS)
    left = after(tmp_path, results, results)
    assert [s.verdict for s in left.statements] == ["ok", "depends"]
    assert (left.checked[0].accepted, left.exit_code, left.notes) == (1, 0, ())


def test_an_edit_above_or_other_spacing_brings_no_error_back(tmp_path: Path) -> None:
    moved = replace(WRONG, line=99, end_line=99, column=2, quote=WRONG.quote.replace(" ", "\n  "))
    assert after(tmp_path, results_of(WRONG), results_of(moved)).exit_code == 0


@pytest.mark.parametrize(
    "changed",
    [replace(WRONG, quote="2 + 2 = 5"), replace(WRONG, verdict="unit"), replace(WRONG, file="other.md")],
)
def test_another_error_is_still_reported(tmp_path: Path, changed: object) -> None:
    left = after(tmp_path, results_of(WRONG), results_of(changed))  # type: ignore[arg-type]
    assert left.exit_code == 1


def test_an_error_is_accepted_as_often_as_it_was_found(tmp_path: Path) -> None:
    left = after(tmp_path, results_of(WRONG, WRONG), results_of(WRONG, WRONG, WRONG))
    assert (len(left.statements), left.checked[0].accepted) == (1, 2)


def test_entries_found_no_more_are_noted(tmp_path: Path) -> None:
    left = after(tmp_path, results_of(WRONG, WRONG), results_of(WRONG))
    assert len(left.notes) == 1
    assert "1 accepted error is found no more, in " in left.notes[0]


def test_documents_that_are_not_checked_today_are_not_stale(tmp_path: Path) -> None:
    assert after(tmp_path, results_of(WRONG), Results((Checked("b.md", ()),))).notes == ()


def test_the_file_is_sorted_and_one_entry_a_line(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    errors = [replace(WRONG, file=file) for file in ("b.md", "a.md", "b.md")]
    baseline.write(path, baseline.errors_in(results_of(*errors), path))
    entries = json.loads(path.read_text())["entries"]
    assert [Path(e["file"]).name for e in entries] == ["a.md", "b.md"]
    assert [e["count"] for e in entries] == [1, 2]
    assert len(path.read_text().splitlines()) == 4


def test_names_are_seen_from_the_folder_of_the_baseline(tmp_path: Path) -> None:
    error = replace(WRONG, file=str(tmp_path / "notes" / "\udcff.md"))
    [(file, _, _)] = baseline.errors_in(results_of(error), tmp_path / "baseline.json")
    assert file == "notes/\\udcff.md"


def test_no_errors_make_a_baseline_too(tmp_path: Path) -> None:
    assert after(tmp_path, results_of(OK), results_of(WRONG)).exit_code == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "expected a file that --write-baseline wrote"),
        (b"\xff\xfe", "expected a file that --write-baseline wrote"),
        (b"[" * 100_000, "expected a file that --write-baseline wrote"),
        (b'{"version": 2, "entries": []}', "found version 2, expected 1"),
        (b'{"version": 1, "entries": [{"file": "a"}]}', "missing required field"),
        (b'{"version": 1, "entries": [{"file":"a","quote":"b","verdict":"bad","count":1}]}', "bad"),
        (b'{"version": 1, "entries": [{"file":"a","quote":"b","verdict":"wrong","count":-1}]}', ">= 1"),
    ],
)
def test_a_file_that_is_no_baseline_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "baseline.json"
    path.write_bytes(content)
    with pytest.raises(UserError, match=r"baseline\.json") as refused:
        baseline.read(path)
    assert said in str(refused.value)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"cannot read .*: No such file"):
        baseline.read(tmp_path / "none.json")
