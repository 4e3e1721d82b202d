"""What `workings check` prints on a terminal."""

from dataclasses import replace

import pytest
from attacks import ATTACKS
from check_cases import (
    DEPENDS,
    OK,
    ROUNDS,
    UNREAD,
    WRONG,
    attacked,
    issue_results,
    results_of,
)

from workings.check.report import View, report
from workings.check.results import Failure, Results
from workings.check.verdicts import Checked
from workings.check.words import summary
from workings.findings import Paint, unpainted
from workings.findings.as_text import text as as_text


def text(results: Results, view: View, paint: Paint = unpainted) -> str:
    return as_text(report(results, view), paint)


def test_what_is_not_right_stands_in_columns_with_what_is_said_of_it_below() -> None:
    assert text(issue_results(), View()).splitlines() == [
        "solution.md:41:13  wrong    4 × 12,288 × 49,152 × 96 × b = 2.32 × 10^14 · b  [arithmetic]",
        "                            left side is 2.319 × 10^11 · b: off by 10^3",
        "                            read as 4*12288*49152*96*b = 2.32e14*b",
        "                            perhaps: a power of ten is lost",
        "                            or: tera for giga",
        "solution.md:96:1   depends  N_FSDP ≥ 156",
        "                            follows from the unrounded values; with A ≈ 144 it is 157",
        "checked 73 statements of 81 found (8 not understood): 1 wrong, 1 depends on rounding",
    ]


def test_what_should_stand_there_is_said_where_the_reason_does_not() -> None:
    shown = text(results_of(replace(WRONG, reason="")), View())
    assert "written 2.32 × 10^14 · b, expected 2.319 × 10^11 · b\n" in shown


def test_everything_is_shown_when_asked() -> None:
    shown = text(results_of(OK, ROUNDS, UNREAD), View(verbose=True)).splitlines()
    assert [line.split("  ")[1].strip() for line in shown[:3]] == ["ok", "rounds", "not understood"]
    assert text(results_of(OK, ROUNDS, UNREAD), View()).count("\n") == 1


def test_only_some_verdicts_are_shown_and_all_are_counted() -> None:
    results = results_of(OK, WRONG, DEPENDS)
    shown = text(results, View(only=("ok", "depends"))).splitlines()
    assert [line.split()[1] for line in shown if line.startswith("solution")] == ["ok", "depends"]
    assert shown[-1] == summary(results)


@pytest.mark.parametrize(
    ("statements", "said"),
    [
        ([], "checked 0 statements of 0 found: nothing to check"),
        ([OK], "checked 1 statement of 1 found: nothing wrong"),
        ([UNREAD], "checked 0 statements of 1 found (1 not understood): nothing to check"),
        (
            [OK, replace(OK, defines=True)],
            "checked 1 statement and 1 definition of 2 found: nothing wrong",
        ),
        ([WRONG, WRONG], "checked 2 statements of 2 found: 2 wrong"),
        ([replace(WRONG, verdict="unit")], "checked 1 statement of 1 found: 1 with the wrong unit"),
        ([DEPENDS] * 2, "checked 2 statements of 2 found: nothing wrong, 2 depend on rounding"),
        (
            [replace(DEPENDS, reason="with GB read as GiB")],
            "checked 1 statement of 1 found: nothing wrong, 1 depends on the reading",
        ),
        (
            [replace(OK, verdict="truncates"), replace(OK, verdict="undecided")],
            "checked 1 statement of 2 found (1 undecided): nothing wrong, 1 cut off instead of rounded",
        ),
    ],
)
def test_the_last_line_counts(statements: list, said: str) -> None:  # type: ignore[type-arg]
    assert summary(results_of(*statements)) == said


def test_the_last_line_counts_what_was_left_out() -> None:
    documents = (Checked("a.md", (OK,), ignored=2), Checked("b.md", (OK,), accepted=1))
    assert summary(Results(documents, (Failure("c.md", "not UTF-8"),))) == (
        "checked 2 statements of 2 found in 2 files: nothing wrong, 2 ignored, 1 in the baseline, "
        "1 file could not be checked"
    )


def test_remarks_follow_the_statements_of_their_document() -> None:
    results = Results((Checked("a.md", (), notes=("B stands for two things",)),), notes=("stale",))
    assert text(results, View()).splitlines()[:2] == [
        "a.md  note: B stands for two things", "note: stale",
    ]  # fmt: skip


def test_the_cell_of_a_notebook_stands_behind_the_place() -> None:
    shown = text(results_of(replace(WRONG, file="a.ipynb", cell=3), replace(WRONG, line=5)), View())
    places = [line.partition("  wrong")[0].strip() for line in shown.splitlines() if "  wrong" in line]
    assert places == ["a.ipynb:41:13 (cell 3)", "solution.md:5:13"]


def test_with_the_line_in_the_source_of_the_cell() -> None:
    shown = text(results_of(replace(WRONG, file="a.ipynb", cell=3, cell_line=5)), View())
    assert shown.startswith("a.ipynb:41:13 (cell 3, line 5)  wrong")


def test_of_a_long_formula_as_it_was_read_both_ends_are_shown() -> None:
    read = " + ".join(str(number) for number in range(100, 300)) + " = 40,000"
    shown = text(results_of(replace(WRONG, read_as=read)), View())
    [line] = [line.strip() for line in shown.splitlines() if "read as" in line]
    assert len(line) <= 160
    assert line.startswith("read as 100 + 101 + ")
    assert " … " in line
    assert line.endswith("299 = 40,000")


def test_columns_count_chinese_characters_twice() -> None:
    names = (replace(WRONG, file="解答.md"), replace(WRONG, file="abcd.md"))
    shown = [line for line in text(results_of(*names), View()).splitlines() if "  wrong" in line]
    assert [line.index("wrong") for line in shown] == [15 - 2, 15]


def test_colours_are_put_on_by_the_caller() -> None:
    painted = text(results_of(WRONG), View(), lambda words, style: f"<{style}>{words}</>")
    assert painted.startswith("<place>solution.md:41:13</>  <wrong>wrong</>  4 × 12,288")
    assert "<detail>left side is" in painted


@pytest.mark.parametrize("words", ATTACKS)
def test_nothing_of_a_document_acts_on_a_terminal_or_its_log(words: str) -> None:
    shown = text(results_of(attacked(words)), View())
    assert all(c == "\n" or c.isprintable() for c in shown)
    assert not any(line.lstrip().startswith("::") for line in shown.splitlines())
    assert "##[" not in shown
    shown.encode("utf-8")
