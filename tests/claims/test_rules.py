"""Each rule accuses on the pages it is there for, and no rule on those that are right."""

import pytest

from workings.claims.claim import Finding, Rule
from workings.claims.page import page_of
from workings.claims.rules import judged, rules
from workings.reading.reading import read_document


def wrong(text: str) -> list[Finding]:
    return [f for f in judged(page_of(read_document("page.md", text))) if f.word == "wrong"]


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.id)
def test_a_rule_accuses_once_on_each_of_its_bad_pages_and_none_does_on_the_good(rule: Rule) -> None:
    for text in rule.bad:
        assert [found.rule for found in wrong(text)] == [rule.id], text
    for text in rule.good:
        assert wrong(text) == [], text


def test_what_follows_from_a_slip_is_not_accused_beside_it() -> None:
    for text in (
        "The table has 56 × 2 GB = 11.2 GB, i.e. about 104 GiB.",
        "We write 6 × 2.5 GB = 150 GB (14 GiB) an hour.",
    ):
        assert [found.rule for found in wrong(text)] == ["arithmetic"], text
    assert [found.rule for found in wrong("It has 56 × 2 GB = 112 GB, i.e. about 10.4 GiB.")] == [
        "conversion"
    ]


def test_a_number_longer_than_anybody_writes_is_none_and_stops_nothing() -> None:
    for text in (
        "2" + "⁹" * 300 + " = 3 GB",
        "1e99999 GB is 2 GB",
        f"{'7' * 400} × 2 = 3",
        f"${{2}}^{{{'9' * 200}}} = 4$",
    ):
        assert wrong(text) == [], text
