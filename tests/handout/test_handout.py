"""`workings handout` writes a variant for each student, goes on after a stop, and says what changed."""

import json
import pickle
import re
from functools import partial
from hashlib import sha256
from pathlib import Path

import pytest
from documents import run
from handouts import BODY, VARY, files_in, handout_in, index_of, issued, record_of

from workings.grade.keys import load_key
from workings.handout import making
from workings.handout.plan import Variant, plan_of
from workings.handout.record import Record
from workings.handout.roster import Student
from workings.handout.stress import Examined, examined
from workings.render import typst_pdf
from workings.render.reports import Options

SMALL = '[model]\npreset = "xxl-ffn"\nblocks = {}\n[hardware]\npreset = "h100-sxm"\n' \
        "[training]\nbatch = 4\nsequence_length = 2048\n"  # fmt: skip


def made_in(monkeypatch: pytest.MonkeyPatch, stop_after: int = 99) -> list[str]:
    """The variants that are made from now on; the one after so many is stopped, as by Ctrl-C."""
    made: list[str] = []
    contents = making._contents

    def counted(variant: Variant, issue: making.Issue) -> object:
        if len(made) == stop_after:
            raise KeyboardInterrupt
        made.append(variant.name)
        return contents(variant, issue)

    monkeypatch.setattr(making, "_contents", counted)
    return made


def test_each_variant_has_sheet_solutions_and_key_at_its_settings(tmp_path: Path) -> None:
    handout_in(tmp_path)
    said = issued(tmp_path, "--variants", "3", "--seed", "7")
    assert said == f"{tmp_path / 'out' / 'index.csv'}: 3 variants, 12 files\n"
    rows = index_of(tmp_path)
    assert [row["variant"] for row in rows] == ["1", "2", "3"]
    assert len({row["settings"] for row in rows}) == 3
    for row in rows:
        folder = tmp_path / "out" / row["variant"]
        record = record_of(tmp_path, row["variant"])
        sheet, solutions = ((folder / f"{name}.md").read_text("utf-8") for name in ("sheet", "solutions"))
        assert row["files"].split() == [
            f"{row['variant']}/{n}" for n in ("key.toml", "sheet.answers.txt", "sheet.md", "solutions.md")
        ]
        form = (folder / "sheet.answers.txt").read_text("utf-8").splitlines()
        assert form[0] == f"Answer form · Does it fit? · Variant {row['variant']} · {row['hash']}"
        assert [line for line in form if "[" in line] == ["1 [whole number]: ", "2 [GB]: "]
        assert f"*Variant {row['variant']} · {row['hash']}*\n" in sheet
        assert f"A batch of {record['settings']['batch']} sequences" in sheet
        assert f"devices of {record['settings']['memory']} hold" in sheet
        key = load_key(folder / "key.toml")
        devices = key.parts[0].asked[0]
        assert f"{devices.targets[0].value} of them" in solutions
        assert f"{devices.targets[0].value} of them" not in sheet
        assert record["values"]["1 devices"] == str(devices.targets[0].value)
        assert f"It holds {record['values']['2 fsdp-memory']}" in solutions
        assert (record["draw"], record["seed"], record["source"]) == ("workings-draw-1", 7, "hw2")


def test_solutions_have_full_marks_by_their_own_key_and_not_by_anothers(tmp_path: Path) -> None:
    handout_in(tmp_path)
    issued(tmp_path, "--variants", "2", "--seed", "7")
    out = tmp_path / "out"
    for solved in ("1", "2"):
        for key in ("1", "2"):
            graded = run("grade", str(out / key / "key.toml"), str(out / solved / "solutions.md"))
            assert (graded.exit_code == 0) == (solved == key), graded.output
            assert (": 2 of 2 for" in graded.output) == (solved == key)


