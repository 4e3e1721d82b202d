"""Questions, parts and answers: what stands on a sheet, in solutions and in the key."""

import re
from pathlib import Path

import pytest
from documents import FRONT, Options, build_text, markdown_of, refusal, run, source_in

from workings.document.read import read_document
from workings.grade.file import KeyFile, read_key

DEVICES = """```{answer} devices-for-state memory="80 GB"
:id: devices
:words: devices of 80 GB
:points: 2
:within: exact
:near: device, GPU
[[accept]]
words = "80 GB read as GiB"
set = { memory = "80 GiB" }
share = 0.5
[[wrong]]
words = "only the weights counted"
value = "{model-state}/4/80[GB]"
hint = "Moments stand beside the weights."
```
"""
SHARE = "```{answer} fsdp-memory N=156\n:points: 3\n:words: one of 156\n```\n"
ONE = f"````{{question}} 1\nHow many devices?\n\n{DEVICES}````\n\n"
PARTS = (
    "`````{question} 2\nTake 156.\n\n"
    f"````{{part}} a\nWhat holds one?\n\n{SHARE}````\n\n"
    "````{part} b\nHow many at least?\n```{answer} fsdp-smallest-n\n:words: at least\n```\n````\n"
    "`````\n\n"
)
SOLUTION = "```{solution}\nAs follows.\n```\n"


def key_of(folder: Path, text: str, **options: object) -> KeyFile:
    key = read_document(source_in(folder, text), **options)[0].key  # type: ignore[arg-type]
    assert key is not None
    return key


def sheet_of(folder: Path, text: str) -> str:
    return build_text(folder, text, options=Options(formats=("md",), sheet=True))["sheet.md"]


def test_an_answer_prints_nothing_on_a_sheet_and_one_line_in_the_solution(tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, ONE + SOLUTION)
    assert "44" not in sheet
    assert "devices of 80 GB" not in sheet
    made = markdown_of(tmp_path, ONE + SOLUTION)
    question, _, solution = made.partition("**Solution**")
    assert "Answer" not in question
    assert solution.strip() == "As follows.\n\n**Answer (devices of 80 GB): 44** (2 points)"


def test_a_takeaway_that_ends_a_solution_stands_below_the_answer(tmp_path: Path) -> None:
    taken = "```{takeaway}\nCount first.\n```\n"
    ends = f"{ONE}````{{solution}}\nAs follows.\n{taken}````\n"
    amid = f"{ONE}````{{solution}}\n{taken}As follows.\n````\n"
    for text, order in ((ends, ["As", "Answer", "Count"]), (amid, ["Count", "As", "Answer"])):
        _, _, solution = markdown_of(tmp_path, text).partition("**Solution**")
        assert re.findall(r"As|Answer|Count", solution) == order


def test_a_question_without_a_solution_is_solved_by_its_answers(tmp_path: Path) -> None:
    made = markdown_of(tmp_path, ONE)
    assert made.endswith("**Solution**\n\n**Answer (devices of 80 GB): 44** (2 points)\n")


def test_an_answer_may_stand_in_the_solution_and_is_in_the_key_of_the_sheet_too(tmp_path: Path) -> None:
    text = f"```{{question}} 1\nHow many?\n```\n````{{solution}}\nSo:\n\n{DEVICES}\nDone.\n````\n"
    assert "So:\n\n**Answer (devices of 80 GB): 44** (2 points)\n\nDone." in markdown_of(tmp_path, text)
    assert key_of(tmp_path, text, sheet=True) == key_of(tmp_path, text)
    assert "**Question 1** (2 points)" in sheet_of(tmp_path, text)


def test_points_are_summed_for_a_part_a_question_and_the_page(tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, ONE + PARTS)
    assert "**Points: 6**" in sheet
    assert "**Question 1** (2 points)" in sheet
    assert "**Question 2** (4 points)" in sheet
    assert "**(a)** (3 points) What holds one?" in sheet
    assert "**(b)** (1 point) How many at least?" in sheet


def test_every_part_has_its_own_room_and_its_question_none(tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, PARTS.replace("```{part} b\n", "```{part} b\n:room: 2\n"))
    assert "**Answer 2(a):**" in sheet
    assert "**Answer 2:**" not in sheet
    assert sheet.count("<br>") == 3 + 2


def test_the_answers_of_parts_say_their_part_where_no_heading_does(tmp_path: Path) -> None:
    made = markdown_of(tmp_path, PARTS + SOLUTION)
    assert "**(a) Answer (one of 156): 94.88 GB** (3 points)" in made
    own = PARTS + "`````{solution}\n````{part} a\nDivide.\n````\nThe rest.\n`````\n"
    made = markdown_of(tmp_path, own).partition("**Solution**")[2]
    assert made.strip() == (
        "**(a)** Divide.\n\n**Answer (one of 156): 94.88 GB** (3 points)\n\n"
        "The rest.\n\n**(b) Answer (at least): 156** (1 point)"
    )


