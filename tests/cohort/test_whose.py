"""Whose a hand-in is: by the names of its file and folders, and by the sheet that it copies."""

from pathlib import Path

from a_class import RIGHT, answers, class_in, graded, rows_of, sheet_of
from documents import run
from looping import each

from workings.cohort.naming import Named
from workings.cohort.register import Entry, read_register
from workings.errors import UserError
from workings.grade.sheet_line import Sheet, sheets_in

CLASS = [
    ("s1042", "Ada Lovelace"), ("s1017", "Alan Turing"), ("s1100", "张伟"), ("b@x.org", "Emmy"),
    ("s10", "Grace Brewster Hopper"), ("x_1", "Zoë O'Neill"), ("7", "Sam Lee"), ("8", "Sam Lee"),
    ("2006", "Siobhán O'Brien"), ("2007", "Łukasz Żółć"), ("2008", "Jürgen Groß"), ("2009", "陈伟"),
    ("2010", "José Sá"), ("2011", "Jose Sa"),
]  # fmt: skip
NAMED = Named([Entry(id_, name, Sheet(id_, "0abcde")) for id_, name in CLASS])
NAMES = {
    "s1042": "s1042", "hw2_s1042_ada": "s1042", "S1042 (1)": "s1042", "HW2-s1042": "s1042",
    "Ada Lovelace_12345_file_hw2": "s1042", "Lovelace, Ada": "s1042",
    "lovelaceada_LATE_12345_678_hw2": "s1042",
    "Turing_Alan_hw2": "s1017", "hw2_张伟": "s1100", "hopper grace brewster": "s10", "x_1_hw": "x_1",
    "x-1": "x_1", "Zoe\u0308 O\u2019Neill_99_hw": "x_1", "b@x.org_hw2": "b@x.org",
    "Emmy_77_hw2": "b@x.org", "Sam Lee_8_hw2": "8", "s10": "s10",
    "obriensiobhan_20_pset": "2006", "Siobhán OBrien_20": "2006", "Siobhan O_Brien": "2006",
    "Siobhán O’Brien": "2006", "Lukasz Zolc_hw2": "2007", "zolclukasz_9": "2007",
    "Jurgen Gross_hw2": "2008", "grossjurgen_1_hw2": "2008", "Jürgen Groß": "2008",
}  # fmt: skip
NOBODY = [
    "hw2",
    "s104",
    "s10421",
    "xs1042",
    "adam lovelace",
    "turing",
    "",
    "..",
    "lovelace",
    "chenwei_1_hw2",
]
SEVERAL = {
    "Sam Lee_hw2": {"7", "8"},
    "Jose Sa_hw2": {"2010", "2011"},
    "s1042_s1017": {"s1042", "s1017"},
    "s1042 alan turing": {"s1042", "s1017"},
}


@each("name", NAMES)
def test_a_name_speaks_of_the_student_whose_id_or_name_stands_in_it(name: str) -> None:
    assert [one.student for one in NAMED.in_(name)] == [NAMES[name]]


@each("name", NOBODY)
def test_parts_of_ids_and_names_speak_of_nobody(name: str) -> None:
    assert not NAMED.in_(name)


@each("name", SEVERAL)
def test_a_name_that_may_be_that_of_two_students_chooses_none(name: str) -> None:
    assert {one.student for one in NAMED.in_(name)} == SEVERAL[name]


LINES = {
    "*Systems · Variant s1042 · 2c7c41*": "s1042 · 2c7c41",
    r"Systems · Variant a\_1 \ensuremath{\cdot} 2c7c41\end{center}": "a_1 · 2c7c41",
    r'"*Variant b@x.org \u00b7 092371*\n",': "b@x.org · 092371",
    "variant: s1042 - 2C7C41": "s1042 · 2c7c41",
    "版本 1 · 0abcde": "1 · 0abcde",
}


@each("line", LINES)
def test_the_line_of_a_sheet_is_read_in_every_format(line: str) -> None:
    assert [str(sheet) for sheet in sheets_in(f"Words\n{line}\nmore.")] == [LINES[line]]


@each("line", ["Variant 3 of 123456", "a variant of 2c7c41", "Variant s1042", "Variant s1042 · 2c7c41ff"])
def test_other_lines_are_no_sheets(line: str) -> None:
    assert not sheets_in(line)


