"""The gate of handouts: solutions get full marks from their own key, and the checker finds them sound."""

from pathlib import Path

import pytest
from documents import Options, source_in

from workings.check.checking import check_document
from workings.check.verdicts import FLAGS
from workings.document.read import read_document as read_source
from workings.grade.grading import grade_document
from workings.grade.keys import work_out
from workings.reading import read_document
from workings.render.reports import build

FRONT = '+++\ntitle = "A page"\nscenario = "xxl-220b"\n{}+++\n'

DEVICES = (
    "```{answer} devices-for-state memory=\"80 GB\"\n:id: devices\n:words: devices of 80 GB\n:points: 2\n"
    ":within: exact\n:near: device, GPU\n```\n"
)  # fmt: skip
SHARE = "```{answer} fsdp-memory N=156\n:points: 3\n:words: memory of one of 156\n:near: memory\n```\n"
STATE = "```{answer} model-state\n:words: model state\n:near: state\n```\n"
CHAIN = "````{solution}\n```{chain} fsdp-memory\n```\n```{worked} fsdp-memory N=156\n```\n````\n\n"

ONE = f"````{{question}} 1\nHow many devices of 80 GB hold it?\n{DEVICES}````\n\n"
TWO = f"````{{question}} 1\nHow large is the state, and how many devices?\n{STATE}{DEVICES}````\n\n"
PARTS = (
    f"`````{{question}} 2\nTake 156 devices.\n\n````{{part}} a\nWhat holds one?\n{SHARE}````\n\n"
    "````{part} b\nHow many at least?\n```{answer} fsdp-smallest-n\n:words: devices at least\n"
    ":within: exact\n:near: device\n```\n````\n`````\n\n"
)  # fmt: skip
KINDS = (
    "`````{question} 1\nWhich one?\n````{answer}\n:kind: choice\n[[choices]]\nwords = 'Sharded'\n"
    "[[choices]]\nwords = 'Whole'\nright = true\n````\n`````\n\n"
    "````{question} 2\nWhat holds one?\n```{answer} fsdp-memory\n:kind: formula\n```\n````\n\n"
    "````{question} 3\nWhere does it fit?\n```{answer} fsdp-fits\n:kind: condition\n```\n````\n\n"
    "````{question} 4\nDoes it fit?\n```{answer} false\n:kind: truth\n```\n````\n\n"
)
SOURCES = {
    "one answer": ("", ONE),
    "a derivation and its numbers": ("", ONE + PARTS + CHAIN),
    "two answers of one question": ("", TWO + PARTS),
    "a solution of its own": ("", ONE + "```{solution}\nSo 3,518 GB in all.\n```\n\n" + PARTS),
    "another batch": ("batch", ONE + PARTS + CHAIN),
    "a share of a gigabyte": ("", "````{question} 1\nTime?\n```{answer} mesh-gather-time\n```\n````\n"),
    "Chinese": ('language = "zh"\n', ONE + PARTS + CHAIN),
    "other kinds": ("", KINDS),
    "other kinds in Chinese": ('language = "zh"\n', KINDS),
}


@pytest.mark.parametrize("name", SOURCES)
def test_solutions_get_full_marks_from_their_own_key(tmp_path: Path, name: str) -> None:
    more, text = SOURCES[name]
    settings = {"batch": "2"} if more == "batch" else {}
    front = FRONT.format("" if more == "batch" else more)
    source = source_in(tmp_path, text, front)
    found, _ = read_source(source, settings=settings)
    assert found.key is not None
    options = Options(formats=("md",), settings=tuple(settings.items()))
    document = read_document("report.md", str(build(source, options)["report.md"]))
    checked = check_document(document, at=None if settings else "xxl-220b")
    assert [one for one in checked.statements if one.verdict in FLAGS] == []
    graded = grade_document(document, work_out("key", found.key), checked)
    assert [(one.id, one.verdict) for part in graded.parts for one in part.answers] == [
        (one.id, "right") for part in found.key.part for one in part.answer
    ]
    assert graded.marks == sum(one.marks for part in found.key.part for one in part.answer)
