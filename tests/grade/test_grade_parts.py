"""Where the parts of a hand-in begin, if a heading, a mark and a sentence each seem to begin one."""

import json
from pathlib import Path

from looping import each

from workings.grade.grading import grade_document
from workings.grade.keys import load_key
from workings.reading import read_document

KEY = load_key("xxl-220b")
OF_A = "The state is 3517.6 GB, saved activations 143.75 GB, 44 devices."


def graded(text: str) -> dict[tuple[str, str], str]:
    """The verdict on each answer, by part and answer."""
    found = grade_document(read_document("solution.md", text), KEY)
    return {(p.id, a.id): a.verdict for p in found.parts for a in p.answers}


def test_a_sentence_in_the_words_of_another_part_begins_none_below_a_marked_heading() -> None:
    found = graded(
        f"## (a)\n{OF_A}\n\n## (b)\nOne device holds (3517.6 + 71.87)/N + 71.87 GB, so N = 156."
    )
    assert found["b", "devices"] == found["a", "devices"] == "right"


def test_nor_does_it_between_parts_that_are_marked_in_the_text() -> None:
    found = graded(f"(a) {OF_A}\n\n(b) Some words.\n\nOne device holds 95 GB, so N = 156.")
    assert (found["a", "devices"], found["b", "devices"]) == ("right", "right")


def test_a_list_inside_a_part_with_a_marked_heading_begins_no_part() -> None:
    found = graded(
        f"## Part (a)\n\n{OF_A}\n\n## Part (b)\n\n(a) We shard the state.\n\n(b) We shard half.\n\n"
        "(d) We solve it.\n\nSo N = 156."
    )
    assert (found["a", "devices"], found["b", "devices"]) == ("right", "right")


def test_the_words_of_the_key_begin_a_part_where_nothing_else_does() -> None:
    found = graded(f"One device:\n\n{OF_A}\n\nFully sharded:\n\nSo N = 156.")
    assert (found["a", "devices"], found["b", "devices"]) == ("right", "right")


def test_a_part_without_a_mark_of_its_own_may_begin_with_a_heading_in_the_keys_words() -> None:
    found = graded(f"## (a)\n\n{OF_A}\n\n## Fully sharded\n\nSo N = 156.")
    assert (found["a", "devices"], found["b", "devices"]) == ("right", "right")


IN_ORDER = (
    "The state is 3517.6 GB, 44 devices.",
    "So N = 156.",
    "Overall 20,445 tokens, 319.4 tokens per chip.",
)


@each(
    "before, between",
    [("(a) ", "\n(b) "), ("Answers: (a) ", " (b) "), ("**a)** ", "  \n**b)** "), ("a. ", "\nb. ")],
)
def test_parts_may_begin_inside_a_paragraph(before: str, between: str) -> None:
    marks = (before, between, between.replace("b", "c"))
    page = "".join(mark + text for mark, text in zip(marks, IN_ORDER, strict=True))
    found = grade_document(read_document("solution.md", page), KEY)
    assert [part.marks for part in found.parts] == [4, 4, 6]  # all but the activations
    assert all(part.marked and part.lines and part.lines[0] == part.lines[1] for part in found.parts)


def test_parts_may_be_the_rows_of_a_table() -> None:
    rows = "".join(f"| ({part}) | {text} |\n" for part, text in zip("abc", IN_ORDER, strict=True))
    found = grade_document(read_document("solution.md", f"| part | answer |\n|---|---|\n{rows}"), KEY)
    assert [(part.marks, part.marked) for part in found.parts] == [(4, True), (4, True), (6, True)]


def test_a_mark_that_a_long_line_is_broken_before_begins_no_part() -> None:
    long = "We shard the state and half of the activations over all the devices, exactly as in part"
    found = graded(f"(b) {long}\n(a) above, and so N = 156.")
    assert found["b", "devices"] == "right"
    assert found["a", "devices"] == "no answer found"


