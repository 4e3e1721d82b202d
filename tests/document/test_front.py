"""Front matter: what a source may set, and one sentence with its line for what it may not."""

from pathlib import Path

import pytest
from documents import FRONT, build_text, markdown_of, refusal, source_in

from workings.document.front import MAX_SOURCE, DocumentError, read_source


def front(*lines: str) -> str:
    return "\n".join(["+++", 'title = "T"', *lines, "+++", ""])


@pytest.mark.parametrize(
    ("lines", "line", "problem"),
    [
        (["digits ="], 3, "Invalid value"),
        (["x = 1"], 3, "unknown field `x`"),
        (['digits = "4"'], 3, "Expected `int`, got `str`"),
        (["", "digits = 0"], 4, "digits: found 0, expected 1 to 30"),
        (["digits = 31"], 3, "digits: found 31, expected 1 to 30"),
        ([f"digits = {'9' * 5000}"], 2, "Exceeds the limit (4300 digits)"),
        ([f"units = {'[' * 3000}"], 2, "recursion depth"),
        (['units = ["GB", "furlong"]'], 3, "found 'furlong', expected a unit such as GB"),
        (['notation = "../x"'], 3, "notation: found '../x', expected one of lecture, megatron"),
        (['notation = "nosuch"'], 3, "expected one of lecture, megatron, scaling-book"),
        (["", "[glyphs]", 'group = "a b"'], 5, "glyphs: found 'a b', expected a letter"),
        (["[glyphs]", 'group = "12"'], 4, "glyphs: found '12', expected a letter"),
        (["[glyphs]", 'group = "+"'], 4, "glyphs: found '+', expected a letter"),
        (["[glyphs]", '"group" = "<b>"'], 4, "glyphs: found '<b>', expected a letter"),
        (["[glyphs]", 'groop = "R"'], 4, "found 'groop', expected a concept or a derivation's id"),
        (['scenario = "../xxl"'], 3, "found '../xxl', expected a preset's name or a TOML file"),
        (['scenario = "/etc/passwd"'], 3, "expected a preset's name or a TOML file beside"),
        (['scenario = "a/../../mine.toml"'], 3, "expected a preset's name or a TOML file beside"),
        (['scenario = "{{ 7*7 }}"'], 3, "found '{{ 7*7 }}', expected a preset's name"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(
    tmp_path: Path, lines: list[str], line: int, problem: str
) -> None:
    sentence = refusal(tmp_path, "{value}`model-state`\n", front(*lines))
    assert sentence.startswith(f"page.md:{line}: front matter: ")
    assert problem in sentence


@pytest.mark.parametrize("text", ["", "words", "+++\n", '+++\ntitle = "T"\n', "x\n" + FRONT])
def test_a_source_without_front_matter_says_what_it_needs(tmp_path: Path, text: str) -> None:
    sentence = refusal(tmp_path, "", text)
    assert sentence == "page.md:1: found no front matter, expected TOML between +++ lines"


def test_a_title_is_required(tmp_path: Path) -> None:
    assert "missing required field `title`" in refusal(tmp_path, "x", "+++\n+++\n")


def test_bytes_that_are_not_utf_8_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_bytes(FRONT.encode() + b"\xff\xfe")
    with pytest.raises(DocumentError, match=r"^page\.md: not UTF-8 text$"):
        read_source(path)


def test_a_huge_file_is_refused_before_it_is_read_as_text(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_bytes(b"\xff" * (MAX_SOURCE + 1))
    with pytest.raises(DocumentError, match=r"^page\.md: larger than 1,000,000 bytes$"):
        read_source(path)


def test_a_folder_is_no_source(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="Is a directory"):
        read_source(tmp_path)


def test_a_scenario_that_does_not_exist_is_named_where_it_is_needed(tmp_path: Path) -> None:
    sentence = refusal(tmp_path, "\n{value}`model-state`\n", front('scenario = "nosuch"'))
    assert sentence.startswith("page.md:6: ")
    assert "no scenario preset 'nosuch', expected one of deepseek-v3-2048" in sentence


def test_a_scenario_beside_the_source_is_found_from_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.toml").write_text(
        '[model]\nd_model = 2\nd_ff = 3\nblocks = 5\n[hardware]\npreset = "h100-sxm"\n'
        "[training]\nbatch = 1\nsequence_length = 1\n"
    )
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    made = markdown_of(tmp_path, "{value}`ffn-parameters`\n", front('scenario = "mine.toml"'))
    assert made == "60\n"  # 2 × 5 blocks × 2 × 3


def test_units_and_digits_of_the_document_are_used(tmp_path: Path) -> None:
    style = front('scenario = "xxl-220b"', 'units = ["GiB"]', "digits = 6")
    assert markdown_of(tmp_path, "{value}`fsdp-memory N=156`\n", style) == "88.3666 GiB\n"


def test_windows_line_ends_are_read_like_others(tmp_path: Path) -> None:
    unix = markdown_of(tmp_path, "a\n\n- b\n- c\n")
    path = source_in(tmp_path, "")
    path.write_bytes((FRONT + "a\n\n- b\n- c\n").replace("\n", "\r\n").encode())
    source = read_source(path)
    assert source.body == "a\n\n- b\n- c\n"
    assert unix == "a\n\n- b\n- c\n"


def test_a_page_that_quotes_errors_tells_the_checker_and_why(tmp_path: Path) -> None:
    front = FRONT.replace('title = "A page"', 'title = "A page"\nunchecked = "it quotes errors"')
    made = build_text(tmp_path, "`2 * 3 = 7`\n", front)
    assert "<!-- workings: ignore-file -- it quotes errors -->\n" in made["report.md"]
    assert "\n% workings: ignore-file -- it quotes errors\n" in made["report.tex"]
    assert "unchecked: found more than letters" in refusal(
        tmp_path, "x\n", front.replace("errors", "--> errors")
    )
