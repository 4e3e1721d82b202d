"""What stands on top of a handout, and the language in which a page says its own words."""

import re
from pathlib import Path

import pytest
from documents import Options, build_text, markdown_of, refusal
from looping import each

from workings.comparing.mistakes import MISTAKES
from workings.document.read import read_document
from workings.document.wording import languages, wording

FRONT = '+++\ntitle = "A page"\nscenario = "xxl-220b"\n{}\n+++\n'
COVER = FRONT.format(
    'course = "Large <systems> & more"\nterm = "Autumn"\ndate = 2026-11-30\npaper = "letter"\n'
    'identity = ["Name", "Student \\\\number"]'
)
TEXT = "```{question} 1\n:points: 2\nWhy?\n```\n"


def made(folder: Path, front: str, *formats: str, sheet: bool = False) -> dict[str, str]:
    return build_text(folder, TEXT, front, Options(formats=formats, sheet=sheet))


def test_course_term_and_date_stand_below_the_title(tmp_path: Path) -> None:
    found = made(tmp_path, COVER, "md", "tex", "html", "typ", "ipynb")
    assert found["report.md"].startswith(
        "# A page\n\n*Large \\<systems\\> & more · Autumn · 2026-11-30*\n\n**Points: 2**\n\n**Quest"
    )
    assert r"Large \textless{}systems\textgreater{} \& more · Autumn · 2026-11-30" in found["report.tex"]
    assert "Large &lt;systems&gt; &amp; more · Autumn · 2026-11-30" in found["report.html"]
    assert '"Large <systems> & more"; " · "' in found["report.typ"]
    assert "2026-11-30" in found["report.ipynb"]


def test_a_sheet_has_room_for_a_name_and_solutions_have_none(tmp_path: Path) -> None:
    sheet = made(tmp_path, COVER, "md", "tex", "html", "typ", sheet=True)
    assert "Name: ____" in sheet["sheet.md"]
    assert "Student \\\\number: ____" in sheet["sheet.md"]
    assert r"Student \textbackslash{}number: \hrulefill" in sheet["sheet.tex"]
    assert '<span>Name: <span class="blank">' in sheet["sheet.html"]
    assert '{ "Name"; ": "; box(' in sheet["sheet.typ"]
    assert "Name:" not in made(tmp_path, COVER, "md")["report.md"]


def test_paper_is_that_of_latex_and_pdf(tmp_path: Path) -> None:
    found = made(tmp_path, COVER, "tex", "typ")
    assert r"\documentclass[11pt,letterpaper]" in found["report.tex"]
    assert 'paper: "us-letter"' in found["report.typ"]
    other = made(tmp_path, FRONT.format(""), "tex", "typ")
    assert "a4paper" in other["report.tex"]
    assert 'paper: "a4"' in other["report.typ"]


def test_the_share_of_the_front_matter_is_that_of_the_key(tmp_path: Path) -> None:
    asked = "````{question} 1\nHow much?\n```{answer} model-state\n```\n````\n"
    path = tmp_path / "page.md"
    path.write_text(FRONT.format("follow_through = 0.25") + asked)
    key = read_document(path)[0].key
    assert key is not None
    assert key.follow_through == 0.25


WRONG = (
    ('language = "xx"', "language: found 'xx', expected one of en, zh"),
    ('paper = "a5"', "paper: found 'a5', expected one of a4, letter"),
    ("follow_through = 2", "follow_through: found 2, expected a share from 0 to 1"),
    ('course = "a\\nb"', "course: found 'a\\nb', expected one line"),
    ('identity = [""]', "identity: expected at most 8 fields"),
    ("date = 3", "Expected `str`, got `int`"),
)


@each("line, problem", WRONG)
def test_what_is_wrong_on_it_is_said_with_its_line(tmp_path: Path, line: str, problem: str) -> None:
    said = refusal(tmp_path, TEXT, FRONT.format(line))
    assert said.startswith("page.md:4: front matter: ")
    assert problem in said


# --- languages ----------------------------------------------------------------------------------------


def test_every_language_has_every_word_with_the_same_gaps() -> None:
    english = wording("en")
    for language in languages():
        words = wording(language)
        mistakes = {key for key in words if key.startswith("mistake_")}
        assert words.keys() - mistakes == english.keys(), language
        assert {key.removeprefix("mistake_") for key in mistakes} <= MISTAKES.keys()
        for key, text in english.items():
            assert words[key].count("{}") == text.count("{}"), (language, key)
            assert not re.search(r'["\\<>$#*_`]', words[key]), (language, key)  # safe in every format


CHINESE = FRONT.format('language = "zh"')
PAGE = (
    "````{question} 1\n取 $N$ 个设备？\n```{answer} fsdp-memory N=156\n:words: 内存\n:points: 2\n```\n"
    "````\n"
    "````{solution}\n```{chain} fsdp-memory\n```\n```{worked} fsdp-memory N=156\n```\n"
    "```{ledger} model-state\n```\n{ref}`model-state-ledger`\n```{warning}\nx\n```\n````\n"
)  # fmt: skip
ENGLISH = re.compile(
    r"\b(Question|Solution|Answer|Table|Figure|Points?|Holds where|stands? for|in numbers|Careful"
    r"|Contents|Notation|Equation)\b"
)


def test_a_chinese_page_says_none_of_our_words_in_english(tmp_path: Path) -> None:
    found = markdown_of(tmp_path, PAGE, CHINESE)
    assert not ENGLISH.findall(found)
    for words in ("**问题 1**（2 分）", "**答案（内存）：94.88 GB**（2 分）", "成立条件：", "代入数值：",
                  "**表 1：**", "[表 1](#table-model-state-ledger)", "**注意**", "表示"):  # fmt: skip
        assert words in found, words
    options = Options(formats=("html", "typ"), sheet=True)
    sheet = build_text(tmp_path, PAGE, CHINESE, options)
    assert '<html lang="zh">' in sheet["sheet.html"]
    assert "这里" in sheet["sheet.html"]
    body = sheet["sheet.html"].partition("<main")[2].partition("<script")[0]
    assert not ENGLISH.findall(body)
    assert 'lang: "zh"' in sheet["sheet.typ"]


def test_latex_output_is_in_english_alone(tmp_path: Path) -> None:
    said = refusal(tmp_path, PAGE, CHINESE)
    assert said == (
        "language: found 'zh', which LaTeX output cannot print, expected --format md, html, pdf or ipynb"
    )


def test_the_words_of_english_pages_are_the_default(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        wording("en")["nothing"]
    assert markdown_of(tmp_path, TEXT, FRONT.format('language = "en"')) == markdown_of(
        tmp_path, TEXT, FRONT.format("")
    )