def test_a_sheet_is_no_page_whose_inputs_a_reader_changes(tmp_path: Path) -> None:
    handout_in(tmp_path)
    issued(tmp_path, "--variants", "1", "--format", "html")
    sheet, solutions = (
        (tmp_path / "out" / "1" / f"{name}.html").read_text("utf-8") for name in ("sheet", "solutions")
    )
    assert "Change the inputs" in solutions
    assert "Change the inputs" not in sheet


def test_a_number_typed_by_hand_is_said_though_the_variants_have_others(tmp_path: Path) -> None:
    handout_in(tmp_path, vary="batch = [8, 16]", body=BODY.replace("How many", "At batch of 4, how many"))
    said = issued(tmp_path, "--variants", "2")
    assert said.count("note: ") == 1
    assert "note: hw2.md:12: batch of 4 is typed by hand" in said


def test_what_is_handed_to_other_processes_can_be(tmp_path: Path) -> None:
    plan = plan_of(handout_in(tmp_path), 7, 1, ())
    shared = making.Issue(plan.source, plan.name, plan.seed, tmp_path / "out", Options(formats=("md",)))
    for work, result in ((making.made, Record), (examined, Examined)):
        sent = pickle.loads(pickle.dumps(partial(work, issue=shared)))  # noqa: S301 - our own
        assert isinstance(pickle.loads(pickle.dumps(sent(plan.variants[0]))), result)  # noqa: S301


def test_a_cover_says_the_variant_in_its_language(tmp_path: Path) -> None:
    path = handout_in(tmp_path)
    path.write_text(path.read_text("utf-8").replace("\n\n[vary]", '\nlanguage = "zh"\n\n[vary]'), "utf-8")
    issued(tmp_path, "--variants", "1")
    assert "*版本 1 · " in (tmp_path / "out" / "1" / "sheet.md").read_text("utf-8")


def test_more_variants_leave_the_first_as_they_are(tmp_path: Path) -> None:
    path = handout_in(tmp_path)
    few, many = (plan_of(path, 7, number, ()).variants for number in (2, 6))
    assert many[:2] == few
    assert len({tuple(one.settings.items()) for one in many}) == 6


def test_a_student_has_the_same_variant_whoever_else_is_on_the_roster(tmp_path: Path) -> None:
    path = handout_in(tmp_path)
    students = [Student(f"s{n}") for n in range(9)]
    for many in (None, 4):
        alone = {s.id: plan_of(path, 7, many, [s]).rows[0].variant for s in students}
        together = plan_of(path, 7, many, students[::-1]).rows
        assert {row.student.id: row.variant for row in together if row.student} == alone


def test_students_share_numbered_variants_and_nobody_may_have_one(tmp_path: Path) -> None:
    handout_in(tmp_path)
    (tmp_path / "r.csv").write_text("id,name\nada,Ada\n", encoding="utf-8")
    issued(tmp_path, "--variants", "2", "--students", str(tmp_path / "r.csv"))
    rows = index_of(tmp_path)
    assert rows[0]["student"] == "ada"
    assert {row["variant"] for row in rows} == {"1", "2"}
    assert rows[1]["student"] == ""


def test_a_hostile_roster_is_text_and_a_sheet_is_its_own_students(tmp_path: Path) -> None:
    handout_in(tmp_path)
    roster = 'id,name\na_1,"=HYPERLINK(""http://x"")"\nb@x.org,<script>alert(1)</script>\n'
    (tmp_path / "r.csv").write_text(roster, encoding="utf-8")
    issued(tmp_path, "--students", str(tmp_path / "r.csv"), "--format", "md,tex,html")
    rows = index_of(tmp_path)
    assert [row["name"] for row in rows] == ['\'=HYPERLINK("http://x")', "<script>alert(1)</script>"]
    tex = (tmp_path / "out" / "a_1" / "sheet.tex").read_text("utf-8")
    assert re.search(rf"Variant a\\_1 .{{1,30}} {rows[0]['hash']}\b", tex)
    said = [path for path, content in files_in(tmp_path).items() if b"alert(1)" in content]
    assert said == ["b@x.org/sheet.answers.txt", "b@x.org/sheet.html",
                    "b@x.org/sheet.md", "b@x.org/sheet.tex", "b@x.org/variant.json",
                    "index.csv"]  # fmt: skip


