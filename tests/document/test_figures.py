"""Figures: bars to scale, with a text that says every number, in both formats alike."""

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from documents import BAR, FIGURE, FIRST, Options, build_text, refusal

from workings.document.blocks import Bars
from workings.document.drawn import Bar, Mark, Part
from workings.render.environment import render
from workings.render.geometry import AXIS, LETTER, NAMES, layout

SVG = "{http://www.w3.org/2000/svg}"


def figure(body: str, name: str = "f") -> str:
    return f"```{{figure}} {name}\n{body}```\n"


def part(name: str, quantity: str) -> str:
    return f'[[bar.part]]\nname = "{name}"\nid = "{quantity}"\n'


STACKED = (
    'unit = "GB"\ndigits = 5\nlimit = "95 GB"\nlimit-name = "one device"\ncaption = "Memory"\n'
    + '[[bar]]\nname = "156"\n'
    + part("state", "{model-state}/156")
    + part("sharded", "{saved-activations}/312")
    + part("whole", "{saved-activations}/2")
    + '[[bar]]\nname = "40"\n'
    + part("state", "{model-state}/40")
    + part("whole", "{saved-activations}/2")
)


def draw(folder: Path, body: str) -> tuple[ElementTree.Element, str, str]:
    """The drawing, the Markdown and the LaTeX of a figure."""
    made = build_text(folder, figure(body))
    return ElementTree.fromstring(made["f.svg"]), made["report.md"], made["report.tex"]  # noqa: S314 - ours


def rectangles(drawing: ElementTree.Element) -> list[tuple[float, float, str]]:
    """Where each part starts, how wide it is, and what it says."""
    return [
        (float(r.attrib["x"]), float(r.attrib["width"]), str(title.text))
        for r in drawing.iter(f"{SVG}rect")
        if (title := r.find(f"{SVG}title")) is not None
    ]


@pytest.mark.parametrize(("mark", "behind"), [(0.55, 0.55), (0.9, 0.5), (0.4, 0.5)])
def test_a_total_stands_behind_the_line_that_would_run_through_it(mark: float, behind: float) -> None:
    bar = Bar("b", (Part("p", 0.5, "50 GB"),), "50 GB")
    axis = ((0.0, "0"), (1.0, "100"))
    drawn = layout(Bars("f", 1, (), "", (bar,), ("p",), axis, "GB", (Mark(mark, "limit"),)))
    assert float(drawn["bars"][0]["end"]) == pytest.approx(NAMES + behind * AXIS + 1.5, abs=0.006)


def marked(*marks: Mark) -> list[dict[str, str]]:
    """Where the lines and names of marks stand on a figure of one bar."""
    bar = Bar("b", (Part("p", 0.5, "50 GB"),), "50 GB")
    found = layout(Bars("f", 1, (), "", (bar,), ("p",), ((0.0, "0"), (1.0, "1")), "GB", marks))
    return list(found["marks"])


CLOSE = (
    Mark(0.77, "GO up to 76.97 GB"),
    Mark(0.83, "GO IF up to 82.95 GB"),
    Mark(0.86, "device", firm=True),
)


@pytest.mark.parametrize("scale", [1.0, 0.1])
def test_no_line_runs_through_the_name_of_another_mark(scale: float) -> None:
    found = marked(*(Mark(mark.share * scale, mark.name, mark.firm) for mark in CLOSE))
    assert len({mark["text_y"] for mark in found}) == 3
    for named in found:
        wide = len(named["name"]) * LETTER
        start = float(named["text_x"]) - (wide if named["anchor"] == "end" else 0)
        assert start >= 0
        for line in found:
            beside = not start <= float(line["x"]) <= start + wide
            assert beside or float(line["y"]) >= float(named["text_y"])


def test_what_there_is_and_no_more_is_drawn_otherwise_than_a_limit() -> None:
    bar = Bar("b", (Part("p", 0.5, "50 GB"),), "50 GB")
    figure_of = Bars("f", 1, (), "", (bar,), ("p",), ((0.0, "0"), (1.0, "1")), "GB", CLOSE)
    drawing = ElementTree.fromstring(  # noqa: S314 - ours
        render("figures", "bars.svg", {**layout(figure_of), "alternative": "a"})
    )
    lines = {str(title.text): line.get("class") for line in drawing.iter(f"{SVG}line")
             if (title := line.find(f"{SVG}title")) is not None}  # fmt: skip
    assert lines == {CLOSE[0].name: "mark", CLOSE[1].name: "mark", "device": "firm"}


def test_a_total_stands_behind_all_lines_that_would_run_through_it() -> None:
    bar = Bar("b", (Part("p", 0.8, "80 GB"),), "80 GB")
    drawn = layout(Bars("f", 1, (), "", (bar,), ("p",), ((0.0, "0"), (1.0, "1")), "GB", CLOSE))
    assert float(drawn["bars"][0]["end"]) > NAMES + 0.86 * AXIS


