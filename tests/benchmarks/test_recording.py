"""The figures of the report are those that the benchmark finds today."""

import tomllib
from pathlib import Path

import pytest
from auditing.records import Record
from measuring.labels import folder, labelled_in
from measuring.recording import MEASURED, share, short, written


def test_a_table_is_written_as_toml_and_read_back() -> None:
    table = Record("one", "A caption", "lr", ("what", "count"), (('a "quote" \\frac', "3"),))
    data = tomllib.loads(written([table]))["one"]
    assert data["head"] == ["what", "count"]
    assert data["rows"] == [['a "quote" \\frac', "3"]]


def test_a_share_is_rounded_down_so_that_all_means_all() -> None:
    assert (share(9999, 10000), share(3, 3), share(0, 0)) == ("99.9", "100.0", "-")


def test_quotes_are_short() -> None:
    assert short("a\n b") == "a b"
    assert len(short("x" * 200)) == 60


@pytest.mark.slow
def test_the_report_shows_what_the_benchmark_finds() -> None:
    documents = labelled_in(folder()) if Path(folder()).is_dir() else []
    if not documents:
        pytest.skip(f"no labelled derivations in {folder()}")
    from check import measured

    found, _ = measured(documents)
    assert written(found) == MEASURED.read_text(encoding="utf-8"), (
        "run python benchmarks/check.py --write"
    )
