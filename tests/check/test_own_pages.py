"""Our own reports, read by our own checker: nothing unread (`make pages` finds what is wrong)."""

from pathlib import Path

import pytest

from workings.check import check_file

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.parametrize("report", ["xxl-220b", "seeds"])
def test_a_report_has_nothing_unread_and_no_step_ends_in_an_internal_error(report: str) -> None:
    found = check_file(ROOT / "reports" / report / "report.md", preview=True)
    assert len(found.statements) > 300
    assert found.understood == len(found.statements)
    assert not [s.reason for s in found.statements if "could not be worked out" in s.reason]