def test_points_that_are_typed_are_the_sum_or_what_one_answer_leaves_open(tmp_path: Path) -> None:
    typed = ONE.replace("{question} 1\n", "{question} 1\n:points: 3\n")
    assert refusal(tmp_path, typed) == "page.md:5: :points: found 3, expected 2, what its answers sum to"
    open_ = typed.replace(":points: 2\n", "")
    assert key_of(tmp_path, open_).part[0].answer[0].marks == 3


def test_a_question_without_answers_has_the_points_it_says_and_a_person_marks_it(tmp_path: Path) -> None:
    by_hand = "```{question} 3\n:points: 4\nWhy?\n```\n"
    assert "**Points: 4**" in sheet_of(tmp_path, by_hand)
    assert read_document(source_in(tmp_path, by_hand))[0].key is None
    [_, part] = key_of(tmp_path, ONE + by_hand).part
    assert part.answer[0].kind == "text"
    assert part.answer[0].rubric[0].marks == part.answer[0].marks == 4


def test_the_key_has_what_the_source_says(tmp_path: Path) -> None:
    key = key_of(tmp_path, ONE + PARTS)
    assert (key.title, key.scenario) == ("A page", "xxl-220b")
    assert [part.id for part in key.part] == ["1", "2a", "2b"]
    [answer] = key.part[0].answer
    assert (answer.id, answer.marks, answer.derivation) == ("devices", 2, "devices-for-state")
    assert (answer.set, answer.within, answer.near) == ({"memory": "80 GB"}, "exact", ("device", "GPU"))
    [accepted], [wrong] = answer.accept, answer.wrong
    assert (accepted.derivation, accepted.set) == ("devices-for-state", {"memory": "80 GiB"})
    assert (wrong.value, wrong.hint) == ("{model-state}/4/80[GB]", "Moments stand beside the weights.")
    assert key.part[1].answer[0].unit == "GB"


def test_the_key_holds_what_was_set(tmp_path: Path) -> None:
    key = key_of(tmp_path, ONE, settings={"batch": "16"})
    assert key.set == {"training.batch": "16"}


def test_the_key_is_written_as_toml_that_reads_back_the_same(tmp_path: Path) -> None:
    source = source_in(tmp_path, ONE + PARTS + SOLUTION)
    made = run("report", str(source), "--as", "key", "-o", str(tmp_path / "out"))
    assert made.stdout == f"{tmp_path}/out/key.toml\n"
    written = read_key(tmp_path / "out" / "key.toml")
    assert written == read_document(source)[0].key


