"""A sweep written out: CSV that programs read, a table, and a plot whose places can be measured."""

import csv
import io
from dataclasses import replace
from itertools import pairwise
from math import log2
from pathlib import Path
from xml.etree import ElementTree

import pytest
from sweep_files import JOB, reading

from workings.planning.cost import plan
from workings.planning.decision.bands import BANDS
from workings.planning.job import JobError
from workings.planning.sweeping import Point, Swept, as_csv, axes, sweep, text
from workings.planning.sweeping.measures import MEASURES
from workings.planning.sweeping.plot import drawable, plot
from workings.render.environment import render
from workings.render.line_geometry import line_layout

SVG = "{http://www.w3.org/2000/svg}"


def swept(folder: Path, *over: str, job: str = JOB, best: bool = False) -> Swept:
    return sweep(reading(folder, job), plan(), axes(over), best=best)


def drawn(found: Swept, what: str = "mfu") -> ElementTree.Element:
    return ElementTree.fromstring(svg(found, what))  # noqa: S314 - ours


def svg(found: Swept, what: str = "mfu") -> str:
    return render("figures", "lines.svg", line_layout(plot(found, what)))


def rows(found: Swept) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(as_csv(found))))


def test_csv_has_a_row_for_every_point_and_numbers_in_base_units(tmp_path: Path) -> None:
    found = swept(tmp_path, "gpus=32,64,2048", "seq=8k")
    first, second, third = rows(found)
    assert (first["gpus"], first["devices"], first["seq"]) == ("32", "32", "8k")
    assert (second["tp"], second["dp"], second["pp"], second["zero"]) == ("2", "32", "1", "1")
    assert float(second["tokens_per_second_a_device"]) == pytest.approx(
        512 * 8192 / float(second["step_seconds"]) / 64
    )
    assert float(second["memory_share"]) == pytest.approx(float(second["memory_bytes"]) / 85_520_809_984)
    assert float(second["cost_usd"]) == pytest.approx(64 * 3 * float(second["run_seconds"]) / 3600)
    assert [row["fits"] for row in (first, second, third)] == ["yes", "yes", ""]
    assert third["step_seconds"] == third["tp"] == ""
    assert "expected a multiple" in third["reason"]


@pytest.mark.parametrize("over", ["tp=1,2", "devices=32,64", "recompute=none,full", "zero=0,1"])
def test_no_column_comes_twice(tmp_path: Path, over: str) -> None:
    head = as_csv(swept(tmp_path, over)).partition("\n")[0].split(",")
    assert len(head) == len(set(head))
    assert len({len(line) for line in csv.reader(io.StringIO(as_csv(swept(tmp_path, over))))}) == 1


def test_a_spreadsheet_takes_no_cell_for_a_formula(tmp_path: Path) -> None:
    found = swept(tmp_path, "gpus=32")
    evil = Point({"gpus": "=1+1"}, reason='@SUM(A1), "quoted"\n-2')
    row = rows(replace(found, points=(evil,)))[0]
    assert row["gpus"] == "'=1+1"
    assert row["reason"].startswith("'@SUM")


def test_the_table_has_the_reasons_and_counts_points(tmp_path: Path) -> None:
    found = text(swept(tmp_path, "gpus=32,64,2048"))
    lines = found.splitlines()
    assert lines[0].split() == [
        "gpus", "dp", "tp", "cp", "pp", "chunks", "micro", "zero", "recompute", "sp", "memory",
        "share", "step", "MFU,", "causal", "tok/s/device", "days", "USD", "fits",
    ]  # fmt: skip
    assert "expected a multiple" in lines[3]
    assert lines[4].startswith(
        "3 points, the job's own layout at each, strong scaling: 2 fit in 90 % of the memory, "
        "1 is refused: "
    )
    assert lines[4].endswith(lines[3].partition("  no  ")[2])


