"""A sheet, its solutions, its key and what grading prints say the same: letters, digits and errors."""

from pathlib import Path

import pytest
from documents import FRONT, Options, build_text, markdown_of, refusal, run, source_in

from workings.grade.file import read_key

GLYPHS = '[glyphs]\nN_fsdp = "K"\nmodel-state = "Z"\nfsdp-memory = "Q"\n'
LETTERS = f"{FRONT[:-4]}digits = 6\n{GLYPHS}+++\n"
ASKED = (
    "````{question} 1\nWhich formula?\n"
    "```{answer} fsdp-memory\n:kind: formula\n:words: memory\n```\n````\n"
    "````{question} 2\nHow much?\n"
    "```{answer} fsdp-memory N=156\n:words: memory of one device\n```\n````\n"
)


def graded(folder: Path, hand_in: str, key: str) -> str:
    (folder / "hand.md").write_text(hand_in, encoding="utf-8")
    return run("grade", key, str(folder / "hand.md")).stdout


@pytest.mark.parametrize("kind", ["solutions", "sheet", "key"])
def test_a_letter_with_two_meanings_is_refused_for_sheet_solutions_and_key(
    tmp_path: Path, kind: str
) -> None:
    asks = "````{question} 1\nHow many?\n```{answer} fsdp-smallest-n\n```\n````\n"
    solved = "````{solution}\n```{chain} fsdp-memory\n```\n```{chain} ring-all-gather\n```\n````\n"
    found = refusal(tmp_path, asks + solved, FRONT, "--as", kind)
    assert "the letter N stands for both devices that share one copy (FSDP)" in found


@pytest.mark.parametrize("as_file", [True, False], ids=["the key", "the source"])
def test_a_formula_in_the_letters_of_the_page_is_right_by(tmp_path: Path, as_file: bool) -> None:
    source = source_in(tmp_path, ASKED, LETTERS)
    run("report", str(source), "--as", "key", "-o", str(tmp_path))
    key = str(tmp_path / "key.toml" if as_file else source)
    said = graded(tmp_path, "**Question 1.** $Q = (Z + A/2)/K + A/2$\n", key)
    assert "(1) memory, 1 of 1: (Z + A/2)/K + A/2" in said
    said = graded(tmp_path, "**Question 1.** $Q = Z/K + A/2$\n\n**Question 2.** 96 GB\n", key)
    assert "expected (Z + A/2)/K + A/2" in said
    assert "expected 94.8829 GB" in said


def test_a_notation_of_a_page_is_that_of_its_key(tmp_path: Path) -> None:
    source = source_in(tmp_path, ASKED, LETTERS)
    run("report", str(source), "--as", "key", "-o", str(tmp_path))
    key = read_key(tmp_path / "key.toml")
    assert key.digits == 6
    assert key.part[0].answer[0].letters == {"K": "N_fsdp", "Z": "model-state"}


def test_an_export_says_the_right_formula_in_the_letters_of_the_page(tmp_path: Path) -> None:
    source = source_in(tmp_path, ASKED, LETTERS)
    run("handout", str(source), "--export", "csv", "-o", str(tmp_path / "out"))
    assert "Right: (Z + A/2)/K + A/2" in (tmp_path / "out" / "page.csv").read_text("utf-8")


def test_notes_to_the_author_stand_with_the_solutions_and_are_not_said_again(tmp_path: Path) -> None:
    source = source_in(tmp_path, ASKED.replace("How much?", "How much at batch 4?"))

    def notes(*options: str) -> int:
        return run("report", str(source), "-o", str(tmp_path / "out"), *options).stderr.count("note: ")

    assert notes() == 1
    assert notes("--as", "sheet") == notes("--as", "key") == notes("--no-notes") == 0
    assert notes("--as", "sheet", "--notes") == 1


def test_room_on_a_sheet_is_a_line_where_a_label_is_the_answer(tmp_path: Path) -> None:
    def rows(answer: str) -> int:
        text = f"````{{question}} 1\nWhich?\n```{{answer}} {answer}```\n````\n"
        return build_text(tmp_path, text, options=Options(formats=("md",), sheet=True))["sheet.md"].count(
            "<br>"
        )

    choices = "\n:kind: choice\n[[choices]]\nwords = 'one'\nright = true\n[[choices]]\nwords = 'two'\n"
    assert rows(choices) == 1
    assert rows("true\n:kind: truth\n") == 1
    assert rows("true\n:kind: truth\n[[rubric]]\nwords = 'why'\nmarks = 1\n") == 8
    assert rows("fsdp-smallest-n\n") == 3


def test_an_ordered_list_counts_in_markdown(tmp_path: Path) -> None:
    items = "".join(f"{n}. item\n" for n in range(1, 12)).replace("10. item\n", "10. item\n\n    more\n")
    made = markdown_of(tmp_path, items)
    assert made.startswith("1. item\n2. item\n3. item\n")
    assert "10. item\n\n    more\n11. item\n" in made


def test_a_part_on_a_sheet_stays_with_its_room_and_text_keeps_off_its_lines(tmp_path: Path) -> None:
    part = "````{{part}} {}\n:room: 8\nHow much?\n\n```{{answer}} fsdp-memory N=156\n```\n````\n\n"
    text = "`````{question} 1\nTake 156.\n\n" + "".join(part.format(one) for one in "abcdef") + "`````\n"
    options = Options(formats=("typ", "tex"), sheet=True)
    made = build_text(tmp_path, text, options=options)
    assert made["sheet.typ"].count("#parted(true, [") == 6
    assert made["sheet.tex"].count(r"\workingskeep{8}") == 6