def test_a_key_finds_the_scenario_beside_its_source(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(
        '[model]\npreset = "xxl-ffn"\n[hardware]\npreset = "h100-sxm"\n'
        "[training]\nbatch = 4\nsequence_length = 2048\n"
    )
    source = source_in(tmp_path, ONE, FRONT.replace('"xxl-220b"', '"small.toml"'))
    run("report", str(source), "--as", "key", "-o", str(tmp_path / "out"))
    assert read_key(tmp_path / "out" / "key.toml").scenario == "../small.toml"


def test_a_source_that_asks_for_nothing_has_no_key(tmp_path: Path) -> None:
    text = "```{question} 1\nWhy?\n```\n"
    assert "found no {answer} in it" in refusal(tmp_path, text, FRONT, "--as", "key")


WRONG = (
    (DEVICES, "{answer} devices-for-state memory=\"80 GB\": found it outside a question, expected it in "
     "one, or in a solution"),
    (ONE.replace("devices-for-state", "devices-for-states"), "devices-for-states"),
    (ONE.replace("exact", "about"), "within"),
    (ONE.replace("{model-state}/4/80[GB]", "{model-state}/4"), "found a value in byte, expected 1"),
    (ONE.replace(":near:", ":far:"), "found :far:, expected :kind:"),
    (ONE.replace('share = 0.5', 'share = "half"'), "accept 1, share: found 'half', expected float"),
    (ONE.replace("share = 0.5", "part = 1"), "accept 1, part: found an unknown key"),
    (ONE.replace(":id: devices", ":id: ../x"), "id: found '../x'"),
    (ONE.replace(":points: 2", ":points: -2"), ":points: found '-2', expected 2, 0.5 or the like"),
    (ONE.replace("exact\n", "exact\n:unit: s\n"), ":unit: found 's', expected a unit of 1"),
    (ONE.replace("````\n\n", DEVICES + "````\n\n"), ":id: found 'devices' twice in its question"),
    (ONE + ONE, "found question 1 twice with answers"),
    (PARTS.replace("{part} b", "{part} a"), "{part} a: found this part twice, expected each once"),
    (PARTS + "````{solution}\n```{part} c\nx\n```\n````\n", "expected a, b"),
    ("```{part} a\nx\n```\n", "{part} a: found it outside a question"),
)  # fmt: skip


@pytest.mark.parametrize(("text", "problem"), WRONG)
def test_what_is_wrong_in_an_answer_is_said_with_its_line(
    tmp_path: Path, text: str, problem: str
) -> None:
    said = refusal(tmp_path, text)
    assert said.startswith("page.md:")
    assert problem in said


def test_of_several_answers_each_is_known_by_words_that_only_it_has(tmp_path: Path) -> None:
    state = "```{answer} model-state\n:words: bytes of the state\n```\n"
    weights = "```{answer} {model-state}/4\n:words: bytes of the weights\n```\n"
    key = key_of(tmp_path, f"````{{question}} 1\nHow much?\n{state}{weights}````\n")
    assert [one.near for one in key.part[0].answer] == [("state",), ("weights",)]
    alone = key_of(tmp_path, f"````{{question}} 1\nHow much?\n{state}````\n")
    assert alone.part[0].answer[0].near == ()


def test_a_key_is_toml_and_has_no_other_format(tmp_path: Path) -> None:
    source = source_in(tmp_path, ONE)
    made = run("report", str(source), "--as", "key", "--format", "html", "-o", str(tmp_path / "out"))
    assert made.exit_code == 2
    assert "--format: found it with --as key, which is TOML" in made.stderr
    assert not (tmp_path / "out").exists()


def test_sections_that_are_pages_have_the_same_key(tmp_path: Path) -> None:
    text = f"## First\n\n{ONE}{SOLUTION}\n## Second\n\n{PARTS}"
    front = FRONT.replace("+++\n", '+++\npages = "section"\n', 1)
    pages = build_text(tmp_path, text, front, Options(formats=("md",)))
    assert "**Answer (devices of 80 GB): 44** (2 points)" in pages["first.md"]
    assert "**(b) Answer (at least): 156** (1 point)" in pages["second.md"]
    found = read_document(source_in(tmp_path, text, front))[0].key
    assert found is not None
    assert [part.id for part in found.part] == ["1", "2a", "2b"]


def test_no_format_of_a_sheet_holds_what_is_right(tmp_path: Path) -> None:
    text = f"{ONE}{PARTS}````{{solution}}\n```{{worked}} fsdp-memory N=156\n```\n````\n"
    formats = ("md", "tex", "html", "ipynb", "typ")
    sheet = build_text(tmp_path, text, options=Options(formats=formats, sheet=True))
    assert len(sheet) == len(formats)
    for name, made in sheet.items():
        for right in ("94.88", "44</", "**44", "one of 156)", "only the weights", "Moments stand"):
            assert right not in made, (name, right)


def test_questions_by_letters_have_parts_by_roman_numbers(tmp_path: Path) -> None:
    text = (
        "`````{question} (a)\nTake 156.\n\n"
        f"````{{part}} (i)\nWhat holds one?\n\n{SHARE}````\n\n"
        "````{part} (ii)\nHow many at least?\n```{answer} fsdp-smallest-n\n```\n````\n`````\n"
        "`````{solution}\n````{part} i\nDivide.\n````\n`````\n"
    )
    sheet = sheet_of(tmp_path, text)
    assert "**Question (a)** (4 points)" in sheet
    assert "**(i)** (3 points) What holds one?" in sheet
    assert "**Answer (a)(ii):**" in sheet
    made = markdown_of(tmp_path, text).partition("**Solution**")[2]
    assert made.strip().startswith("**(i)** Divide.\n\n**Answer (one of 156): 94.88 GB** (3 points)")
    assert [(part.id, part.title) for part in key_of(tmp_path, text).part] == [
        ("a-i", "(a) (i)"), ("a-ii", "(a) (ii)"),
    ]  # fmt: skip


def test_a_part_is_the_same_with_brackets_and_without(tmp_path: Path) -> None:
    again = PARTS.replace("{part} b", "{part} (a)")
    assert "found this part twice, expected each once" in refusal(tmp_path, again)


def test_an_answer_beside_the_parts_of_its_question_is_refused(tmp_path: Path) -> None:
    beside = PARTS.replace("Take 156.\n\n", f"Take 156.\n\n{DEVICES}\n")
    assert refusal(tmp_path, beside) == (
        "page.md:8: {answer} devices-for-state: found it in question 2 beside its parts, expected it in "
        "one of them: (a), (b)"
    )
    solved = PARTS + f"````{{solution}}\n{DEVICES}````\n"
    assert "beside its parts" in refusal(tmp_path, solved)
