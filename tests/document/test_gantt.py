"""Gantt charts: schedules that were really run, drawn to scale, said in words, in both formats."""

import re
import subprocess
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from documents import FIRST, FRONT, Options, build_text, refusal, source_in

from workings.document.gantt import SCHEDULES
from workings.render.gantt_geometry import AXIS, LANE, NAMES
from workings.render.reports import build

SVG = "{http://www.w3.org/2000/svg}"


def gantt(body: str, name: str = "g") -> str:
    return f"```{{gantt}} {name}\n{body}```\n"


def sizes(schedule: str, stages: int, microbatches: int, more: str = "") -> str:
    return (
        f'schedule = "{schedule}"\nstages = {stages}\nmicrobatches = {microbatches}\n{more}'
        'caption = "Who works when"\n'
    )


EVERY = {
    "naive": 'schedule = "naive"\nstages = 3\n',
    "gpipe": sizes("gpipe", 4, 8),
    "1f1b": sizes("1f1b", 4, 8),
    "interleaved": sizes("interleaved", 4, 8, "virtual = 2\n"),
    "zb-h1": sizes("zb-h1", 4, 8),
    "zb-h2": sizes("zb-h2", 4, 8),
    "dualpipe": sizes("dualpipe", 8, 20, "overlapped = 2\n"),
}


def draw(folder: Path, body: str) -> tuple[ElementTree.Element, str, str]:
    """The drawing, the Markdown and the LaTeX of a chart."""
    made = build_text(folder, gantt(body))
    return ElementTree.fromstring(made["g.svg"]), made["report.md"], made["report.tex"]  # noqa: S314 - ours


def tasks(drawing: ElementTree.Element) -> list[tuple[float, float, float, str, str]]:
    """Where each task starts, on which height, how wide it is, its style, and what it says."""
    return [
        (
            float(r.attrib["x"]), float(r.attrib["y"]), float(r.attrib["width"]),
            r.attrib["class"].removeprefix("task "), str(title.text),
        )
        for r in drawing.iter(f"{SVG}rect")
        if (title := r.find(f"{SVG}title")) is not None
    ]  # fmt: skip


def test_every_schedule_is_drawn_by_one_of_these_names() -> None:
    assert set(EVERY) == set(SCHEDULES)


@pytest.mark.parametrize("name", EVERY)
def test_tasks_are_to_scale_and_none_overlaps_another_of_its_lane(tmp_path: Path, name: str) -> None:
    drawing, _, _ = draw(tmp_path, EVERY[name])
    found = tasks(drawing)
    words = str(drawing.attrib["aria-label"])
    ticks = re.search(r"takes ([0-9.]+) ticks", words)
    assert ticks is not None
    whole = float(ticks[1])
    for x, _, width, _, text in found:
        start, end = map(float, text.split(": ")[-1].split(" to "))
        assert x == pytest.approx(NAMES + start / whole * AXIS, abs=0.006)
        assert width == pytest.approx((end - start) / whole * AXIS, abs=0.006)
    by_height: dict[float, list[tuple[float, float]]] = {}
    for x, y, width, _, _ in found:
        by_height.setdefault(y, []).append((x, x + width))
    for spans in by_height.values():
        assert all(end <= start + 0.02 for (_, end), (start, _) in pairwise(sorted(spans)))


def test_the_axis_ends_with_the_schedule_and_no_tick_stands_near_that(tmp_path: Path) -> None:
    end = 16 * (1 + 2) + 3 * (1 + 2) / 2  # two chunks halve the time of filling and draining
    drawing, _, _ = draw(tmp_path, sizes("interleaved", 4, 16, "virtual = 2\n"))
    unmarked = [t for t in drawing.iter(f"{SVG}text") if "class" not in t.attrib and t.text]
    ticks = {str(t.text): float(t.attrib["x"]) for t in unmarked if re.fullmatch("[0-9.]+", str(t.text))}
    assert list(ticks) == ["0", "10", "20", "30", "40", f"{end:g}"]
    assert ticks[f"{end:g}"] == pytest.approx(NAMES + AXIS, abs=0.006)


def test_1f1b_with_4_ranks_and_8_micro_batches_is_the_known_chart(tmp_path: Path) -> None:
    drawing, markdown, _ = draw(tmp_path, EVERY["1f1b"])
    found = tasks(drawing)
    assert len(found) == 64
    heights = sorted({y for _, y, _, _, _ in found})
    last = [text for _, y, _, _, text in found if y == heights[3]]
    assert last[:3] == [
        "forward, micro-batch 0: 3 to 4", "backward, micro-batch 0: 4 to 6",
        "forward, micro-batch 1: 6 to 7",
    ]  # fmt: skip
    alternative = (
        "Pipeline schedule: 1F1B with 4 ranks and 8 micro-batches takes 33 ticks; rank 0 runs from 0 "
        "to 33 and works 24 of that; rank 1 runs from 1 to 31 and works 24 of that; rank 2 runs from "
        "2 to 29 and works 24 of that; rank 3 runs from 3 to 27 and works 24 of that."
    )
    assert drawing.attrib["aria-label"] == alternative
    assert drawing.attrib["role"] == "img"
    assert f"![{alternative}](g.svg)" in markdown
    assert "**Figure 1.** Who works when" in markdown


