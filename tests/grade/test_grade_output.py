"""Suggested marks as text, JSON, Markdown and CSV, and `check --key` on the command line."""

import csv
import json
import re
import shutil
from io import StringIO
from pathlib import Path

import pytest
from attacks import ATTACKS
from click.testing import CliRunner, Result
from looping import each

from workings.cli import main
from workings.findings import WRITERS
from workings.findings.as_csv import csv_text
from workings.grade.handed_back import names_of

HAND_INS = Path(__file__).parent / "hand_ins"


def run(*arguments: str | Path, text: str | None = None) -> Result:
    return CliRunner().invoke(main, ["check", "--key", "xxl-220b", *map(str, arguments)], input=text)


def test_text_says_what_was_taken_from_which_line_and_what_it_earns() -> None:
    found = run(HAND_INS / "right.md")
    assert found.exit_code == 0
    assert "right.md: 15 of 15 for “The 220B XXL exercise”: (a) 5 of 5, (b) 4 of 4" in found.stdout
    assert re.search(r"right\.md:19:\d+ +right +\(b\) devices below 95 GB, 4 of 4: 156\n", found.stdout)
    assert found.stdout.endswith("These are suggestions: a person confirms the marks.\n")


def test_anything_wrong_gives_exit_code_1_and_names_the_first_bad_line() -> None:
    found = run(HAND_INS / "off_by_thousand.md")
    assert found.exit_code == 1
    said = "first bad line of (a): 16 × 219,848,638,464 = 3,517,578 GB  [arithmetic]"
    assert re.search(rf"thousand\.md:2:\d+ +wrong +{re.escape(said)}\n", found.stdout)


def test_json_has_every_answer_with_its_method() -> None:
    found = json.loads(run(HAND_INS / "rounded.md", "--format", "json").stdout)
    (file,) = found["files"]
    assert (file["marks"], file["of"], file["error"]) == (15, 15, None)
    part = next(part for part in file["parts"] if part["id"] == "b")
    assert part["first_bad_line"] is None
    (answer,) = part["answers"]
    assert (answer["verdict"], answer["line"], answer["taken"]) == ("accepted", 4, "157 GPUs")
    assert answer["method"]["verdict"] == "right"


def test_markdown_is_a_table() -> None:
    found = run(HAND_INS / "wrong_mesh.md", "--format", "md")
    row = "known wrong | (c) batch a device, 0 of 3: <code>61.3 tokens</code> |"
    assert re.search(rf"\| 5:\d+ \| {re.escape(row)}", found.stdout)


def test_a_folder_gives_one_row_a_hand_in(tmp_path: Path) -> None:
    for name in ("right.md", "wrong_mesh.md", "solution.tex"):
        shutil.copy(HAND_INS / name, tmp_path)
    found = run(tmp_path)
    rows = list(csv.DictReader(StringIO(found.stdout)))
    assert found.exit_code == 1
    assert [(Path(row["file"]).name, row["marks"], row["marks_b"]) for row in rows] == [
        ("right.md", "15", "4"), ("solution.tex", "15", "4"), ("wrong_mesh.md", "5", "0"),
    ]  # fmt: skip


def test_a_pdf_is_refused_with_what_to_supply(tmp_path: Path) -> None:
    pdf = tmp_path / "homework.pdf"
    pdf.write_bytes(b"%PDF-1.7\n")
    found = run(pdf)
    assert found.exit_code == 2
    assert "supply .md, .tex or .ipynb" in found.stderr


def test_a_pdf_in_a_folder_has_its_row_and_gives_exit_code_2(tmp_path: Path) -> None:
    shutil.copy(HAND_INS / "right.md", tmp_path)
    (tmp_path / "homework.pdf").write_bytes(b"%PDF-1.7\n")
    found = run(tmp_path)
    rows = list(csv.DictReader(StringIO(found.stdout)))
    assert found.exit_code == 2
    assert [row["marks"] for row in rows] == ["15", ""]
    assert "PDF" in rows[1]["error"]


def test_standard_input_is_graded() -> None:
    assert "-: 4 of 15" in run("-", text="(b) So **N = 156**.\n").stdout


@pytest.mark.parametrize(
    ("options", "said"),
    [(("--strict",), "--key goes with"), (("--select", "arithmetic"), "found --select")],
)
def test_options_that_do_not_go_with_a_key_are_refused(options: tuple[str, ...], said: str) -> None:
    found = run(HAND_INS / "right.md", *options)
    assert found.exit_code == 2
    assert said in found.stderr


