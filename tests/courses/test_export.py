"""`workings handout --export` writes a quiz for the system of a course."""

import tempfile
from pathlib import Path

from documents import run
from looping import each
from quizzes import BODY, FRONT, source


def exported(folder: Path, *arguments: str, code: int = 0) -> str:
    """What the command says, to either stream."""
    path = folder / "hw.md"
    if not path.exists():
        source(folder)
    result = run("handout", str(path), *arguments)
    assert result.exit_code == code, (result.output, result.exception)
    return result.stderr if code else result.stdout


def test_a_handout_as_it_stands_is_one_quiz(tmp_path: Path) -> None:
    out = tmp_path / "out"
    said = exported(tmp_path, "--export", "moodle,qti,prairielearn,csv", "-o", str(out)).splitlines()
    names = ["hw.canvas.zip", "hw.csv", "hw.moodle.xml", "hw.prairielearn"]
    assert said[:4] == [str(out / name) for name in names]
    assert sorted(path.name for path in out.iterdir()) == names
    assert all(line.startswith(("Moodle", "Canvas", "PrairieLearn")) for line in said[4:])


def test_with_variants_their_sheets_are_written_and_all_are_in_the_quiz(tmp_path: Path) -> None:
    out = tmp_path / "out"
    options = ("--variants", "3", "--seed", "7", "--format", "md", "--export", "moodle,csv")
    said = exported(tmp_path, *options, "-o", str(out)).splitlines()
    assert said[0] == f"{out / 'index.csv'}: 3 variants, 15 files"
    assert said[1:3] == [str(out / "hw.csv"), str(out / "hw.moodle.xml")]
    assert len((out / "hw.csv").read_text("utf-8").splitlines()) == 1 + 3 * 8
    again = exported(tmp_path, *options, "-o", str(out)).splitlines()
    assert again == said


def test_only_what_was_asked_for_is_written(tmp_path: Path) -> None:
    exported(tmp_path, "--export", "csv", "-o", str(tmp_path / "out"))
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["hw.csv"]


REFUSED = {
    ("--export", "blackboard"): "--export: found 'blackboard', expected moodle, qti, prairielearn, csv",
    ("--export", ","): "--export: found nothing, expected moodle, qti, prairielearn, csv",
    ("--export", "csv", "--seed", "3"): "--seed: found it beside --export alone, expected --variants or "
    "--students, too",
    (
        "--export",
        "csv",
        "--format",
        "md",
    ): "--format: found it beside --export alone, expected --variants or --students, too",
}


@each("arguments", REFUSED, ids=" ".join)
def test_what_cannot_be_is_refused_and_nothing_is_written(arguments: tuple[str, ...]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        said = exported(Path(folder), *arguments, "-o", str(out), code=2)
        assert REFUSED[arguments] in said
        assert not out.exists()


def test_a_quiz_needs_a_folder_of_its_own(tmp_path: Path) -> None:
    assert "-o: found no folder, expected one" in exported(tmp_path, "--export", "csv", code=2)
    said = exported(tmp_path, "--export", "csv", "-o", str(tmp_path), code=2)
    assert "found the folder of the source, expected one of its own" in said


def test_a_handout_without_answers_has_no_quiz(tmp_path: Path) -> None:
    (tmp_path / "hw.md").write_text(
        FRONT.format(language="")
        + "\n```{question} 1\nWhat of {value}`batch` in {value}`memory`?\n```\n",
        "utf-8",
    )
    for variants in ((), ("--variants", "2")):
        said = exported(tmp_path, *variants, "--export", "csv", "-o", str(tmp_path / "out"), code=2)
        assert "hw.md: found no {answer}, expected one or more to export" in said
        assert not (tmp_path / "out").exists()


def test_points_that_no_answer_explains_are_given_by_a_person(tmp_path: Path) -> None:
    body = BODY + "\n```{question} 4\n:points: 5\nDiscuss.\n```\n\n```{solution}\nSo.\n```\n"
    path = source(tmp_path, body)
    run("handout", str(path), "--export", "csv", "-o", str(tmp_path / "out"))
    last = (tmp_path / "out" / "hw.csv").read_text("utf-8").splitlines()[-1]
    assert last == ",4,4-work,text,marked by a person,,,,5,,marked by a person (5)"