def test_each_student_is_graded_by_their_own_key_however_the_file_tells_who_it_is(tmp_path: Path) -> None:
    class_in(tmp_path)
    made = graded(tmp_path, {
        "Ada Lovelace_77_assignsubmission_file_/hw2.md": answers(*RIGHT["s1042"]),
        "turingalan_12345_678_hw2.md": answers(*RIGHT["s1017"]),
        "mine.md": answers(*RIGHT["s1100"], sheet_of(tmp_path, "s1100")),
    }, "-o", str(tmp_path / "marked"))  # fmt: skip
    assert made.exit_code == 0, made.output
    rows = rows_of(tmp_path / "marked" / "marks.csv")
    assert {row["id"]: row["points"] for row in rows} == {"s1042": "2", "s1017": "2", "s1100": "2"}
    assert sorted(path.name for path in (tmp_path / "marked").iterdir()) == [
        "answers.csv", "marks.csv", "overview.csv", "s1017.txt", "s1042.txt", "s1100.txt",
    ]  # fmt: skip


def test_a_folder_that_is_named_itself_may_be_a_students(tmp_path: Path) -> None:
    class_in(tmp_path)
    for folder, student in (("Ada Lovelace_7_file_", "s1042"), ("Alan Turing_8_file_", "s1017")):
        path = tmp_path / "in" / folder / "hw2.md"
        path.parent.mkdir(parents=True)
        path.write_text(answers(*RIGHT[student]), encoding="utf-8")
    each_folder = [str(path) for path in sorted((tmp_path / "in").iterdir())]
    made = run("grade", str(tmp_path / "out"), *each_folder)
    assert made.exit_code == 0, made.output
    assert [row.split(",")[3] for row in made.stdout.splitlines()[1:]] == ["2", "2"]
    made = run("grade", str(tmp_path / "out"), f"{each_folder[0]}/hw2.md")
    assert "(s1042, Ada Lovelace): 2 of 2" in made.stdout


def test_a_file_in_the_folder_of_another_student_is_not_decided_on(tmp_path: Path) -> None:
    class_in(tmp_path)
    made = graded(tmp_path, {"Ada Lovelace_7_file_/s1017.md": answers(*RIGHT["s1017"])})
    assert made.exit_code == 2
    assert "found the names of 2 students (s1017, Alan Turing; s1042, Ada Lovelace)" in made.stderr


def test_what_belongs_to_nobody_or_to_two_is_listed_and_nothing_is_written(tmp_path: Path) -> None:
    class_in(tmp_path)
    files = {
        "s1042.md": answers(*RIGHT["s1042"]), "hw2.md": answers(*RIGHT["s1017"]),
        "s1017_s1100.md": answers(*RIGHT["s1017"]), "lost.md": "Variant s1042 · 000000\n\n(1) 26\n",
    }  # fmt: skip
    made = graded(tmp_path, files, "-o", str(tmp_path / "marked"))
    assert made.exit_code == 2
    assert not (tmp_path / "marked").exists()
    said = made.stderr.splitlines()
    assert "hw2.md: found neither a student's id or name in its name nor the line of a sheet" in said[0]
    assert "lost.md: found the sheet of variant s1042 · 000000, of which there is no key" in said[1]
    assert "s1017_s1100.md: found the names of 2 students (s1017, Alan Turing; s1100, 张伟)" in said[2]
    assert "--skip-unknown" in said[3]


def test_the_rest_is_graded_where_these_are_left_out(tmp_path: Path) -> None:
    class_in(tmp_path)
    files = {"s1042.md": answers(*RIGHT["s1042"]), "hw2.md": answers(*RIGHT["s1017"])}
    made = graded(tmp_path, files, "--skip-unknown", "-o", str(tmp_path / "marked"))
    assert made.exit_code == 2
    first, left, *missing = rows_of(tmp_path / "marked" / "marks.csv")
    assert (first["id"], first["points"]) == ("s1042", "2")
    assert (left["id"], left["points"], left["confirm"]) == ("", "", "all")
    assert [(row["id"], row["feedback"]) for row in missing] == [
        ("s1017", "nothing was handed in"), ("s1100", "nothing was handed in"),
    ]  # fmt: skip


def test_a_file_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    class_in(tmp_path)
    made = run("grade", str(tmp_path / "out"), str(tmp_path / "s1042.md"))
    assert made.exit_code == 2
    assert "s1042.md: no such file, expected a hand-in\n" in made.stderr