def test_boxes_hold_their_micro_batch_where_there_is_room(tmp_path: Path) -> None:
    drawing, _, tex = draw(tmp_path, EVERY["gpipe"])
    marks = [str(t.text) for t in drawing.iter(f"{SVG}text") if "small" in t.get("class", "")]
    assert sorted(marks) == sorted([str(i) for i in range(8)] * 8)
    written = re.findall(r"\\workingsmarkon\{(white|black)\}\{(\d+)\}", tex)
    assert [mark for _, mark in written] == marks
    crowded, _, _ = draw(tmp_path, sizes("gpipe", 4, 60))
    assert not [t for t in crowded.iter(f"{SVG}text") if "small" in t.get("class", "")]


def test_the_legend_names_what_is_drawn_and_the_waiting(tmp_path: Path) -> None:
    def legend(name: str) -> list[str]:
        drawing, _, tex = draw(tmp_path, EVERY[name])
        texts = [str(t.text) for t in drawing.iter(f"{SVG}text")]
        names = texts[texts.index("ticks") + 1 :]
        assert all(f"{{{one}}}" in tex for one in names)
        return names

    assert legend("naive") == ["forward", "backward", "waiting"]
    assert legend("interleaved") == [
        "forward, chunk 0", "forward, chunk 1", "backward, chunk 0", "backward, chunk 1", "waiting",
    ]  # fmt: skip
    assert legend("zb-h1") == ["forward", "backward: input", "backward: weights", "waiting"]
    assert legend("dualpipe") == [
        "forward", "backward", "backward: input", "backward: weights", "waiting",
    ]  # fmt: skip


