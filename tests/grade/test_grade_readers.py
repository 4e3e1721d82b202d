"""Answers in columns, in words, under labels nobody foresaw, and without their result."""

from collections.abc import Iterator
from pathlib import Path

from languages_around import AROUND

from workings.grade.file import Answer, Choice, KeyFile, Part
from workings.grade.graded import GradedAnswer
from workings.grade.grading import grade_document
from workings.grade.keys import work_out
from workings.grade.targets import Key
from workings.reading import read_document

ROWS = Path(__file__).parent / "readers"
ONE = "{fsdp-smallest-n}/156"  # a key's value has something of the catalogue in it
# Where the grader is known to differ: what is asked, and how the answer begins.
DIFFERENT: dict[str, set[tuple[str, str]]] = {
    "developed": set(),
    "held_back": {
        ("L 1 2 3", "Nummer eins: Zeile 3\\n\\nNummer zwei: Zei"),
        ("S 1a 1b 2a 2b 3", "* 1a *\\nThe weights and the rest.\\nIt is"),
        ("S 1a 1b 2a 2b 3", "- 128 GB\\n- 44 devices\\n- 3/4\\n- line 3\\"),
        ("S 1a 1b 2a 2b 3", "I-a: 128 GB\\n\\nI-b: 44\\n\\nII-a: 3/4\\n\\nI"),
        ("S 1a 1b 3", "Exercise      Value     Unit\\n  1 a     "),
        ("ar 0.75", "ثلاثة أرباع الوقت"),
        ("en 3.5*10^12", "three and a half trillion bytes' worth o"),
        ("es 0.75", "tres cuartas partes del tiempo"),
        ("no 2.5", "to og en halv gang"),
        ("tr 0.75", "dörtte üçü"),
    },
}


def line(right: str, most: int) -> Answer:
    choices = tuple(Choice(label=str(n), right=str(n) == right) for n in range(1, most + 1))
    return Answer(id="line", words="the wrong line", marks=2, kind="line", choices=choices)


def value(of: str, unit: str = "", **more: str) -> Answer:
    base = {"GB": "*1[GB]", "ms": "*1[ms]"}.get(unit, "")
    within = more.get("within", "printed")
    return Answer(id="value", words="", marks=1, value=f"{of}{base}*{ONE}", unit=unit, within=within)


SHEETS = {
    "S": (
        Part(id="1a", answer=(value("128", "GB"),)), Part(id="1b", answer=(value("44", within="exact"),)),
        Part(id="2a", answer=(value("3/4"),)), Part(id="2b", answer=(line("3", 4),)),
        Part(id="3", answer=(value("54.4", "ms"),)),
    ),
    "L": (
        Part(id="1", answer=(line("3", 4),)), Part(id="2", answer=(line("2", 3), value("3/4"))),
        Part(id="3", answer=(line("4", 4),)),
    ),
}  # fmt: skip


def key_of(kind: str, asked: str) -> Key:
    """The key of what a row asks, which has one part but for the two sheets."""
    if kind in ("columns", "labels"):
        parts = SHEETS[asked.split(maxsplit=1)[0]]
    elif kind == "words" or asked.startswith("V "):
        number, _, unit = asked.partition(" ")[2].partition(" ")
        parts = (Part(id="1", answer=(value(number, unit),)),)
    else:
        formula, _, letters = asked.partition(" ")[2].partition(" : ")
        named = {letter: f"the {letter} of the sheet" for letter in letters.split()}
        answer = Answer(id="f", words="", marks=1, kind="formula", formula=formula, letters=named)
        parts = (Part(id="1", answer=(answer,)),)
    return work_out("key.toml", KeyFile(title="One", scenario="xxl-220b", part=parts))


def wanted_of(kind: str, asked: str, graded: dict[str, tuple[GradedAnswer, ...]]) -> list[GradedAnswer]:
    names = asked.split()[1:] if kind in ("columns", "labels") else ["1"]
    return [answer for name in names for answer in graded[name]]


def missed(table: str) -> Iterator[tuple[str, str, str]]:
    for row in (ROWS / f"{table}.tsv").read_text(encoding="utf-8").splitlines():
        if row.startswith("#"):
            continue
        kind, asked, mark, text, _ = row.split("\t")
        said = text.replace("\\n", "\n").replace("\\t", "\t")
        if kind == "words":
            said = f"{AROUND.get(asked.split()[0], '')}\n\n## 1\n\n{said}"
        elif kind == "results":
            said = f"## 1\n\n{said}"
        found = grade_document(read_document("ann.md", f"{said}\n"), key_of(kind, asked))
        answers = wanted_of(kind, asked, {part.id: part.answers for part in found.parts})
        full = all(answer.marks == answer.most for answer in answers)
        if full != (mark == "full"):
            verdicts = " ".join(answer.verdict for answer in answers)
            yield asked, text[:40], verdicts


def test_answers_developed_on_earn_what_they_should() -> None:
    found = list(missed("developed"))
    assert {one[:2] for one in found} == DIFFERENT["developed"], "\n".join(map(str, found))


def test_answers_held_back_earn_what_they_should() -> None:
    found = list(missed("held_back"))
    assert {one[:2] for one in found} == DIFFERENT["held_back"], "\n".join(map(str, found))
