"""`sweep` from Python: rows for a table, axes as dictionaries, refusals."""

import csv
import io
import json
from typing import Any

import pytest
from documents import run

import workings

LINE: dict[str, Any] = {"model": "llama3-8b", "gpu": "h100-sxm", "gpus": 8, "per_node": 8, "seq": 8192,
        "global_batch": 64, "tp": 2}  # fmt: skip
WORDS = [word for name, value in LINE.items() for word in (f"--{name.replace('_', '-')}", str(value))]


def test_rows_are_numbers_in_base_units_and_the_csv_says_the_same() -> None:
    swept = workings.sweep(**LINE, over={"gpus": "8..64", "seq": ["4k", 8192]})
    rows = swept.rows()
    assert [(row["gpus"], row["devices"], row["tokens_a_sequence"]) for row in rows][:3] == [
        ("8", 8, 4096), ("8", 8, 8192), ("16", 16, 4096)
    ]  # fmt: skip
    for row, read in zip(rows, csv.DictReader(io.StringIO(swept.csv())), strict=True):
        assert float(read["step_seconds"]) == row["step_seconds"]
        assert int(read["dp"]) == row["dp"] == row["devices"] // (row["tp"] * row["cp"] * row["pp"])
        assert (read["fits"] == "yes") is row["fits"]
        assert (read["sp"] == "yes") is row["sp"]


def test_a_point_that_is_refused_says_why_and_has_no_numbers() -> None:
    swept = workings.sweep(**LINE, over={"microbatch": [1, 3]})
    good, bad = swept.rows()
    assert good["reason"] == ""
    assert bad["fits"] is bad["step_seconds"] is bad["dp"] is None
    assert bad["reason"]
    assert repr(swept.points[0]) == "microbatch=1: fits"
    assert repr(swept.points[1]) == f"microbatch=3: {bad['reason']}"


def test_the_command_prints_the_same_data_and_the_same_table() -> None:
    swept = workings.sweep(**LINE, over=["gpus=8,16"], weak=True)
    arguments = ("sweep", *WORDS, "--over", "gpus=8,16", "--weak")
    assert json.loads(run(*arguments, "--format", "json").stdout) == swept.to_dict()
    assert run(*arguments).stdout == str(swept)
    assert repr(swept).endswith("weak scaling: 2 fit in 90 % of the memory")


def test_json_stays_alone_on_stdout_where_a_file_is_written_too(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(str(tmp_path))
    made = run("sweep", *WORDS, "--over", "gpus=8,16", "--format", "json", "-o", "s.csv")
    assert json.loads(made.stdout)["size"] == 2
    assert made.stderr == "s.csv\n"


def test_axes_may_be_called_as_the_keywords_are() -> None:
    by_keyword = workings.sweep(
        **LINE, over={"global_batch": [64, 128], "sequence_parallel": [True, False]}
    )
    by_option = workings.sweep(**LINE, over="global-batch=64,128")
    assert [r["sequences_a_step"] for r in by_keyword.rows()] == [64, 64, 128, 128]
    assert [r["sp"] for r in by_keyword.rows()] == [True, False, True, False]
    assert [r["sequences_a_step"] for r in by_option.rows()] == [64, 128]


def test_a_drawing_shows_a_measure_that_is_known() -> None:
    swept = workings.sweep(**LINE, over={"gpus": "8..64"})
    assert swept.svg("memory").startswith("<svg ")
    with pytest.raises(workings.UserError, match=r"--of: found 'joy', expected one of mfu, step"):
        swept.svg("joy")


def test_what_cannot_be_swept_is_refused_in_the_commands_sentence() -> None:
    for over in ("gpus=0,8", "nonsense=1", "seq=1..20000..1"):
        with pytest.raises(workings.UserError) as refused:
            workings.sweep(**LINE, over=over)
        assert run("sweep", *WORDS, "--over", over).stderr == f"workings: {refused.value}\n"


def test_a_key_that_is_set_and_swept_is_refused() -> None:
    with pytest.raises(workings.UserError, match=r"^--set devices: found it twice"):
        workings.sweep(**LINE, set={"devices": 16}, over="gpus=8,32")


def test_a_page_of_a_sweep_has_its_figure_and_its_table() -> None:
    swept = workings.sweep(**LINE, over={"gpus": "8..64"})
    page = swept.html("memory")
    assert page.count('class="point" tabindex="0"') == 4
    assert "<pre" in page
    assert "4 points" in page
    assert "</svg>" in page.partition("</figure>")[0]
    assert "<script src" not in page
