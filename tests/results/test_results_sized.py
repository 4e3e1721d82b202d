"""`size` as a command and from Python: one table, its data, refusals in one sentence."""

import csv
import io
import json
from typing import Any

import pytest
from documents import run
from looping import each

import workings

LINE: dict[str, Any] = {"model": "llama3-8b", "gpu": "h100-sxm", "gpus": 64, "seq": 8192,
                        "global_batch": "4M", "tokens": "1T"}  # fmt: skip
WORDS = [word for name, value in LINE.items() for word in (f"--{name.replace('_', '-')}", str(value))]
ASKED = ("--budget", "$200k", "--days", "60", "--devices", "32,36,64")


def ran(*more: str) -> Any:
    return run("size", *WORDS, *more)


def test_the_command_prints_the_same_data_the_same_rows_and_the_same_table() -> None:
    found = workings.size(**LINE, budget="200k", days=60, devices="32,36,64")
    assert json.loads(ran(*ASKED, "--format", "json").stdout) == found.to_dict()
    assert ran(*ASKED).stdout == str(found)
    assert str(found).endswith(f"{found.answer}\n")
    assert "<table>" in found._repr_html_()
    for row, read in zip(
        found.rows(), csv.DictReader(io.StringIO(ran(*ASKED, "--format", "csv").stdout)), strict=True
    ):
        assert list(row) == list(read)
        assert int(read["devices"]) == row["devices"]
        assert read["review"] == (row["review"] or "")


def test_a_row_has_days_and_dollars_by_the_model_and_where_they_are_likely_to_lie() -> None:
    first, odd, _ = workings.size(**LINE, days=60, devices="32,36,64").rows()
    assert first["cost_usd"] == pytest.approx(32 * 3 * first["run_seconds"] / 3600)
    assert first["run_seconds_from"] < first["run_seconds_middle"] < first["run_seconds_to"]
    assert first["runs"] > 8
    assert (first["usd_a_device_hour"], first["price_is"]) == (3.0, "assumed")
    assert odd["run_seconds_to"] is odd["cost_usd"] is odd["nodes"] is None
    assert odd["reason"]
    assert not odd["holds_at_the_bad_end"]


def test_a_price_of_the_command_line_is_that_of_every_device_that_has_none() -> None:
    rows = workings.size(
        **LINE, price="3 USD/h", days=60, devices=64, hardware="h100-sxm,b200-sxm=5"
    ).rows()
    assert [(row["usd_a_device_hour"], row["price_is"]) for row in rows] == [
        (3.0, "given"),
        (5.0, "given"),
    ]


@each("amount", ["200k", "$200,000", "200000", "200 thousand", "200k USD", "0.2M"])
def test_a_budget_is_of_dollars_however_it_is_written(amount: str) -> None:
    assert workings.size(**LINE, budget=amount, devices=64).to_dict()["max_cost_usd"] == 200_000


@each(
    "arguments, problem",
    [
        (("--days", "0"), "command line: --days: found 0, expected days of the run"),
        (("--days", "-3"), "command line: --days: found '-3', expected days of the run"),
        (("--budget", "lots"), "command line: --budget: found 'lots', expected USD of the run"),
        (("--budget", "5M EUR"), "command line: --budget: found '5M EUR', expected USD of the run"),
        (("--days", "9", "--repair", "0"), "command line: --repair: found 0, expected the time that a"),
        (
            ("--days", "9", "--hardware", "h10o-sxm"),
            "--hardware: found 'h10o-sxm', expected h100-sxm or ",
        ),
        (("--days", "9", "--hardware", "h100"), "found 'h100', expected h100-sxm or h100-sxm-fp8"),
        (
            ("--days", "9", "--hardware", "b200-sxm=x"),
            "--hardware b200-sxm: found 'x', expected a number",
        ),
        (("--days", "9", "--hardware", "b200-sxm,B200-sxm"), "--hardware: found b200-sxm twice"),
        (("--days", "9", "--devices", "0"), "--devices: found '0', expected a number above 0"),
        ((), "found no limit, expected --days, --budget, --min-mfu, or max_days, max_cost or min_mfu in"),
    ],
)
def test_what_cannot_be_sized_is_refused_in_one_sentence(
    arguments: tuple[str, ...], problem: str
) -> None:
    made = ran(*arguments)
    assert made.exit_code == 2
    assert problem in made.stderr
    assert made.stderr.count("\n") == 1
    assert not made.stdout


def test_ctrl_c_prints_the_rows_that_are_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    from workings.planning.search import search as real

    calls = list[int]()

    def search(*given: Any) -> Any:
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return real(*given)

    monkeypatch.setattr("workings.review.sizing.search", search)
    made = ran("--days", "60", "--devices", "32,64", "--format", "json")
    assert made.exit_code == 130
    printed = json.loads(made.stdout)
    assert (len(printed["rows"]), printed["size"], printed["complete"]) == (1, 2, False)