SIGNS = r"\input{x} $y$ *b* `c` [d](e) #f _g_ & % <script>h</script>"
PRINTED = {
    "md": r"Name: \\input{x} \$y\$ \*b\* \`c\` \[d\](e) #f \_g\_ & % \<script\>h\</script\>",
    "tex": r"Name: \textbackslash{}input\{x\} \$y\$ *b* `c` [d](e) \#f \_g\_ \& \% \textless{}script",
    "html": r"Name: \input{x} $y$ *b* `c` [d](e) #f _g_ &amp; % &lt;script&gt;h&lt;/script&gt;",
    "typ": r'{ "Name"; ": "; "\\input{x} $y$ *b* `c` [d](e) #f _g_ & % <script>h</script>" }',
}


def test_a_name_is_printed_as_it_is_in_every_format(tmp_path: Path) -> None:
    handout_in(tmp_path)
    (tmp_path / "r.csv").write_text(f"id,name\na,{SIGNS}\n", encoding="utf-8")
    issued(tmp_path, "--students", str(tmp_path / "r.csv"), "--format", ",".join(PRINTED))
    for form, line in PRINTED.items():
        assert line in (tmp_path / "out" / "a" / f"sheet.{form}").read_text("utf-8"), form


def test_a_sheet_has_the_id_and_name_in_the_words_that_its_source_has_for_them(tmp_path: Path) -> None:
    path = handout_in(tmp_path)
    fields = 'identity = ["Section", "Student number", "Full name"]\n\n[vary]'
    path.write_text(path.read_text("utf-8").replace("\n[vary]", fields), encoding="utf-8")
    (tmp_path / "r.csv").write_text("id,name\na_1,Ada\nb,\n", encoding="utf-8")
    issued(tmp_path, "--students", str(tmp_path / "r.csv"))
    sheet, other = ((tmp_path / "out" / id_ / "sheet.md").read_text("utf-8") for id_ in ("a_1", "b"))
    blank = "______________________________"
    assert f"\n\nFull name: Ada\n\nStudent number: a\\_1\n\nSection: {blank}\n\n**" in sheet
    assert f"\n\nStudent number: b\n\nSection: {blank}\n\nFull name: {blank}\n\n**" in other
    assert "Ada" not in (tmp_path / "out" / "a_1" / "solutions.md").read_text("utf-8")


def test_a_name_that_a_format_cannot_print_has_a_line_and_is_said(tmp_path: Path) -> None:
    handout_in(tmp_path)
    (tmp_path / "r.csv").write_text("id,name\na,Ada\nz,张伟\n", encoding="utf-8")
    said = issued(tmp_path, "--students", str(tmp_path / "r.csv"), "--format", "md,tex")
    assert said.startswith("z: tex cannot print the name, and the sheet has a line for it\n")
    assert "Name: 张伟" in (tmp_path / "out" / "z" / "sheet.md").read_text("utf-8")
    assert r"\noindent Name: \hrulefill" in (tmp_path / "out" / "z" / "sheet.tex").read_text("utf-8")
    assert issued(tmp_path, "--students", str(tmp_path / "r.csv"), "--format", "md,tex") == said


def test_a_name_that_was_mended_is_on_the_sheet_the_next_time(tmp_path: Path) -> None:
    handout_in(tmp_path)
    for name in ("Adda", "Ada"):
        (tmp_path / "r.csv").write_text(f"id,name\na,{name}\n", encoding="utf-8")
        issued(tmp_path, "--students", str(tmp_path / "r.csv"))
    assert "Name: Ada\n" in (tmp_path / "out" / "a" / "sheet.md").read_text("utf-8")


def test_a_sheet_that_students_share_has_nobodys_name(tmp_path: Path) -> None:
    handout_in(tmp_path)
    (tmp_path / "r.csv").write_text("id,name\na,Ada\n", encoding="utf-8")
    issued(tmp_path, "--students", str(tmp_path / "r.csv"), "--variants", "1")
    assert "Ada" not in (tmp_path / "out" / "1" / "sheet.md").read_text("utf-8")


