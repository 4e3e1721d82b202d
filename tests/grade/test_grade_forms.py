"""Answer forms filled in: what stands behind a colon is the answer, whatever stands around it."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory

from documents import FRONT, run, source_in

from workings.document.read import read_document as read_source
from workings.grade.form import read_form
from workings.grade.form_lines import lines_of
from workings.grade.graded import Graded, GradedAnswer
from workings.grade.grading import grade_document
from workings.grade.keys import work_out
from workings.grade.targets import Key
from workings.reading import read_document, read_file
from workings.render.answer_form import form_text

SOURCE = """
`````{question} 1
````{part} a
How much does one of 156 devices hold?
```{answer} fsdp-memory N=156
:points: 2
:words: memory of one device
```
````
````{part} b
How many devices of 80 GB hold the model state?
```{answer} devices-for-state memory="80 GB"
:words: devices
:within: exact
```
````
````{part} c
Which holds for FSDP?
```{answer}
:kind: choice
[[choices]]
words = "Every device holds all weights."
[[choices]]
words = "Every device holds a share of the weights."
right = true
[[choices]]
words = "Nobody holds any."
```
````
`````

````{question} 2
Which line is wrong, and how much state is there really?
```{answer} 3 of 4
:kind: line
:words: the wrong line
```
```{answer} model-state
:words: right result
:unit: TB
```
````