def test_a_hand_in_is_not_written_over(tmp_path: Path) -> None:
    shutil.copy(HAND_INS / "right.md", tmp_path)
    found = run(tmp_path / "right.md", "--output", tmp_path / "right.md")
    assert found.exit_code == 2
    assert (tmp_path / "right.md").read_bytes() == (HAND_INS / "right.md").read_bytes()


def test_output_goes_to_a_file(tmp_path: Path) -> None:
    assert run(HAND_INS / "right.md", "-o", tmp_path / "marks.txt").exit_code == 0
    assert "15 of 15" in (tmp_path / "marks.txt").read_text(encoding="utf-8")


@each("attack", [a for a in ATTACKS if "\x00" not in a and "\ud800" not in a])
@each("form", WRITERS)
def test_nothing_of_a_hand_in_acts(attack: str, form: str) -> None:
    found = run("-", "--format", form, text=f"(b) So $\\boxed{{156 \\text{{{attack}}}}}$ {attack}\n")
    assert found.exit_code in (0, 1)
    assert not set(found.stdout) & {"\x1b", "\x07", "\u202e"}
    assert "<script>" not in found.stdout or form == "text"


def grade(*arguments: str | Path, text: str | None = None) -> Result:
    return CliRunner().invoke(main, ["grade", "xxl-220b", *map(str, arguments)], input=text)


def test_grade_says_what_check_with_a_key_says() -> None:
    assert grade(HAND_INS / "wrong_mesh.md").stdout == run(HAND_INS / "wrong_mesh.md").stdout


@each("form", WRITERS)
def test_a_student_is_told_verdict_and_hint_and_no_right_answer(form: str) -> None:
    text = "(b) So **N = 120000**, and (c) the batch overall is **54,400 tokens**."
    told = grade("-", "--for", "student", "--format", form, text=text)
    assert "156" in grade("-", "--format", form, text=text).stdout or form == "csv"
    assert "156" not in told.stdout
    assert "20,444" not in told.stdout
    assert "times too" not in told.stdout
    assert "wrong" in told.stdout


def test_a_folder_gets_a_file_for_each_hand_in_and_the_marks_of_all(tmp_path: Path) -> None:
    for name in ("right.md", "wrong_mesh.md"):
        shutil.copy(HAND_INS / name, tmp_path)
    found = grade(tmp_path, "-o", tmp_path / "marked")
    assert found.exit_code == 1
    assert sorted(path.name for path in (tmp_path / "marked").iterdir()) == [
        "marks.csv", "right.txt", "wrong_mesh.txt",
    ]  # fmt: skip
    rows = list(csv.DictReader((tmp_path / "marked" / "marks.csv").open(encoding="utf-8")))
    assert [(row["id"], row["points"], row["of"]) for row in rows] == [
        ("right", "15", "15"), ("wrong_mesh", "5", "15"),
    ]  # fmt: skip
    assert "(c) batch a device: known wrong, 0 of 3" in rows[1]["feedback"]
    assert "5 of 15" in (tmp_path / "marked" / "wrong_mesh.txt").read_text(encoding="utf-8")


def test_what_a_person_must_confirm_is_named(tmp_path: Path) -> None:
    (tmp_path / "ann.md").write_text("(b) N is 155 or 156.\n", encoding="utf-8")
    grade(tmp_path / "ann.md", "-o", tmp_path / "marked")
    (row,) = csv.DictReader((tmp_path / "marked" / "marks.csv").open(encoding="utf-8"))
    assert (row["points"], row["confirm"]) == ("0", "b.devices")


def test_a_name_leads_nowhere_and_no_two_hand_ins_share_one() -> None:
    files = [
        "in/../../x.md",
        "in/=cmd|' /C calc'!A0.md",
        "in/a b.md",
        "in/a?b.md",
        "in/marks.md",
        "in/.md",
    ]
    names = names_of(files)
    assert len({name.casefold() for name in names.values()}) == len(files)
    assert all(re.fullmatch(r"\w[\w-]*", name) for name in names.values())
    assert "marks" not in names.values()


@each("words", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1+1", "\r=1", "＝1+1"])
def test_no_cell_is_a_formula(words: str) -> None:
    (cell,) = next(csv.reader(StringIO(csv_text([[words]]))))
    assert cell.startswith("'")