def lightness(colour: str) -> float:
    """How light a colour is to the eye, 0 to 100 (CIE L*): what is left of it in greyscale."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    y = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return 116 * float(y ** (1 / 3)) - 16


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("form", ["light", "dark", "tex"])
def test_kinds_of_tasks_differ_in_greyscale_too(tmp_path: Path, name: str, form: str) -> None:
    made = build_text(tmp_path, gantt(EVERY[name]))
    style = made["g.svg"].partition("<style>")[2].partition("</style>")[0]
    light, _, dark = style.partition("@media")
    pattern = r"\.(\w+) \{ fill: #(\w{6}) \}"
    if form == "tex":
        found = re.findall(r"\\definecolor\{workings(\w+)\}\{HTML\}\{(\w{6})\}", made["report.tex"])
    else:
        found = re.findall(pattern, light) + (re.findall(pattern, dark) if form == "dark" else [])
    colours = dict(found)
    drawing = ElementTree.fromstring(made["g.svg"])  # noqa: S314 - ours
    styles = sorted({style for _, _, _, style, _ in tasks(drawing)})
    greys = sorted(lightness(colours[one]) for one in styles)
    assert all(darker + 9 < lighter for darker, lighter in pairwise(greys)), dict(
        zip(styles, greys, strict=True)
    )
    assert greys[-1] < 91  # and from the paper


def test_overlapped_tasks_share_the_height_of_their_lane(tmp_path: Path) -> None:
    drawing, _, _ = draw(tmp_path, EVERY["dualpipe"])
    heights = {float(r.attrib["height"]) for r in drawing.iter(f"{SVG}rect")}
    assert {LANE, LANE / 2} <= heights


def test_a_pdf_has_a_colour_for_every_style(tmp_path: Path) -> None:
    pytest.importorskip("typst", reason="the extra `pdf` is not installed")
    text = "\n\n".join(gantt(body, name) for name, body in EVERY.items())
    made = build(source_in(tmp_path, text), Options(formats=("pdf",)))
    assert made["report.pdf"].startswith(b"%PDF")


def test_both_formats_draw_the_same_tasks(tmp_path: Path) -> None:
    for body in EVERY.values():
        drawing, _, tex = draw(tmp_path, body)
        here = [(f"{x:.2f}", f"{width:.2f}", style) for x, _, width, style, _ in tasks(drawing)]
        pattern = r"\\workingstask\{([\d.]+)\}\{[\d.]+\}\{([\d.]+)\}\{[\d.]+\}\{(\w+)\}"
        assert re.findall(pattern, tex) == here


def test_times_of_tasks_can_be_given(tmp_path: Path) -> None:
    times = "forward = 2\ninput-gradient = 3\nweight-gradient = 4\n"
    drawing, _, _ = draw(tmp_path, sizes("gpipe", 1, 1, times))
    assert [text for _, _, _, _, text in tasks(drawing)] == [
        "forward, micro-batch 0: 0 to 2", "backward, micro-batch 0: 2 to 9",
    ]  # fmt: skip
    drawing, _, _ = draw(tmp_path, sizes("zb-h1", 1, 1, times))
    assert [text for _, _, _, _, text in tasks(drawing)] == [
        "forward, micro-batch 0: 0 to 2", "backward: input, micro-batch 0: 2 to 5",
        "backward: weights, micro-batch 0: 5 to 9",
    ]  # fmt: skip


def test_charts_and_bars_are_numbered_together_and_can_be_referred_to(tmp_path: Path) -> None:
    bars = '```{figure} f\n[[bar]]\nname = "b"\n[[bar.part]]\nname = "p"\nid = "model-state"\n```\n'
    text = "See {ref}`g`.\n\n" + bars + gantt(EVERY["naive"])
    markdown = build_text(tmp_path, text)["report.md"]
    assert "See [figure 2](#figure-g)." in markdown
    assert '<a id="figure-g"></a>' in markdown


def test_a_chart_inside_a_note_is_written_to_a_file_too(tmp_path: Path) -> None:
    made = build_text(tmp_path, "````{note} Look\n" + gantt(EVERY["naive"]) + "````\n")
    assert set(made) == {"report.md", "report.tex", "g.svg"}
    tex = build_text(tmp_path, gantt(EVERY["naive"]), options=Options(formats=("tex",)))
    assert set(tex) == {"report.tex"}


def test_an_own_text_replaces_the_one_made_of_the_times(tmp_path: Path) -> None:
    drawing, markdown, _ = draw(tmp_path, 'alternative = "a](x) <b> & \\""\n' + EVERY["naive"])
    assert drawing.attrib["aria-label"] == 'a](x) <b> & "'
    assert '![a\\](x) \\<b\\> & "](g.svg)' in markdown


@pytest.mark.parametrize(
    ("body", "line", "problem"),
    [
        ("", 1, "schedule: found '', expected one of naive, gpipe, 1f1b"),
        (sizes("2f2b", 4, 8), 1, "schedule: found '2f2b', expected one of"),
        ("schedule = 3\n", 1, "schedule: found 3, expected text"),
        ('schedule = "gpipe"\nmicrobatches = 2\n', 1, "stages: found 'nothing', expected 1 to 16"),
        ('schedule = "gpipe"\nstages = 2\n', 1, "microbatches: found 'nothing', expected 1 to 64"),
        (sizes("gpipe", 0, 8), 1, "stages: found 0, expected 1 to 16"),
        (sizes("gpipe", 17, 8), 1, "stages: found 17, expected 1 to 16"),
        (sizes("gpipe", 2, 65), 1, "microbatches: found 65, expected 1 to 64"),
        (sizes("gpipe", 2, 8, "forward = 0\n"), 1, "forward: found 0, expected 1 to 20"),
        (sizes("gpipe", 2, 8, "forward = true\n"), 1, "forward: found True, expected 1 to 20"),
        (sizes("gpipe", 2, 8, "forward = 1.5\n"), 1, "forward: found 1.5, expected 1 to 20"),
        (sizes("1f1b", 2, 8, "virtual = 2\n"), 1, "virtual: found it with 1f1b, expected it with inter"),
        (sizes("zb-h1", 2, 8, "overlapped = 2\n"), 1, "overlapped: found it with zb-h1"),
        (sizes("naive", 2, 8), 1, "microbatches: found it with naive, which has a single one"),
        (sizes("interleaved", 4, 6, "virtual = 2\n"), 1, "interleaved 1F1B: microbatches must be a mul"),
        (sizes("dualpipe", 3, 6), 1, "DualPipe: ranks and microbatches must be even, not 3 and 6"),
        (sizes("dualpipe", 4, 6), 1, "DualPipe: microbatches must be at least 8, not 6"),
        (sizes("gpipe", 2, 8, "colour = 1\n"), 1, "found key 'colour', expected one of schedule"),
        ("stages = \n", 1, "its body is not valid TOML"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, body: str, line: int, problem: str) -> None:
    sentence = refusal(tmp_path, gantt(body))
    assert sentence.startswith(f"page.md:{FIRST + line}: ")
    assert problem in sentence


def test_a_name_that_is_no_file_name_is_refused(tmp_path: Path) -> None:
    sentence = refusal(tmp_path, gantt(EVERY["naive"], "../x"))
    assert "{gantt}: found '../x', expected a name such as memory-use, for its file" in sentence


@pytest.mark.slow
@pytest.mark.tex
def test_pdflatex_sets_every_chart_on_its_page(tmp_path: Path, pdflatex: str) -> None:
    text = "".join(gantt(body, f"chart-{name}") for name, body in EVERY.items())
    made = build_text(tmp_path, text, FRONT, Options(formats=("tex",)))
    (tmp_path / "report.tex").write_text(made["report.tex"], encoding="utf-8")
    ran = subprocess.run(  # noqa: S603 - our own file
        [pdflatex, "-interaction=nonstopmode", "-halt-on-error", "report.tex"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout[-2000:]
    assert "Overfull" not in ran.stdout