def test_parts_stand_end_to_end_and_are_as_long_as_their_value(tmp_path: Path) -> None:
    drawing, _, _ = draw(tmp_path, STACKED)
    parts = rectangles(drawing)
    assert [text for _, _, text in parts] == [
        "state: 22.549 GB", "sharded: 0.46073 GB", "whole: 71.874 GB",
        "state: 87.939 GB", "whole: 71.874 GB",
    ]  # fmt: skip
    full = 200.0  # the axis ends at the next round number above 159.8
    for _, width, text in parts:
        value = float(text.split(": ")[1].removesuffix(" GB"))
        assert width == pytest.approx(value / full * AXIS, abs=0.006)
    for bar in (parts[:3], parts[3:]):
        assert bar[0][0] == NAMES
        for (x, width, _), (following, _, _) in pairwise(bar):
            assert following == pytest.approx(x + width, abs=0.011)


def test_the_axis_starts_at_0_and_its_ticks_are_equally_far_apart(tmp_path: Path) -> None:
    drawing, _, _ = draw(tmp_path, STACKED)
    ticks = [t for t in drawing.iter(f"{SVG}text") if t.get("text-anchor") == "middle"]
    texts = [str(t.text) for t in ticks if "class" not in t.attrib][:6]
    assert texts == ["0", "40", "80", "120", "160", "200 GB"]
    places = [float(t.attrib["x"]) for t in ticks if "class" not in t.attrib][:6]
    assert places == pytest.approx([NAMES + i * AXIS / 5 for i in range(6)], abs=0.006)


def test_the_limit_is_marked_where_it_stands(tmp_path: Path) -> None:
    drawing, _, tex = draw(tmp_path, STACKED)
    [line] = [one for one in drawing.iter(f"{SVG}line") if one.get("class") == "mark"]
    assert float(line.attrib["x1"]) == pytest.approx(NAMES + 95 / 200 * AXIS, abs=0.006)
    assert line.attrib["x1"] == line.attrib["x2"]
    assert f"\\put({line.attrib['x1']}," in tex
    assert "one device" in tex


def test_both_formats_and_the_text_say_the_same_numbers(tmp_path: Path) -> None:
    drawing, markdown, tex = draw(tmp_path, STACKED)
    said = {text.split(": ")[1] for _, _, text in rectangles(drawing)} | {"94.883 GB", "159.81 GB"}
    alternative = drawing.attrib["aria-label"]
    assert drawing.attrib["role"] == "img"
    title = drawing.find(f"{SVG}title")
    assert title is not None
    assert title.text == alternative
    assert f"![{alternative}](f.svg)" in markdown
    for number in said:
        assert number in alternative
    written = {str(t.text) for t in drawing.iter(f"{SVG}text")}
    for text in written - {"200 GB"}:
        assert text in tex
    widths = [f"{width:.2f}mm" for _, width, _ in rectangles(drawing)]
    assert re.findall(r"\\color\{workings\d\}\\rule\{([0-9.]+mm)\}\{5.00mm\}", tex) == widths


def test_each_part_has_the_colour_of_its_legend_in_both_formats(tmp_path: Path) -> None:
    drawing, _, tex = draw(tmp_path, STACKED)
    classes = [r.attrib["class"] for r in drawing.iter(f"{SVG}rect")]
    assert classes == ["c1", "c2", "c3", "c1", "c3", "c1", "c2", "c3"]  # parts, then the legend
    assert re.findall(r"\\color\{workings(\d)\}", tex) == [c[1] for c in classes]


def test_six_parts_have_a_colour_each_and_a_seventh_is_refused(tmp_path: Path) -> None:
    six = '[[bar]]\nname = "b"\n' + "".join(part(f"p{i}", "model-state") for i in range(6))
    made = build_text(tmp_path, figure(six))
    for number in range(1, 7):
        assert f".c{number} {{ fill: #" in made["f.svg"]
        assert f"\\definecolor{{workings{number}}}{{HTML}}" in made["report.tex"]
    sentence = refusal(tmp_path, figure(six + part("p6", "model-state")))
    assert "found 7 names of parts, expected at most 6" in sentence


def test_a_bar_of_nothing_is_drawn_on_an_axis_to_1(tmp_path: Path) -> None:
    drawing, _, _ = draw(tmp_path, '[[bar]]\nname = "b"\n' + part("p", "{model-state}*0"))
    assert rectangles(drawing) == [(NAMES, 0.0, "p: 0 GB")]
    assert drawing.attrib["aria-label"] == "Horizontal bars. b: p 0 GB."


