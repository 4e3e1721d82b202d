"""What a job assumes in place of what is usual stands in the register, with what would be without it."""

import json
from pathlib import Path

from reviewed import files, review

from workings.planning.inputs import read_job
from workings.review.build import Review
from workings.review.register import UNSURE, Entry

JOB = """
[model]
preset = "llama3-405b"
[cluster]
hardware = "h100-sxm"
devices = 16384
[launch]
{framework}
tp = 8
pp = 16
dp = 128
virtual_stages = 8
batch = 2048
sequence_length = 8192
zero = 2
sequence_parallel = true
reduce_width = "4 byte"
{assume}
"""


def made(folder: Path, assume: str = "", framework: str = "") -> Review:
    path = folder / "job.toml"
    text = JOB.format(assume=f"[assume]\n{assume}" if assume else "", framework=framework)
    path.write_text(text, "utf-8")
    return review(read_job(path))


def entry(found: Review, letter: str) -> Entry | None:
    return next((one for one in found.register if one.figure.letter == letter), None)


def row(found: Review, key: str) -> str:
    page = files(found, ("md",))["review.md"].split("## Assumption register")[1]
    return next((line for line in page.splitlines() if line.startswith("| A") and f"`{key}`" in line), "")


def test_a_switch_stands_there_with_what_the_step_would_be_without(tmp_path: Path) -> None:
    on, off = made(tmp_path, "gradients_by_turn = 1"), made(tmp_path)
    longer = off.desk.base["T_step"] / on.desk.base["T_step"] - 1
    assert longer > 0.05
    one = entry(on, "x_turn")
    assert one is not None
    assert one.kind == UNSURE
    assert "given in job.toml; were it 0, the step would be " in row(on, "gradients_by_turn")
    assert f"{float(longer * 100):#.3g} % longer)" in row(on, "gradients_by_turn").replace("\u00a0", " ")
    assert row(off, "gradients_by_turn") == ""
    told = json.loads(files(on, ("md",))["review.json"])["register"]
    (same,) = (other["otherwise"] for other in told if other["letter"] == "x_turn")
    assert (same["value"], round(same["more"]["T_step"], 9)) == (0, round(float(longer), 9))


def test_what_changes_little_or_is_as_usual_or_has_a_range_is_not_told_so(tmp_path: Path) -> None:
    for assume in (
        "gradients_by_turn = 0", "fragments = 0.02", 'block_gaps = "2 ms"',
        "matmul_efficiency = {value = 0.5, low = 0.4, high = 0.6}",
    ):  # fmt: skip
        assert all(one.otherwise is None for one in made(tmp_path, assume).register)


def test_what_is_usual_is_that_of_the_program_and_of_the_device(tmp_path: Path) -> None:
    given = 'block_gaps = "9 ms"\nmatmul_efficiency = 0.4'
    for program in ("", 'framework = "megatron"'):
        found, plain = made(tmp_path, given, program), made(tmp_path, "", program)
        for letter in ("T_gap", "eta"):
            one = entry(found, letter)
            assert one is not None
            assert one.otherwise is not None
            assert one.otherwise.value == plain.desk.job.figures[letter].value
        assert "% shorter" in row(found, "matmul_efficiency")


def test_the_peak_is_told_of_where_it_would_be_another(tmp_path: Path) -> None:
    few, usual = made(tmp_path, "fragments = 0.5"), made(tmp_path)
    smaller = 1 - usual.desk.base["M"] / few.desk.base["M"]
    assert f"were it 0.03, the peak would be {float(smaller * 100):#.3g} % smaller" in row(
        few, "fragments"
    ).replace("\u00a0", " ")
