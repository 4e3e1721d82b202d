"""Strips: ratios of groups, drawn on one logarithmic axis, in both formats."""

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from audits import build_text, refusal

from workings.render.strip_geometry import AXIS, NAMES

SVG = "{http://www.w3.org/2000/svg}"
TABLE = """[errors]
caption = "Ours over theirs"
align = "lw"
head = ["source", "ratio"]
rows = [["wide", "0.5 1 2"], ["narrow", "0.9 1.1 1.21"]]
"""
TEXT = "```{strips} measured.toml\n:table: errors\n:lines: 0.9 1.1\n```\n"


def draw(folder: Path, text: str = TEXT, table: str = TABLE) -> tuple[ElementTree.Element, str, str]:
    """The drawing, the Markdown and the LaTeX."""
    (folder / "measured.toml").write_text(table)
    made = build_text(folder, text)
    return ElementTree.fromstring(made["errors.svg"]), made["report.md"], made["report.tex"]  # noqa: S314 - ours


def places(drawing: ElementTree.Element, style: str) -> list[float]:
    """Where the middle of every mark of a style stands on the axis, as a share of it."""
    return [
        (float(r.attrib["x"]) + float(r.attrib["width"]) / 2 - NAMES) / AXIS
        for r in drawing.iter(f"{SVG}rect") if r.attrib["class"] == style
    ]  # fmt: skip


def test_equal_ratios_are_equally_far_apart(tmp_path: Path) -> None:
    marks = places(draw(tmp_path)[0], "mark")
    assert len(marks) == 6
    half, one, two = marks[:3]
    assert one - half == pytest.approx(two - one, abs=2e-4)
    assert marks[5] - marks[4] == pytest.approx((two - one) * 0.1375, abs=2e-3)  # 1.1 to 1.21
    assert 0 < half < two < 1


def test_every_group_has_a_median_a_name_and_a_count(tmp_path: Path) -> None:
    drawing, page, tex = draw(tmp_path)
    marks, medians = places(drawing, "mark"), places(drawing, "median")
    assert medians == pytest.approx([marks[1], marks[4]], abs=1e-4)
    words = [str(t.text) for t in drawing.iter(f"{SVG}text")]
    assert words[:4] == ["wide", "3", "narrow", "3"]
    assert "wide: 3, median 1.00; narrow: 3, median 1.10" in page
    assert tex.count(r"\color{workings1}\rule{0.35mm}") == 6


def test_lines_stand_at_their_ratios_and_are_named(tmp_path: Path) -> None:
    drawing, page, tex = draw(tmp_path)
    marks = places(drawing, "mark")
    lines = {round(x, 3) for x in places(drawing, "line") if x > 0.2}  # those of the legend lie left
    assert lines == {round(marks[3], 3), round(marks[4], 3)}
    assert "-10 % and +10 %" in ElementTree.tostring(drawing, encoding="unicode")
    assert "![" in page
    assert re.search(r"-10 .?% and \+10 .?%", tex)


def test_the_axis_shows_1_and_ticks_with_room_between_them(tmp_path: Path) -> None:
    drawing = draw(tmp_path)[0]
    ticks = [(float(t.attrib["x"]), str(t.text)) for t in drawing.iter(f"{SVG}text")
             if t.attrib.get("text-anchor") == "middle" and str(t.text) != "ratio"]  # fmt: skip
    assert "1" in [text for _, text in ticks]
    assert all(b[0] - a[0] > 7 for a, b in pairwise(ticks))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("0.5 1 2", "0.5 one 2", "expected numbers above 0"),
        ("0.5 1 2", "0.5 0 2", "expected numbers above 0"),
        ("0.5 1 2", "inf", "expected numbers above 0"),
        ("0.5 1 2", "", "expected lw: names and ratios"),
        ('"narrow"', '"wide"', "wide: found a second row, expected lw: names and ratios"),
        ('"lw"', '"lr"', "expected lw: names and ratios"),
        ("errors]", "er/rors]", "found no such table"),
    ],
)
def test_a_table_that_makes_no_figure_is_refused(tmp_path: Path, old: str, new: str, said: str) -> None:
    (tmp_path / "measured.toml").write_text(TABLE.replace(old, new).replace("[er/rors]", "[other]"))
    assert said in refusal(tmp_path, TEXT)


@pytest.mark.parametrize("rows", ['[["wide"]]', "[]"])
def test_names_alone_make_no_figure(tmp_path: Path, rows: str) -> None:
    one = f'[errors]\ncaption = "Names"\nalign = "l"\nhead = ["source"]\nrows = {rows}\n'
    (tmp_path / "measured.toml").write_text(one)
    assert "found align 'l', expected lw: names and ratios" in refusal(tmp_path, TEXT)


def test_more_lines_than_kinds_of_dashes_are_refused(tmp_path: Path) -> None:
    (tmp_path / "measured.toml").write_text(TABLE)
    assert "expected at most 4" in refusal(tmp_path, TEXT.replace("0.9 1.1", "0.8 0.85 0.9 1.1 1.2"))
    assert "expected numbers above 0" in refusal(tmp_path, TEXT.replace("0.9", "-1"))