`````{question} 3
````{part} a
What does a device hold of the state {math}`S`, if {math}`N` share it?
```{answer} S/N
:kind: formula
[letters]
S = "model state"
N = "devices"
```
````
````{part} b
True or false: twice the devices halve the memory of each. Give a reason.
```{answer} false
:kind: truth
:points: 2
[[rubric]]
words = "not all is shared"
marks = 1
```
````
`````
"""
RIGHT = {
    "1 (a)": "94.88 GB",
    "1 (b)": "44",
    "1 (c)": "b",
    "2, the wrong line": "3",
    "2, right result": "3.518",
    "3 (a)": "S/N",
    "3 (b)": "false, for half of A is not shared",
}


@cache
def sheet() -> tuple[str, Key]:
    """The blank form of the source, and its key."""
    with TemporaryDirectory() as folder:
        path = source_in(Path(folder), SOURCE)
        document, _ = read_source(path, sheet=True)
        assert document.key is not None
        key = work_out(path.name, document.key)
        return form_text(document, key), key


def filled(answers: Mapping[str, str], workings: Mapping[str, str] | None = None) -> str:
    """The form with these answers behind the colons, and these workings below them."""
    lines, label = [], ""
    for line in sheet()[0].splitlines():
        if line.endswith("]: "):
            label = line.partition(" [")[0]
            line += answers.get(label, "")  # noqa: PLW2901 - a line is filled in
        elif line == "Workings: ":
            line += (workings or {}).get(label, "")  # noqa: PLW2901
        lines.append(line)
    return "\n".join(lines) + "\n"


def graded(text: str, name: str = "anna.txt") -> Graded:
    """The form graded."""
    return grade_document(read_document(name, text), sheet()[1])


def answers_in(text: str) -> dict[str, GradedAnswer]:
    """What a form earns, by its labels."""
    found = graded(text)
    labels = [line.label for line in lines_of([part.part for part in sheet()[1].parts])]
    return dict(zip(labels, [one for part in found.parts for one in part.answers], strict=True))


def verdicts(text: str) -> dict[str, str]:
    """The verdict on each answer."""
    return {label: one.verdict for label, one in answers_in(text).items()}


def verdict(label: str, answer: str, workings: str = "") -> str:
    """The verdict on one answer of an otherwise empty form."""
    return verdicts(filled({label: answer}, {label: workings}))[label]


def of_each(answers: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, GradedAnswer]]:
    """What each of these answers earns, in forms with the first of each label, the second, and so on."""
    for here in zip_longest(*answers.values()):
        given = {label: said for label, said in zip(answers, here, strict=True) if said}
        found = answers_in(filled(given))
        yield from ((label, found[label]) for label in given)


def test_a_form_has_a_line_for_each_answer_with_what_is_to_be_written() -> None:
    text = sheet()[0]
    assert [line for line in text.splitlines() if "[" in line] == [
        "1 (a) [GB]: ", "1 (b) [whole number]: ", "1 (c) [a, b or c]: ",
        "2, the wrong line [1, 2, 3 or 4]: ", "2, right result [TB]: ",
        "3 (a) [formula in N, S]: ", "3 (b) [true or false, and why]: ",
    ]  # fmt: skip
    assert text.count("\nWorkings: \n") == len(RIGHT)
    assert "94" not in text
    assert "44" not in text


def test_right_answers_have_full_marks_in_every_notation() -> None:
    notations = {
        "1 (a)": ("94.88 GB", "94.88", "94,88", "94,88 GB", "≈ 94.88 GB", "~94.9", "**94.88 GB**",
                  "$94.88$", "$94.88\\,\\text{GB}$", ".09488 TB", "94880 MB", "9.488e10 bytes",
                  "94.88 gigabytes", "88.36 GiB", "9.488·10^10 B", "= 94.88 GB.", "- 94.88 GB",
                  "94.88 GB (rounded)", "3518/156 + 143.7/2/156 + 143.7/2 = 94.88 GB", "９４.８８ GB",
                  "`94.88 GB`"),
        "1 (b)": ("44", "44.", "44 devices", "forty-four", "44 GPUs", "N = 44", "**44**", "四十四"),
        "1 (c)": ("b", "B", "(b)", "b.", "b)", "**b**", "b: Every device holds a share of the weights."),
        "2, the wrong line": ("3", "line 3", "3.", "(3)", "third", "Zeile 3", "#3"),
        "2, right result": ("3.518", "3,518 GB", "3.518 TB", "3518 GB"),
        "3 (a)": ("S/N", "$S/N$", "$\\frac{S}{N}$", "= S/N"),
    }  # fmt: skip
    missed = [(label, one.quote) for label, one in of_each(notations) if one.verdict != "right"]
    assert missed == []


def test_a_form_with_all_answers_right_has_all_marks_but_those_a_person_gives() -> None:
    found = graded(filled(RIGHT))
    assert {answer.verdict for part in found.parts for answer in part.answers} == {"right"}
    assert sum(answer.marks for part in found.parts for answer in part.answers) == sheet()[1].marks - 1


def test_wrong_answers_have_no_marks() -> None:
    wrong = {"1 (a)": ("95.88", "94.88 TB", "94.88 MB", "9.488", "94880000000", "5 s", "see above"),
             "1 (b)": ("43", "44 TB", "4.4", "-44"), "1 (c)": ("a", "c", "none", "d"),
             "2, the wrong line": ("2", "5"), "2, right result": ("3518", "3.2"),
             "3 (a)": ("N/S", "S", "S*N", "2*S/N"), "3 (b)": ("true, it does",)}  # fmt: skip
    paid = [(label, one.quote) for label, one in of_each(wrong) if one.marks]
    assert paid == []


def test_what_is_empty_is_no_answer() -> None:
    empty = dict.fromkeys(RIGHT, "no answer found")
    assert verdicts(sheet()[0]) == empty
    assert verdicts(filled(dict.fromkeys(RIGHT, " ____ "))) == empty


def test_an_answer_that_stands_below_its_empty_line_is_one() -> None:
    assert verdicts(filled({}, RIGHT)) == dict.fromkeys(RIGHT, "right")


def test_a_label_whose_bracket_and_colon_are_gone_is_still_one() -> None:
    text = filled(RIGHT).replace("1 (a) [GB]: 94.88 GB", "1a) 94.88 GB")
    assert verdicts(text)["1 (a)"] == "right"


def test_workings_below_an_answer_are_none() -> None:
    workings = "first 12 GB, then 3 + 4 = 7 GB\nso 55 GB\n\n| a | b |\n|---|---|\n| 1 | **99 GB** |\n"
    assert verdict("1 (a)", "94.88 GB", workings) == "right"
    assert verdict("1 (a)", "95.88 GB", "so 94.88 GB") == "wrong"


def test_a_number_alone_is_in_the_unit_in_brackets_even_where_these_were_edited() -> None:
    edited = filled(RIGHT).replace("1 (a) [GB]: 94.88 GB", "1 (a) [MB]: 94880")
    assert verdicts(edited)["1 (a)"] == "right"
    for bracket in ("[ GB ]", "[in GB]", "[]", "[GB!]", "［GB］", "**[GB]**", "[GB [sic]]", "[x]("):
        text = filled(RIGHT).replace("1 (a) [GB]: 94.88 GB", f"1 (a) {bracket}: 94.88 GB")
        assert verdicts(text)["1 (a)"] == "right", bracket


def test_labels_inside_answers_and_workings_begin_nothing() -> None:
    text = filled(
        {"1 (a)": "94.88 GB", "1 (c)": "as in 2, right result [TB]: 7", "3 (a)": "S/N"},
        {"1 (a)": "from 1 (b) [whole number]: 12\nsee 1 (b) too\n2. then 1 (c)\n# 3 (a)\n3 (b) is true"},
    )
    found = verdicts(text)
    assert [found[label] for label in ("1 (a)", "1 (b)", "2, right result", "3 (a)", "3 (b)")] == [
        "right", "no answer found", "no answer found", "right", "no answer found",
    ]  # fmt: skip


def test_a_line_that_stands_twice_with_two_answers_is_left_to_a_person() -> None:
    again = "1 (a) [GB]: 12\n"
    assert verdicts(filled(RIGHT) + again)["1 (a)"] == "unsure"
    assert verdicts(again + filled(RIGHT))["1 (a)"] == "unsure"
    assert verdicts(filled(RIGHT) + "1 (a) [GB]: \n" + "1 (a) [GB]: 94.88 GB\n")["1 (a)"] == "right"
    assert verdicts(filled(RIGHT) + sheet()[0]) == dict.fromkeys(RIGHT, "right")


def test_lines_that_were_deleted_leave_the_rest() -> None:
    gone = ("1 (b)", "2, the wrong line")
    lines = filled(RIGHT).splitlines(keepends=True)
    kept = "".join(line for line in lines if not line.startswith((*gone, "Workings", "Answer form")))
    assert verdicts(kept) == {one: "no answer found" if one in gone else "right" for one in RIGHT}


def test_brackets_that_were_deleted_leave_the_labels() -> None:
    text = filled(RIGHT)
    for label in RIGHT:
        line = next(line for line in text.splitlines() if line.startswith(label))
        text = text.replace(line, f"{label}: {line.partition(']: ')[2]}")
    assert verdicts(text) == dict.fromkeys(RIGHT, "right")


def below(text: str) -> Callable[[str], str]:
    """A form with this as the workings of every answer."""
    return lambda form: form.replace("Workings: \n", f"Workings: {text}\n")


HOSTILE: dict[str, Callable[[str], str]] = {
    "Windows line ends": lambda text: text.replace("\n", "\r\n"),
    "old line ends": lambda text: text.replace("\n", "\r"),
    "a mark before the first": lambda text: "\ufeff" + text,
    "front matter": lambda text: "---\ntitle: x\n---\n" + text,
    "a comment that does not end": below("<!-- oh"),
    "a fence that does not end": below("\n```"),
    "mathematics that does not end": below("$$ x \\[ {"),
    "a table pasted": below("\n| 1 (a) [GB]: 5 | 6 |\n|--|--|"),
    "brackets of links": below("](x) [y]: http://z \n[GB]: <z>"),
    "colons": below("a: b: c :: 1 : 2"),
    "headings": below("\n# 1 (a)\n===\n## Question 3"),
    "quotes": lambda text: "".join(f"> {line}" for line in text.splitlines(keepends=True)),
    "bold labels": lambda text: re.sub(r"^(\d.*?\]:)", r"**\1**", text, flags=re.MULTILINE),
    "indents": lambda text: "".join(f"    {line}" for line in text.splitlines(keepends=True)),
}


def test_what_stands_around_answers_changes_none_of_them() -> None:
    changed = [name for name, made in HOSTILE.items()
               if verdicts(made(filled(RIGHT))) != dict.fromkeys(RIGHT, "right")]  # fmt: skip
    assert changed == []


def test_hostile_answers_break_nothing_and_reach_no_other() -> None:
    others = {label: said for label, said in RIGHT.items() if label != "1 (a)"}
    signs = ("](", "<!--", "```", "$$", "<script>", "\\begin{x}", "[" * 150, "|" * 50, "{" * 500, "/0")
    for said in (*signs, "1 (b) [x]: 3", "\u202e94", "9" * 5000, "1e999999", "94.88 GB or 12 GB"):
        found = answers_in(filled({**others, "1 (a)": said}))
        assert found["1 (a)"].marks == 0, said
        assert {one.verdict for label, one in found.items() if label != "1 (a)"} == {"right"}, said


def test_a_form_is_read_in_the_coding_that_its_editor_wrote(tmp_path: Path) -> None:
    for coding in ("utf-8", "utf-8-sig", "utf-16"):
        (tmp_path / "a.txt").write_bytes(filled(RIGHT).replace("\n", "\r\n").encode(coding))
        found = grade_document(read_file(tmp_path / "a.txt"), sheet()[1])
        assert {one.verdict for part in found.parts for one in part.answers} == {"right"}, coding


def test_other_hand_ins_are_no_forms() -> None:
    parts = [part.part for part in sheet()[1].parts]
    for text in ("1 (a): 94.88 GB\n\n1 (b): 44\n", "**1 (a)** [GB]: 94.88\n", "", "Answer form\n\n12 GB"):
        assert read_form(read_document("a.md", text), parts) is None, text
    assert read_form(read_document("a.tex", filled(RIGHT)), parts) is None
    assert read_form(read_document("a.md", filled(RIGHT)), parts) is not None


def test_a_person_reads_what_a_program_cannot() -> None:
    assert verdict("1 (a)", "5 s") == "unsure"
    assert verdict("1 (a)", "see the attached page") == "unsure"
    assert verdict("3 (a)", "the state by the devices") == "unsure"
    assert verdict("1 (c)", "?! hm") == "unsure"


def test_what_stands_nowhere_is_told_from_what_stands_in_the_wrong_place() -> None:
    text = filled({}).replace("1 (a) [GB]", "1 (a) [94.88 GB]").replace("1 (b) [whole number]: \n", "")
    found = answers_in(text)
    assert [(found[label].verdict, found[label].said) for label in ("1 (a)", "1 (b)", "1 (c)")] == [
        ("unsure", "nothing stands behind its colon in the form, and a figure in its brackets"),
        ("no answer found", "its line is not in the form"),
        ("no answer found", "nothing stands behind its colon in the form"),
    ]
    together = filled(RIGHT).replace("94.88 GB\nWorkings: ", "94.88 GB  Workings: 12 GB + 3 GB")
    assert verdicts(together)["1 (a)"] == "right"


def test_a_form_of_another_sheet_is_told(tmp_path: Path) -> None:
    path = source_in(tmp_path, SOURCE)
    assert run("report", str(path), "-o", str(tmp_path), "--as", "form").exit_code == 0
    form = (tmp_path / "sheet.answers.txt").read_text("utf-8")
    assert form == sheet()[0]
    assert (
        "note: found the answer form"
        not in run("grade", str(path), str(tmp_path / "sheet.answers.txt")).output
    )
    other = form.replace(form.splitlines()[0][-6:], "abcdef")
    (tmp_path / "other.txt").write_text(other, encoding="utf-8")
    said = run("grade", str(path), str(tmp_path / "other.txt")).output
    assert "found the answer form abcdef in this hand-in, and the key is of" in said


def test_a_source_without_a_form_has_none(tmp_path: Path) -> None:
    front = FRONT.replace('title = "A page"\n', 'title = "A page"\nanswer_form = false\n')
    path = source_in(tmp_path, SOURCE, front)
    refused = run("report", str(path), "-o", str(tmp_path), "--as", "form")
    assert refused.exit_code == 2
    assert "front matter: found answer_form = false" in refused.stderr
