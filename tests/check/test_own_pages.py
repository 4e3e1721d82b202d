"""Our own pages, read by our own checker: nothing wrong, and in the reports nothing unread."""

from pathlib import Path

import pytest

from workings.check import check_file
from workings.check.verdicts import Checked

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
REPORTS = ("xxl-220b", "seeds")


def checked(page: str) -> Checked:
    return check_file(ROOT / page, preview=True)


@pytest.mark.parametrize("page", PAGES)
def test_the_documentation_has_nothing_wrong(page: str) -> None:
    assert [(s.line, s.quote) for s in checked(page).wrong] == []


@pytest.mark.slow
@pytest.mark.parametrize("report", REPORTS)
def test_a_report_has_nothing_wrong_and_nothing_unread(report: str) -> None:
    found = checked(f"reports/{report}/report.md")
    assert len(found.statements) > 300
    assert [(s.line, s.quote) for s in found.wrong] == []
    assert found.understood == len(found.statements)


@pytest.mark.slow
@pytest.mark.parametrize("report", REPORTS)
def test_no_step_ends_in_an_internal_error(report: str) -> None:
    reasons = [s.reason for s in checked(f"reports/{report}/report.md").statements]
    assert not [reason for reason in reasons if "could not be worked out" in reason]