TWO_LEVELS = """
title = "Two levels"
scenario = "xxl-220b"
""" + "".join(
    f"""
[[part]]
id = "{id_}"
[[part.answer]]
id = "n"
words = "a number"
value = "{{fsdp-smallest-n}}*{number}/156"
within = "exact"
marks = 1
"""
    for id_, number in (("1", 71), ("2a", 72), ("2b", 73), ("3a", 74), ("3b", 75))
)
NUMBERS = ("71", "72", "73", "74", "75")


def marks_of(folder: Path, text: str, kind: str = "md") -> list[float]:
    path = folder / "two.toml"
    path.write_text(TWO_LEVELS, encoding="utf-8")
    found = grade_document(read_document(f"ann.{kind}", text, kind), load_key(path))
    return [part.marks for part in found.parts]


@each(
    "marks",
    [
        ("## Question 1\n", "## Question 2\n\n(a) ", "(b) ", "## Question 3\n\n(a) ", "(b) "),
        ("Question 1: ", "2(a) ", "2(b) ", "3(a) ", "3(b) "),
        ("1) ", "2a) ", "2b) ", "3a) ", "3b) "),
        ("Q1. ", "Q2a. ", "Q2b. ", "Q3a. ", "Q3b. "),
        ("**Answer 1:** ", *(f"**Answer {part}:** " for part in ("2(a)", "2(b)", "3(a)", "3(b)"))),
        ("# Aufgabe 1\n", "# Aufgabe 2\n\na) ", "b) ", "# Aufgabe 3\n\na) ", "b) "),
        ("# 第1题\n", "# 第2题\n\n（a）", "（b）", "# 第3题\n\n（a）", "（b）"),
        ("## 1\n", "## 2\n\n### a\n", "### b\n", "## 3\n\n### a\n", "### b\n"),
        ("## Problem 1\n", "## Problem 2\n\n(i) ", "(ii) ", "## Problem 3\n\n(i) ", "(ii) "),
        ("1. ", "2. (a) ", "(b) ", "3. (a) ", "(b) "),
        ("1. ", "2. a) ", "   b) ", "3. a) ", "   b) "),
    ],
)  # fmt: skip
def test_parts_of_questions_are_found_by_their_marks(tmp_path: Path, marks: tuple[str, ...]) -> None:
    page = "\n\n".join(f"{mark}So the number is {n}." for mark, n in zip(marks, NUMBERS, strict=True))
    assert marks_of(tmp_path, page) == [1] * 5


def test_parts_of_questions_are_found_in_latex(tmp_path: Path) -> None:
    lists = "\\begin{enumerate}\n\\item So it is %s.\n\\item So it is %s.\n\\end{enumerate}\n"
    page = (
        "\\begin{document}\n\\begin{enumerate}\n\\item So it is 71.\n\\item "
        + lists % ("72", "73") + "\\item " + lists % ("74", "75") + "\\end{enumerate}\n\\end{document}\n"
    )  # fmt: skip
    assert marks_of(tmp_path, page, "tex") == [1] * 5
    named = (
        "\\begin{document}\n\\section*{Question 1}\nSo it is 71.\n"
        "\\section*{Question 2}\n(a) So it is 72.\n\n(b) So it is 73.\n"
        "\\section*{Question 3}\n(a) So it is 74.\n\n(b) So it is 75.\n\\end{document}\n"
    )
    assert marks_of(tmp_path, named, "tex") == [1] * 5


def test_parts_of_questions_are_found_in_notebooks(tmp_path: Path) -> None:
    texts = ["## Question 1\nSo it is 71.", "## Question 2\n(a) So it is 72.", "(b) So it is 73.",
             "## Question 3 (a)\nSo it is 74.", "## Question 3 (b)\nSo it is 75."]  # fmt: skip
    cells = [{"cell_type": "markdown", "id": str(n), "metadata": {}, "source": [text]}
             for n, text in enumerate(texts)]  # fmt: skip
    page = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    assert marks_of(tmp_path, page, "ipynb") == [1] * 5