def test_a_command_that_was_stopped_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    handout_in(tmp_path)
    with monkeypatch.context() as patched:
        made_in(patched, stop_after=2)
        run("handout", str(tmp_path / "hw2.md"), "-o", str(tmp_path / "out"), "--format", "md",
            "--variants", "3")  # fmt: skip
    assert not (tmp_path / "out" / "index.csv").exists()
    made = made_in(monkeypatch)
    issued(tmp_path, "--variants", "3")
    assert made == ["3"]
    stopped = files_in(tmp_path)
    (tmp_path / "whole").mkdir()
    handout_in(tmp_path / "whole")
    issued(tmp_path / "whole", "--variants", "3")
    assert files_in(tmp_path / "whole") == stopped


def test_variants_are_made_again_with_another_font_and_not_with_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    handout_in(tmp_path)
    font = tmp_path / "own.ttf"
    font.write_bytes(b"one")
    monkeypatch.setattr(typst_pdf, "families", lambda fonts: [fonts[0].read_bytes().decode()])
    made = made_in(monkeypatch)
    for more, again in ((), 3), (("--font", str(font)), 3), (("--font", str(font)), 0):
        issued(tmp_path, "--variants", "3", "--format", "typ", *more)
        assert len(made) == again
        made.clear()
    assert '"one"' in (tmp_path / "out" / "1" / "sheet.typ").read_text("utf-8")
    font.write_bytes(b"two")
    issued(tmp_path, "--variants", "3", "--format", "typ", "--font", str(font))
    assert '"two"' in (tmp_path / "out" / "1" / "sheet.typ").read_text("utf-8")


def test_a_file_that_was_cut_short_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    handout_in(tmp_path)
    issued(tmp_path, "--variants", "3")
    before = files_in(tmp_path)
    (tmp_path / "out" / "2" / "sheet.md").write_text("# Does", encoding="utf-8")
    (tmp_path / "out" / "3" / "variant.json").write_text('{"variant": "3"', encoding="utf-8")
    made = made_in(monkeypatch)
    issued(tmp_path, "--variants", "3")
    assert made == ["2", "3"]
    assert files_in(tmp_path) == before


def test_a_new_issue_says_what_changed_and_keeps_the_old_key(tmp_path: Path) -> None:
    handout_in(tmp_path)
    issued(tmp_path, "--variants", "2")
    old = [row["hash"] for row in index_of(tmp_path)]
    key = (tmp_path / "out" / "1" / "key.toml").read_bytes()

    handout_in(tmp_path, body=BODY.replace("of them.", "of these."))
    said = issued(tmp_path, "--variants", "2")
    new = [row["hash"] for row in index_of(tmp_path)]
    assert not set(old) & set(new)
    assert said.startswith(
        f"1 ({old[0]} is {new[0]} now), 2 ({old[1]} is {new[1]} now): "
        "the settings, the answers and the sheet are the same, the source or the program is not\n"
    )
    assert (tmp_path / "out" / "keys" / f"{old[0]}.toml").read_bytes() == key

    handout_in(tmp_path, body=BODY.replace("156", "157"))
    said = issued(tmp_path, "--variants", "2")
    assert said.count(": the settings are the same; 2 fsdp-memory was ") == 2
    assert len(list((tmp_path / "out" / "keys").iterdir())) == 4
    assert issued(tmp_path, "--variants", "2").count("\n") == 1