def test_points_that_take_too_much_are_told_from_those_that_are_refused(tmp_path: Path) -> None:
    own = text(swept(tmp_path, "tp=1,2,3", "seq=8k,16k")).splitlines()[-1]
    assert "2 fit in 90 % of the memory, 2 do not, 2 are refused: " in own
    best = text(swept(tmp_path, "gpus=1,64", job=JOB.replace("8b", "70b"), best=True)).splitlines()
    assert "the lightest takes " in best[1]
    assert best[-1].endswith("1 fits in 90 % of the memory, 1 does not with any layout")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Llama 3 8B on 64 H100, TP 2 · DP 32", "Llama 3 8B on H100"),
        ("Mixtral 8x7B on 64 H100, PP 4 · DP 16, EP 8 inside DP", "Mixtral 8x7B on H100"),
        ("8B on 64 × h100-sxm, sequences of 8,192", "8B on h100-sxm, sequences of 8,192"),
    ],
)
def test_a_plot_does_not_name_devices_or_a_layout_that_change(
    tmp_path: Path, name: str, said: str
) -> None:
    job = JOB.replace("a job", name)
    found = plot(swept(tmp_path, "gpus=32,64", job=job))
    assert found.subtitle.partition(";")[0] == said
    assert plot(swept(tmp_path, "seq=2k,4k", job=job)).subtitle.startswith(name[:51])


def test_nothing_has_no_unit_on_an_axis(tmp_path: Path) -> None:
    found = plot(swept(tmp_path, "seq=2k,4k"), "memory")
    assert found.y_ticks[0] == (0.0, "0")
    assert found.y_ticks[-1][1].endswith(" GB")


def test_an_interrupted_sweep_says_so(tmp_path: Path) -> None:
    found = swept(tmp_path, "gpus=32,64")
    part = replace(found, points=found.points[:1])
    assert "interrupted after these, of 2" in text(part)
    assert len(rows(part)) == 1


def test_devices_lie_along_x_an_octave_as_wide_as_the_next(tmp_path: Path) -> None:
    found = plot(swept(tmp_path, "seq=2k,4k,8k,16k", "gpus=8..64"))
    assert found.x_name == "gpus"
    assert [series.name for series in found.series] == ["seq 2k", "seq 4k", "seq 8k", "seq 16k"]
    xs = [place.x for place in found.series[0].runs[0]]
    widths = [b - a for a, b in pairwise(xs)]
    assert widths == pytest.approx([1 / (1 + log2(64 / 8))] * 3)
    assert 0 < xs[0] < xs[-1] < 1


@pytest.mark.parametrize("what", MEASURES)
def test_heights_are_in_the_proportion_of_the_values(tmp_path: Path, what: str) -> None:
    found = swept(tmp_path, "gpus=8..256")
    drawing = plot(found, what)
    heights = [place.y for place in drawing.series[0].runs[0]]
    values = [MEASURES[what].of(point) for point in found.points]
    assert all(0 <= height <= 1 for height in heights)
    if what == "step":  # over a power of ten and more: each halving is as high as the next
        falls = [a - b for a, b in pairwise(heights)]
        assert falls == pytest.approx([falls[0]] * len(falls), rel=0.05)
    else:
        assert [h / heights[0] for h in heights] == pytest.approx([v / values[0] for v in values])


def test_claims_are_boxes_at_their_devices_and_labelled_as_a_texts_claim(tmp_path: Path) -> None:
    found = swept(tmp_path, "gpus=8..1024")
    boxes = plot(found).boxes
    assert len(boxes) == len([band for band in BANDS if band.devices <= 1024]) == 3
    assert boxes[1].words.startswith("64 devices: 48 to 55 %, claimed by unsigned notes")
    line = {
        place.words.partition(",")[0].partition(":")[0]: place for place in plot(found).series[0].runs[0]
    }
    assert (boxes[1].left + boxes[1].right) / 2 == pytest.approx(line["gpus 64"].x)
    # The line is drawn on the same scale: 61 % lies above a box that ends at 55 %.
    share = found.points[3].values["u"]
    assert boxes[1].high / line["gpus 64"].y == pytest.approx(0.55 / float(share))
    assert not plot(found, "memory").boxes
    assert not plot(swept(tmp_path, "seq=2k,4k")).boxes
    assert "claimed by unsigned notes" in svg(found)