def test_two_hand_ins_of_one_student_are_not_chosen_from(tmp_path: Path) -> None:
    class_in(tmp_path)
    made = graded(tmp_path, {"s1042.md": "(1) 26", "s1042_final.md": "(1) 44"})
    assert made.exit_code == 2
    assert "s1042.md: found 2 hand-ins of s1042, Ada Lovelace (also " in made.stderr


def test_a_variant_without_students_is_known_by_its_sheet_and_never_by_a_number(tmp_path: Path) -> None:
    class_in(tmp_path, roster="", options=("--variants", "2"))
    made = graded(tmp_path, {"hw_2.md": "(1) 26"})
    assert made.exit_code == 2
    assert "hw_2.md: found neither" in made.stderr
    one = sheet_of(tmp_path, "1")
    made = graded(tmp_path, {"hw_2.md": answers("9", "9 GB", one), "b.md": answers("9", "9 GB", one)})
    assert made.exit_code == 1
    assert [row.split(",")[0].rpartition("/")[2] for row in made.stdout.splitlines()[1:]] == [
        "b.md",
        "hw_2.md",
    ]


def test_students_who_share_a_variant_are_told_apart_by_name_alone(tmp_path: Path) -> None:
    class_in(tmp_path, options=("--variants", "1"))
    line = sheet_of(tmp_path, "1")
    made = graded(tmp_path, {"hw.md": answers("9", "9 GB", line)})
    assert "hw.md: found sheets of 3 students or variants, expected an id such as s1042" in made.stderr
    (tmp_path / "in" / "hw.md").rename(tmp_path / "in" / "s1017.md")
    assert ',"s1017, Alan Turing",' in graded(tmp_path, {}).stdout


def test_a_folder_that_no_handout_was_written_to_is_refused(tmp_path: Path) -> None:
    made = graded(tmp_path, {"s1.md": "(1) 3"})
    assert made.exit_code == 2
    (tmp_path / "out").mkdir()
    made = graded(tmp_path, {})
    assert made.exit_code == 2
    assert "found no index.csv, expected the folder that workings handout wrote" in made.stderr


BAD = {
    "a,b\n1,2\n": "found no column variant",
    "variant,student,name\n../x,a,b\n": "'../x', expected the name of a variant",
    "variant,student,name\ngone,a,b\n": "found no key.toml in the folder gone",
    "variant,student,name\n": "found 0 variants",
    "variant,student,name\n\xff": "expected what workings handout wrote",
}


@each("text", BAD)
def test_an_index_that_was_changed_by_hand_is_refused_in_a_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "index.csv").write_bytes(text.encode("latin-1"))
    try:
        read_register(tmp_path)
    except UserError as error:
        said = str(error)
    assert BAD[text] in said
    assert "index.csv" in said


def test_a_spreadsheet_that_made_a_number_of_a_hash_changes_nothing(tmp_path: Path) -> None:
    index = class_in(tmp_path) / "index.csv"
    before = read_register(tmp_path / "out").entries
    index.write_text(index.read_text("utf-8").replace(before[0].sheet.hash, "8.5E+05"), "utf-8")
    assert read_register(tmp_path / "out").entries == before


def form_of(folder: Path, student: str, devices: str, memory: str) -> str:
    """The answer form of a student's sheet, with these answers."""
    form = (folder / "out" / student / "sheet.answers.txt").read_text("utf-8")
    return form.replace("1 [whole number]: ", f"1 [whole number]: {devices}").replace(
        "[GB]: ", f"[GB]: {memory}"
    )


def test_answer_forms_in_plain_text_are_their_students_whoever_hands_them_in(tmp_path: Path) -> None:
    class_in(tmp_path)
    forms = {student: form_of(tmp_path, student, *RIGHT[student]) for student in RIGHT}
    files = {"hw2.answers.txt": forms["s1042"], "Alan Turing_7_hw2.txt": forms["s1100"]}
    said = graded(tmp_path, files, "-o", str(tmp_path / "marked"))
    assert said.exit_code == 1, said.output
    rows = {row["id"]: row for row in rows_of(tmp_path / "marked" / "marks.csv")}
    assert [rows[id_]["points"] for id_ in ("s1042", "s1017", "s1100")] == ["2", "0", ""]
    assert rows["s1042"]["remarks"] == ""
    assert (
        f"found the sheet of variant s1100 · {sheet_of(tmp_path, 's1100')[-6:]}"
        in rows["s1017"]["remarks"]
    )
