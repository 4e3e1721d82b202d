"""What a sheet says of how its answers are handed in."""

from pathlib import Path

from documents import FRONT, build_text, run

from workings.render.reports import Options

QUESTIONS = """
````{question} 1
How many?
```{answer} devices-for-state memory="80 GB"
```
````

`````{question} 2
````{part} a
Which?
```{answer}
:kind: choice
[[choices]]
words = "this"
right = true
[[choices]]
words = "that"
```
````
````{part} b
How much?
```{answer} VALUE
```
````
`````
"""
SHEET = Options(formats=("md", "tex", "html", "typ", "ipynb"), sheet=True)
ONLY_MARKDOWN = Options(formats=("md",), sheet=True)


def said(folder: Path, value: str = "fsdp-memory N=156", front: str = FRONT) -> str:
    """The line of a sheet in Markdown that says it; nothing where none does."""
    text = build_text(folder, QUESTIONS.replace("VALUE", value), front, SHEET)["sheet.md"]
    return next((line for line in text.splitlines() if line.startswith(("**How to", "**如何"))), "")


def test_the_example_has_a_label_and_a_unit_of_the_sheet_and_no_right_value(tmp_path: Path) -> None:
    assert "such as `2 (b)`, and write the result" in said(tmp_path)
    assert "`2 (b): 12.3 GB`. Workings may follow below." in said(tmp_path)
    assert "`2 (b): 45.6 GB`" in said(tmp_path, "12.3[GB] + 0*{fsdp-memory N=156}")


def test_every_format_says_it_and_only_on_sheets(tmp_path: Path) -> None:
    made = build_text(tmp_path, QUESTIONS.replace("VALUE", "model-state"), FRONT, SHEET)
    assert all("How to hand in" in text for name, text in made.items()), made.keys()
    solved = build_text(tmp_path, QUESTIONS.replace("VALUE", "model-state"))
    assert not any("How to hand in" in text for text in solved.values())


def test_it_is_said_in_the_language_of_the_sheet(tmp_path: Path) -> None:
    chinese = FRONT.replace('"A page"\n', '"A page"\nlanguage = "zh"\n')
    text = build_text(tmp_path, QUESTIONS.replace("VALUE", "model-state"), chinese,
                      ONLY_MARKDOWN)["sheet.md"]  # fmt: skip
    assert "**如何提交。**每个答案以此处所印的题号开头，如 `2 (b)`，" in text
    form = build_text(tmp_path, QUESTIONS.replace("VALUE", "model-state"), chinese,
                      Options(sheet=True, form=True))["sheet.answers.txt"]  # fmt: skip
    assert form.startswith("答题表 · A page · ")
    assert [line for line in form.splitlines() if "[" in line] == [
        "1 [数字]: ",
        "2 (a) [a或b]: ",
        "2 (b) [GB]: ",
    ]


def test_a_source_that_does_not_want_it_or_asks_nothing_does_not_say_it(tmp_path: Path) -> None:
    assert said(tmp_path, front=FRONT.replace('"A page"\n', '"A page"\nanswer_form = false\n')) == ""
    text = build_text(tmp_path, "Nothing is asked.\n", FRONT, ONLY_MARKDOWN)
    assert "How to hand in" not in text["sheet.md"]


def marked(folder: Path, values: str, front: str = FRONT) -> str:
    """The line of a sheet that says how marks are given; nothing where none does."""
    text = build_text(folder, QUESTIONS.replace("VALUE", values), front, ONLY_MARKDOWN)["sheet.md"]
    return next(
        (line for line in text.splitlines() if line.startswith(("**How marks", "**如何给分"))), ""
    )


def test_a_sheet_says_how_its_answers_are_marked_by_what_its_key_holds(tmp_path: Path) -> None:
    usual = marked(tmp_path, "model-state")
    assert "at least 2 significant digits. What follows" in usual
    assert "earns half of its marks, and so does a slip" in usual
    finer = marked(tmp_path, "model-state\n:digits: 4\n:coarse: 0.3")
    assert "at least 2 significant digits, at least 4 in 2 (b). A result" in finer
    assert "right to fewer digits, but to 2, earns 30 % of its marks." in finer
    strict = FRONT.replace('"A page"\n', '"A page"\nfollow_through = 0\nanswer_form = false\n')
    assert "earns none of its marks" in marked(tmp_path, "model-state", strict)
    chinese = FRONT.replace('"A page"\n', '"A page"\nlanguage = "zh"\n')
    assert "，2 (b) 至少 3 位。" in marked(tmp_path, "model-state\n:digits: 3", chinese)


def test_what_is_asked_exactly_needs_no_digits_and_what_asks_nothing_has_no_marks(tmp_path: Path) -> None:
    answer = '```{answer} devices-for-state memory="80 GB"\n:within: exact\n```'
    text = f"````{{question}} 1\nHow many?\n{answer}\n````\n"
    sheet = build_text(tmp_path, text, FRONT, SHEET)["sheet.md"]
    assert "How marks are given" not in sheet
    solved = build_text(tmp_path, QUESTIONS.replace("VALUE", "model-state"))
    assert not any("How marks are given" in one for one in solved.values())


def test_a_number_has_three_lines_of_room_and_a_label_one(tmp_path: Path) -> None:
    text = build_text(tmp_path, QUESTIONS.replace("VALUE", "model-state"), FRONT, SHEET)["sheet.md"]
    rooms = [part.count("<br>") for part in text.split("**Answer ")[1:]]
    assert rooms == [3, 1, 3]


def test_an_answer_may_be_asked_for_in_per_cent(tmp_path: Path) -> None:
    share = QUESTIONS.replace("VALUE", "{fsdp-memory N=156}/95[GB]\n:unit: %")
    form = build_text(tmp_path, share, FRONT, Options(sheet=True, form=True))["sheet.answers.txt"]
    assert "\n2 (b) [%]: \n" in form
    solved = build_text(tmp_path, share)
    assert "99.88 %" in solved["report.md"]
    assert "99.88~\\%" in solved["report.tex"]
    (tmp_path / "a.txt").write_text(form.replace("[%]: ", "[%]: 99.88"), encoding="utf-8")
    assert "(2b) " in (said := run("grade", str(tmp_path / "page.md"), str(tmp_path / "a.txt")).output)
    assert ", 1 of 1: 99.88\n" in said