@pytest.mark.parametrize("factor", ["10^-300", "10^-9", "1", "999", "10^30", "10^300"])
def test_an_axis_is_found_for_any_size(tmp_path: Path, factor: str) -> None:
    drawing, _, _ = draw(tmp_path, BAR.replace("model-state", f"{{model-state}}*{factor}"))
    [(_, width, _)] = rectangles(drawing)
    assert AXIS / 2 <= width <= AXIS  # the next of 1, 1.5, 2, 2.5, 4, 5, 6, 8, 10


def test_an_own_text_replaces_the_one_made_of_the_numbers(tmp_path: Path) -> None:
    drawing, markdown, _ = draw(tmp_path, 'alternative = "a](x) <b> & \\""\n' + BAR)
    assert drawing.attrib["aria-label"] == 'a](x) <b> & "'
    assert '![a\\](x) \\<b\\> & "](f.svg)' in markdown


def test_words_from_outside_stay_words_in_the_drawing(tmp_path: Path) -> None:
    hostile = "</title><script>alert(1)</script>]]>&amp;{{ 7*7 }}"
    body = (
        f"limit = '1 GB'\nlimit-name = '{hostile}'\n[[bar]]\nname = '{hostile}'\n"
        f"[[bar.part]]\nname = '{hostile}'\nid = 'model-state'\n"
        "[[bar.part]]\nname = 'other'\nid = 'model-state'\n"
    )
    drawing, _, _ = draw(tmp_path, body)
    assert not list(drawing.iter(f"{SVG}script"))
    words = [str(t.text) for t in drawing.iter(f"{SVG}text")]
    assert words.count(hostile) == 3  # bar, limit, legend


@pytest.mark.parametrize(
    ("body", "line", "problem"),
    [
        ("", 1, "found no [[bar]] with [[bar.part]], expected both"),
        ('[[bar]]\nname = "b"\n', 1, "found no [[bar]] with [[bar.part]], expected both"),
        ('unit = "s"\n' + BAR, 1, "whole, state: found 3,518 GB, expected s from 0"),
        ('unit = "x"\n' + BAR, 0, "found 'x', expected a unit such as GB"),
        (BAR + part("t", "forward-compute-time"), 1, "whole, t: found 0.1224 s, expected GB"),
        ('[[bar]]\nname = "b"\n' + part("p", "-{model-state}"), 1, "b, p: found -3,518 GB"),
        ('limit = "3 s"\n' + BAR, 1, "limit: found '3 s', expected GB above 0"),
        ('limit = "0 GB"\n' + BAR, 1, "limit: found '0 GB', expected GB above 0"),
        ('limit = "much"\n' + BAR, 0, "found 'much', expected a number with its unit"),
        ('digits = "x"\n' + BAR, 1, "digits: found 'x', expected 1 to 30"),
        ("colour = 1\n" + BAR, 1, "found key 'colour', expected one of caption"),
        (BAR.replace("name", "nam"), 1, "[[bar]]: found key 'nam', expected one of name, set"),
        (BAR + 'colour = "x"\n', 1, "[[bar.part]]: found key 'colour', expected one of name, id"),
        (BAR + 'set = { Z = "1" }\n', 0, "set: Z changes nothing here"),
        ("bar = 3\n", 1, "bar: found 3, expected [[bar]] tables"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, body: str, line: int, problem: str) -> None:
    sentence = refusal(tmp_path, figure(body))
    assert sentence.startswith(f"page.md:{FIRST + line}: ")
    assert problem in sentence


@pytest.mark.parametrize(
    "name",
    ["../escaped", "../../escaped", "/tmp/escaped", "a/b", "a b", "..", ".hidden", "x" * 99],  # noqa: S108
)
def test_a_name_that_is_no_file_name_is_refused(tmp_path: Path, name: str) -> None:
    assert "expected a name such as memory-use, for its file" in refusal(tmp_path, figure(BAR, name))
    assert [path.name for path in tmp_path.iterdir()] == ["page.md"]


def test_only_markdown_needs_the_drawing_as_a_file(tmp_path: Path) -> None:
    assert set(build_text(tmp_path, figure(BAR))) == {"report.md", "report.tex", "f.svg"}
    tex = build_text(tmp_path, figure(BAR), options=Options(formats=("tex",)))
    assert set(tex) == {"report.tex"}


def test_a_name_of_a_bar_may_hold_a_number_that_is_worked_out(tmp_path: Path) -> None:
    named = FIGURE.replace('name = "whole"', 'name = "{value}`fsdp-smallest-n` devices, {value}`memory`"')
    made = build_text(tmp_path, named)
    assert ">156 devices, 95 GB</text>" in made["memory.svg"]
    assert "156 devices, 95 GB: " in made["report.md"]
    wrong = named.replace("fsdp-smallest-n", "nosuch")
    assert "no derivation 'nosuch'" in refusal(tmp_path, wrong)