def test_a_line_breaks_where_there_is_no_layout_and_is_hollow_where_it_does_not_fit(
    tmp_path: Path,
) -> None:
    job = JOB.replace('batch = "4M"', "batch = 48")
    found = swept(tmp_path, "gpus=16,32,64,96", job=job)  # 48 sequences for 8, 16, 32, 48 replicas
    assert [len(run) for run in plot(found).series[0].runs] == [2, 1]
    assert len(drawn(found).findall(f"{SVG}polyline")) == 2
    wide = swept(tmp_path, "seq=8k,64k")
    dots = [one for one in drawn(wide).iter(f"{SVG}circle") if one.attrib["class"] != "near"]
    assert ["hollow" in dot.attrib["class"] for dot in dots] == [
        False,
        True,
        True,
    ]  # and one in the legend
    assert "does not fit" in svg(wide)


def test_the_mfu_says_how_it_counts_attention(tmp_path: Path) -> None:
    found = swept(tmp_path, "gpus=32,64")
    assert plot(found).subtitle == "a job; half of attention's scores counted (causal)"
    assert plot(found, "step").subtitle == "a job"
    full = swept(tmp_path, "gpus=32,64", job=JOB + "[assume]\ncore_counted = 1\n")
    assert plot(full).subtitle == "a job; all of attention's scores counted"
    assert "MFU, all scores" in text(full).splitlines()[0]
    assert "MFU, causal" in text(found).splitlines()[0]


def test_memory_has_the_limit_as_a_line(tmp_path: Path) -> None:
    drawing = plot(swept(tmp_path, "seq=8k,32k"), "memory")
    assert drawing.mark is not None
    height, words = drawing.mark
    assert words == "limit 77.0 GB"  # 90 % of the 85.52 GB reported
    top = float(drawing.y_ticks[-1][1].removesuffix(" GB"))
    assert height * top == pytest.approx(76.97, rel=1e-3)
    assert plot(swept(tmp_path, "memory=60 GB,80 GB"), "memory").mark is None


def test_the_drawing_reads_in_both_themes_without_anything_from_outside(tmp_path: Path) -> None:
    found = swept(tmp_path, "gpus=8..64", "seq=4k,8k")
    content = svg(found)
    assert "@media screen and (prefers-color-scheme: dark)" in content
    assert content.count("http") == 1  # the name of SVG itself
    drawing = ElementTree.fromstring(content)  # noqa: S314 - ours
    said = drawing.attrib["aria-label"]
    assert drawing.attrib["role"] == "group"  # of points, each with words of its own
    assert drawing.findtext(f"{SVG}title") == said
    points = drawing.findall(f"{SVG}g")
    assert len(points) == 8
    assert all(one.attrib["tabindex"] == "0" and one.attrib["role"] == "img" for one in points)
    assert all(one.findtext(f"{SVG}text") == one.attrib["aria-label"] for one in points)
    assert "over gpus from 8 to 64" in said
    assert "8 of 8 points fit" in said
    styles = content.partition("<style>")[2].partition("</style>")[0]
    for number in range(1, 7):
        assert styles.count(f".s{number} ") == styles.count(f".d{number} ") == 2


def test_a_name_from_outside_does_nothing_in_the_drawing(tmp_path: Path) -> None:
    job = JOB.replace('"a job"', "'<script>alert(1)</script>&\"'")
    content = svg(swept(tmp_path, "gpus=8,64", job=job))
    assert "<script>" not in content
    assert "&lt;script&gt;" in content


def test_what_cannot_be_drawn_is_refused_before_the_sweep() -> None:
    with pytest.raises(JobError, match="found no axis of numbers"):
        drawable(axes(["recompute=none,full"]))
    with pytest.raises(JobError, match="found 13 lines, expected at most 12"):
        drawable(axes(["gpus=8..4096..x2", "seq=1024..13312..1024"]))
    drawable(axes(["gpus=8..4096", "recompute=none,full", "seq=1k..32k"]))
