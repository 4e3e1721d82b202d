"""Reports as files: what a source gives, what it uses, and what differs."""

from pathlib import Path

import pytest
from documents import FIGURE, FRONT, Options, build_text, source_in

from workings.errors import UserError
from workings.render.forms import FORMS
from workings.render.reports import build, differences, find, parse_formats, used, write


def test_every_format_asked_for_is_made_and_no_other(tmp_path: Path) -> None:
    for formats, names in ((("md",), {"report.md"}), (("tex",), {"report.tex"})):
        assert set(build_text(tmp_path, "x\n", options=Options(formats=formats))) == names
    assert parse_formats(" md , tex ,") == ("md", "tex")
    with pytest.raises(UserError, match=rf"^--format: found 'doc', expected {', '.join(FORMS)}$"):
        parse_formats("md,doc")


def test_what_a_report_uses_is_listed_with_what_that_uses_first(tmp_path: Path) -> None:
    path = source_in(tmp_path, "```{chain} fsdp-smallest-n\n```\n")
    assert [what.id for what in used(path)] == [
        "ffn-parameters", "model-state", "saved-activations", "fsdp-fits", "fsdp-smallest-n",
    ]  # fmt: skip


def test_figures_in_notes_lists_and_solutions_get_their_file(tmp_path: Path) -> None:
    def named(name: str) -> str:
        return FIGURE.replace("memory", name)

    text = (
        f"````{{note}}\n{named('a')}````\n\n````{{solution}}\n{named('b')}````\n\n"
        "- x\n\n  " + named("c").replace("\n", "\n  ") + "\n"
    )
    assert {n for n in build_text(tmp_path, text) if n.endswith("svg")} == {
        "a.svg", "b.svg", "c.svg"
    }  # fmt: skip
    sheet = build_text(tmp_path, text, options=Options(sheet=True))
    assert {n for n in sheet if n.endswith("svg")} == {"a.svg", "c.svg"}


def test_differences_are_found_by_bytes(tmp_path: Path) -> None:
    path = source_in(tmp_path, "× µ\n")
    made = build(path, Options())
    paths = write(made, tmp_path / "out", path)
    assert [p.name for p in paths] == list(made)
    assert differences(made, tmp_path / "out", path) == []
    paths[0].write_bytes(paths[0].read_bytes().replace(b"\n", b"\r\n"))
    paths[1].unlink()
    first, second = differences(made, tmp_path / "out", path)
    assert first.startswith(f"{paths[0]}: differs from its source, run `workings report ")
    assert second.startswith(f"{paths[1]}: missing, run `workings report ")


def test_a_report_is_found_by_path_folder_or_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = Path("reports") / "mine"
    folder.mkdir(parents=True)
    path = source_in(folder, "x\n", name="source.md")
    assert find("mine") == find("reports/mine") == find(str(path)) == path
    with pytest.raises(UserError, match=r"^no report 'yours', expected .* or one of mine$"):
        find("yours")
    with pytest.raises(UserError, match=r"^no report 'xxx"):
        find("x" * 10_000)


def test_a_room_of_0_leaves_no_answer_line(tmp_path: Path) -> None:
    text = "```{question} (a)\n:room: 0\nWhy?\n```\n\n```{question} (b)\n:room: 2\nHow?\n```\n"
    sheet = build_text(tmp_path, text, options=Options(sheet=True))
    assert "Answer (a)" not in sheet["sheet.md"] + sheet["sheet.tex"]
    assert sheet["sheet.md"].endswith("**Answer (b):**\n\n<br>\n<br>\n")
    assert r"\textbf{Answer (b):}\par\vspace*{2\baselineskip}" in sheet["sheet.tex"]


def test_a_question_without_a_name_asks_for_an_answer(tmp_path: Path) -> None:
    sheet = build_text(tmp_path, "```{question}\nWhy?\n```\n", FRONT, Options(sheet=True))
    assert "**Answer:**" in sheet["sheet.md"]


def test_a_report_is_never_written_over_its_source(tmp_path: Path) -> None:
    path = source_in(tmp_path, "words\n", name="report.md")
    made = build(path, Options())
    with pytest.raises(UserError, match=r"report\.md would be written over its own source"):
        write(made, tmp_path, path)
    assert path.read_text(encoding="utf-8").endswith("words\n")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["report.md"]