def test_a_new_issue_quotes_the_first_changed_line_of_each_question(tmp_path: Path) -> None:
    handout_in(tmp_path, vary="batch = [4, 8]")
    issued(tmp_path, "--variants", "1")
    body = BODY.replace("A batch of", "Every batch of").replace(
        "How many devices", "How many of the devices"
    )
    handout_in(tmp_path, vary="batch = [4, 8]", body=f"{body}\n````{{question}} 3\nWhy?\n````\n")
    assert issued(tmp_path, "--variants", "1").splitlines()[0].partition(": ")[2] == (
        "the settings are the same; before the questions: “Every batch of 8 sequences.”; question 1: "
        "“How many of the devices of 95 GB hold the model state?”; question 3 is new"
    )
    handout_in(tmp_path, vary="batch = [4, 8]")
    said = issued(tmp_path, "--variants", "1")
    assert "“How many devices of 95 GB hold the model state?”; question 3 is gone\n" in said


def test_words_that_differ_because_the_settings_do_are_not_quoted(tmp_path: Path) -> None:
    handout_in(tmp_path, vary="batch = [4, 8]")
    issued(tmp_path, "--variants", "1")
    handout_in(tmp_path, vary="batch = [16, 32]")
    assert "“" not in issued(tmp_path, "--variants", "1")