def test_a_list_of_steps_below_a_question_begins_no_question(tmp_path: Path) -> None:
    page = "## Question 1\n\n1. We read.\n\n2. We think.\n\nSo it is 71.\n\n## Question 2\n\n(a) 72\n"
    assert marks_of(tmp_path, page) == [1, 1, 0, 0, 0]


def test_where_the_parts_of_a_question_are_not_marked_what_is_found_is_unsure(tmp_path: Path) -> None:
    path = tmp_path / "two.toml"
    path.write_text(TWO_LEVELS, encoding="utf-8")
    page = "## Question 1\n\n71\n\n## Question 2\n\nSo it is 72.\n\nAnd so it is 73.\n"
    found = grade_document(read_document("ann.md", page), load_key(path))
    assert [part.marked for part in found.parts][:3] == [True, False, False]
    assert all(answer.to_confirm for part in found.parts[1:3] for answer in part.answers)


def test_a_mere_figure_in_a_hand_in_without_marks_earns_nothing(tmp_path: Path) -> None:
    path = tmp_path / "two.toml"
    path.write_text(TWO_LEVELS.replace("marks = 1", 'marks = 1\nnear = ["number"]'), encoding="utf-8")
    page = "We looked at it for long, and 71, as everybody will agree, is what came out in the end.\n"
    found = grade_document(read_document("ann.md", page), load_key(path)).parts[0].answers[0]
    assert (found.verdict, found.marks, found.to_confirm) == ("unsure", 0, True)


MARKED = """
title = "Marked"
scenario = "xxl-220b"
[[part]]
id = "5"
[[part.answer]]
id = "n"
words = "a number"
value = "{fsdp-smallest-n}*279/156"
within = "exact"
marks = 1
[[part]]
id = "6a"
question = "Which? More micro-batches in a step. More stages. Another rate."
[[part.answer]]
id = "choice"
words = "which"
kind = "choice"
marks = 1
choices = [
    { label = "a", words = "More micro-batches in a step.", right = true },
    { label = "b", words = "More stages." },
    { label = "c", words = "Another rate." },
]
[[part]]
id = "7"
[[part.answer]]
id = "m"
words = "another number"
value = "{fsdp-smallest-n}*44/156"
within = "exact"
marks = 1
"""


@each(
    "text, verdict",
    [
        ("**Question 6 (a)** c", "wrong"), ("**6(a)** b", "wrong"), ("6a: b)", "wrong"),
        ("## Question 6\n\n**(a)** b", "wrong"), ("## Question 6 (a)\n\nc", "wrong"),
        ("**Question 6 (a)** option c", "wrong"), ("**Question 6 (a)** Answer: b", "wrong"),
        ("**Question 6 (a)** I do not know.", "unsure"), ("**Question 6 (a)**", "no answer found"),
        ("**Question 6 (a)** a", "right"), ("6. a) (a)", "right"),
        ("**Question 6 (a)** More micro-batches.", "right"), ("6a: the last one", "unsure"),
    ],
)  # fmt: skip
def test_the_mark_of_a_part_is_no_choice(tmp_path: Path, text: str, verdict: str) -> None:
    path = tmp_path / "marked.toml"
    path.write_text(MARKED, encoding="utf-8")
    found = grade_document(read_document("ann.md", text, "md"), load_key(path))
    assert found.parts[1].answers[0].verdict == verdict


@each(
    "text",
    ["**Question 5** 279\n\n**Question 7** 44", "5: 279\n7: 44", "5) 279\n\n7) 44",
     "**Question 5** 279 things\n\n**Question 7** 44 things"],
)  # fmt: skip
def test_the_mark_of_a_part_is_no_part_of_a_figure(tmp_path: Path, text: str) -> None:
    path = tmp_path / "marked.toml"
    path.write_text(MARKED, encoding="utf-8")
    found = grade_document(read_document("ann.md", text, "md"), load_key(path))
    assert [found.parts[n].answers[0].verdict for n in (0, 2)] == ["right", "right"]


def test_one_number_before_a_colon_marks_no_part(tmp_path: Path) -> None:
    assert marks_of(tmp_path, "1) So it is 71.\n2: the ratio.\n") == [1, 0, 0, 0, 0]
