"""Comments that silence the checker."""

import json

import pytest
from check_cases import fake_check, fake_document

from workings.check.checking import check_document
from workings.check.ignoring import without_ignored
from workings.check.verdicts import Checked
from workings.reading import read_document
from workings.reading.blocks import Document


def left(text: str, name: str = "a.md") -> tuple[list[int], int]:
    """The lines of the statements that are left, and how many were ignored."""
    checked = ignoring(text, name)
    return [statement.line for statement in checked.statements], checked.ignored


def ignoring(text: str, name: str = "a.md") -> Checked:
    document = fake_document(name, text)
    return without_ignored(document, fake_check(document))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("So 1 + 1 = 3. <!-- workings: ignore -->\nand 1 + 1 = 4\n", "a.md"),
        ("<!-- workings: ignore --> So 1 + 1 = 3.\nand 1 + 1 = 4\n", "a.md"),
        ("$1 + 1 = 3$ % workings: ignore\n$1 + 1 = 4$\n", "a.tex"),
        ("x # 1 + 1 = 3 # workings: ignore\ny # 1 + 1 = 4\n", "a.md"),
    ],
)
def test_a_comment_beside_a_statement_silences_its_line(text: str, name: str) -> None:
    assert left(text, name) == ([2], 1)


@pytest.mark.parametrize(
    "text",
    [
        "<!-- workings: ignore -->\n1 + 1 = 3\n1 + 1 = 4\n",
        "<!-- workings: ignore -->\n\n$$\n1 + 1 = 3\n$$\n1 + 1 = 4\n",
        "> - <!-- workings: ignore -->\n> - 1 + 1 = 3\n\n1 + 1 = 4\n",
        "% workings: ignore\n\\begin{align*}\n1 + 1 = 3 \\\\\n\\end{align*}\n1 + 1 = 4\n",
        "\\[ % workings: ignore\n1 + 1 = 3\n\\]\n1 + 1 = 4\n",
        "    # workings: ignore\n    x  # 1 + 1 = 3\n1 + 1 = 4\n",
    ],
)
def test_a_comment_that_stands_alone_silences_the_next_line(text: str) -> None:
    lines, ignored = left(text)
    assert (len(lines), ignored) == (1, 1)
    assert "= 4" in text.splitlines()[lines[0] - 1]


@pytest.mark.parametrize(
    "text",
    [
        "<!-- workings: ignore -->\n$$\nx = 1 + 1 = 3 \\\\\n = 1 + 1 = 5\n$$\n\n1 + 1 = 4\n",
        "<!-- workings: ignore -->\n```math\nx = 1 + 1 = 3 \\\\\n = 1 + 1 = 5\n```\n\n1 + 1 = 4\n",
    ],
)
def test_a_comment_before_a_displayed_formula_silences_all_its_lines(text: str) -> None:
    document = read_document("a.md", text)
    kept = without_ignored(document, check_document(document)).statements
    assert [one.line for one in kept if one.verdict == "wrong"] == [text.count("\n")]


def test_a_comment_beside_a_statement_leaves_the_next_line_alone() -> None:
    assert left("1 + 1 = 2 <!-- workings: ignore -->\n1 + 1 = 3\n") == ([2], 1)


def test_the_last_line_of_a_document_may_be_a_comment() -> None:
    assert left("1 + 1 = 3\n<!-- workings: ignore -->") == ([1], 0)


def test_a_comment_can_name_the_verdicts_it_silences() -> None:
    text = "1 + 1 = 3 and 2 ≥ x and 1 + 1 = 2 <!-- workings: ignore {} -->"
    assert [s.verdict for s in ignoring(text.format("wrong")).statements] == ["depends", "ok"]
    assert [s.verdict for s in ignoring(text.format("wrong, depends")).statements] == ["ok"]
    assert left(text.format("not-understood"))[1] == 0
    assert left(text.format(""))[1] == 3


def test_a_comment_can_name_the_rules_it_silences() -> None:
    text = "1 + 1 = 3 and 1 + 1 = 2 <!-- workings: ignore {} -->"
    assert left(text.format("arithmetic"))[1] == 2
    assert left(text.format("conversion"))[1] == 0
    assert [s.verdict for s in ignoring(text.format("conversion, wrong")).statements] == ["ok"]


def test_a_comment_can_give_its_reason() -> None:
    assert left("1 + 1 = 3 <!-- workings: ignore wrong -- in the source, too -->")[1] == 1


def test_a_comment_can_speak_for_the_file() -> None:
    text = "1 + 1 = 3\n\n<!-- workings: ignore-file{} -->\n\n2 ≥ x\n"
    assert left(text.format("")) == ([], 2)
    assert left(text.format(" wrong")) == ([5], 1)


def test_a_verdict_that_does_not_exist_is_a_remark_and_silences_nothing() -> None:
    checked = ignoring("1 + 1 = 3 <!-- workings: ignore wrnog -->")
    assert len(checked.statements) == 1
    said = "line 1: workings: ignore silences nothing: found 'wrnog', expected a verdict or the id of a "
    assert checked.notes == (f"{said}rule, did you mean wrong?",)
    far = ignoring("1 + 1 = 3 <!-- workings: ignore xyz -->")
    assert far.notes[0].endswith("see `workings check --explain list`")


@pytest.mark.parametrize(
    "comment", ["workings: fsdp-memory", "workings: ignored", "workings: ignore-files", "ignore", "TODO"]
)
def test_other_comments_do_nothing(comment: str) -> None:
    assert left(f"1 + 1 = 3 <!-- {comment} -->") == ([1], 0)


@pytest.mark.parametrize("indent", [1, None])
def test_in_a_notebook_a_line_is_a_line_of_the_cell(indent: int | None) -> None:
    source = [
        "# workings: ignore\n",
        "1 + 1 = 3\n",
        "1 + 1 = 4 # workings: ignore\n",
        "\\nabla 1 + 1 = 5",
    ]
    text = json.dumps({"cells": [{"source": source}]}, indent=indent)
    checked = ignoring(text, "a.ipynb")
    assert [s.quote for s in checked.statements] == ["1 + 1 = 5"]
    joined = json.dumps({"cells": [{"source": "".join(source)}]}, indent=indent)
    assert [s.quote for s in ignoring(joined, "a.ipynb").statements] == ["1 + 1 = 5"]


def test_a_document_full_of_comments_is_read() -> None:
    comment = "<!-- workings: ignore wrong -->"
    for between, after in (("\n", "\n" * 20_000), (" ", ""), (" x ", "\n")):
        text = (comment + between) * 20_000 + after + "\n1 + 1 = 3\n"
        offsets = range(0, 20_000 * len(comment + between), len(comment + between))
        document = Document("a.md", text, (), comments=tuple((o, comment[4:-3]) for o in offsets))
        assert without_ignored(document, fake_check(document)).ignored == (between == "\n")


def test_comments_may_stand_one_below_the_other() -> None:
    text = "<!-- workings: ignore -->\n<!-- workings: fsdp-memory -->\n1 + 1 = 3\n"
    assert left(text) == ([], 1)