def test_a_key_takes_no_place_of_another_that_has_its_hash(tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    for name, text in (
        ("1", 'variant = "1"\na = 1\n'),
        ("2", 'variant = "2"\na = 1\n'),
        ("3", "a = 2\n"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "key.toml").write_text(text, encoding="utf-8")
        making._keep_key(tmp_path / name / "key.toml", keys, "3f9a1c")
    assert {path.name: path.read_text("utf-8")[-6:] for path in keys.iterdir()} == {
        "3f9a1c.toml": "a = 1\n", "3f9a1c-3.toml": "a = 2\n",
    }  # fmt: skip


def test_a_new_issue_says_which_settings_are_others(tmp_path: Path) -> None:
    handout_in(tmp_path)
    issued(tmp_path, "--variants", "1")
    was = record_of(tmp_path, "1")["settings"]["batch"]
    handout_in(tmp_path, vary='batch = [32, 64]\nmemory = ["40 GB", "80 GB"]')
    said = issued(tmp_path, "--variants", "1")
    assert f": batch was {was} and is {record_of(tmp_path, '1')['settings']['batch']}" in said


def test_an_old_key_is_worked_out_at_the_old_scenario(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(SMALL.format(16), encoding="utf-8")
    handout_in(tmp_path, scenario="small.toml")
    issued(tmp_path, "--variants", "1")
    old, was = record_of(tmp_path, "1"), (tmp_path / "out" / "1" / "sheet.md").read_bytes()
    (tmp_path / "small.toml").write_text(SMALL.format(32), encoding="utf-8")
    issued(tmp_path, "--variants", "1")
    new = record_of(tmp_path, "1")
    assert old["hash"] != new["hash"]
    assert was != (tmp_path / "out" / "1" / "sheet.md").read_bytes()
    for record, key in ((old, f"keys/{old['hash']}.toml"), (new, "1/key.toml")):
        found = load_key(tmp_path / "out" / key).parts[0].asked[0].targets[0].value
        assert str(found) == record["values"]["1 devices"]
    assert old["values"] != new["values"]


def test_hardware_and_model_are_varied_by_presets(tmp_path: Path) -> None:
    handout_in(tmp_path, vary='hardware = ["h100-sxm", "b200-sxm"]')
    issued(tmp_path, "--variants", "2")
    for record in (record_of(tmp_path, "1"), record_of(tmp_path, "2")):
        memory = {"h100-sxm": "80 GB", "b200-sxm": "180 GB"}[record["settings"]["hardware"]]
        sheet = (tmp_path / "out" / record["variant"] / "sheet.md").read_text("utf-8")
        assert f"devices of {memory} hold" in sheet


def test_other_formats_take_the_place_of_those_before(tmp_path: Path) -> None:
    handout_in(tmp_path)
    issued(tmp_path, "--variants", "1")
    (tmp_path / "out" / "1" / "notes.md").write_text("mine", encoding="utf-8")
    issued(tmp_path, "--variants", "1", "--format", "tex")
    names = {path.name for path in (tmp_path / "out" / "1").iterdir()}
    assert names == {
        "notes.md", "sheet.tex", "sheet.answers.txt", "solutions.tex", "key.toml", "variant.json",
    }  # fmt: skip


def test_a_record_changed_by_hand_deletes_nothing_elsewhere(tmp_path: Path) -> None:
    path = handout_in(tmp_path)
    issued(tmp_path, "--variants", "1")
    record = tmp_path / "out" / "1" / "variant.json"
    was = json.loads(record.read_text("utf-8"))
    was["files"]["../../hw2.md"] = sha256(path.read_bytes()).hexdigest()
    record.write_text(json.dumps(was), encoding="utf-8")
    issued(tmp_path, "--variants", "1", "--format", "tex")
    assert path.is_file()


def test_a_source_without_answers_has_no_key(tmp_path: Path) -> None:
    handout_in(tmp_path, body="\nA batch of {value}`batch`, {value}`memory`.\n")
    issued(tmp_path, "--variants", "1")
    assert {path.name for path in (tmp_path / "out" / "1").iterdir()} == {
        "sheet.md", "solutions.md", "variant.json",
    }  # fmt: skip


@pytest.mark.parametrize(("vary", "arguments", "says"), [
    (VARY, ["--variants", "7"], "hw2.md:5: vary: found 6 settings that meet what is required, "
     "expected one for each of 7 variants"),
    (f'{VARY}\nrequire = ["batch > 4", "{{fsdp-smallest-n}} < 40"]', ["--variants", "2"],
     "hw2.md:8: vary: require: '{fsdp-smallest-n} < 40' holds in none of the 4 settings drawn that meet "
     "the others"),
    (f'{VARY}\nrequire = "batch == 5"', ["--variants", "2"],
     "hw2.md:8: vary: require: 'batch == 5' holds in none of the 6 settings drawn, expected one that"),
    (f'{VARY}\nrequire = "{{fsdp-memory N=x}} < 80 GB"', ["--variants", "2"], "found 'x'"),
    (f"{VARY}\nblocks = [80, 80]", ["--variants", "2"], "hw2.md:8: vary: blocks: found '80' twice"),
    (f"{VARY}\nhead_dim = [64, 128]", ["--variants", "2"],
     "hw2.md:8: vary: head_dim: found a key that changes nothing on the page"),
    (VARY, ["--students", "nobody.csv"], "nobody.csv: No such file"),
    (VARY, ["--variants", "2", "--format", "docx"], "--format: found 'docx'"),
])  # fmt: skip
def test_what_cannot_be_handed_out_is_refused_and_nothing_is_written(
    tmp_path: Path, vary: str, arguments: list[str], says: str
) -> None:
    handout_in(tmp_path, vary=vary)
    said = issued(tmp_path, *arguments, code=2)
    assert says in said
    assert said.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_variant_that_cannot_be_made_is_named_with_its_settings(tmp_path: Path) -> None:
    handout_in(tmp_path, vary='batch = [4, 8]\nmemory = ["40 GB", "80 GB"]\nblocks = [3, 5]')
    said = issued(tmp_path, "--variants", "2", code=2)
    assert said.startswith("workings: variant 1 (batch = ")


def test_the_folder_of_another_handout_or_of_the_source_is_refused(tmp_path: Path) -> None:
    handout_in(tmp_path)
    issued(tmp_path, "--variants", "1")
    other = handout_in(tmp_path, name="hw3.md")
    assert "found a variant of 'hw2', expected a folder for 'hw3' alone" in issued(
        tmp_path, "--variants", "1", source=other, code=2
    )
    result = run("handout", str(other), "--variants", "1", "-o", str(tmp_path))
    assert result.exit_code == 2
    assert "found the folder of the source" in result.output


def test_neither_students_nor_a_number_nor_a_folder_is_a_mistake(tmp_path: Path) -> None:
    path = str(handout_in(tmp_path))
    assert "found neither --variants nor --students" in run("handout", path, "-o", "x").output
    assert "-o: found no folder" in run("handout", path, "--variants", "2").output
