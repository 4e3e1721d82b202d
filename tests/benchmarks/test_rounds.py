"""Rounds of first contact: a draw meets its quotas, a right step is broken, the table is the records."""

import json
import random
from collections import Counter
from pathlib import Path

from rounds.draw import EACH, rows
from rounds.score import BREAKS, _changed, overlap
from rounds.table import found as found_rows

ROUNDS = Path(__file__).parents[1] / "check" / "rounds"


def test_every_draw_has_its_forms_languages_and_mistakes() -> None:
    for seed in range(20):
        pages = list(rows(seed))
        forms, languages = (Counter(getattr(p, name) for p in pages) for name in ("form", "language"))
        assert len(pages) == len({page.topic for page in pages}) == 20
        assert forms["LaTeX"] >= 4
        assert forms["notebook"] >= 3
        assert 20 - languages["English"] >= 6
        assert all(sum(page.mistakes[scope] for page in pages) >= 12 for scope in EACH)
        assert sum(bool(page.mistakes) for page in pages) <= 15
    assert [p.topic for p in rows(7)] == [p.topic for p in rows(7)] != [p.topic for p in rows(8)]


def test_a_broken_number_is_another_in_the_same_dress() -> None:
    draw = random.Random(1)  # noqa: S311 - a lot, no secret
    for number in ("7", "14.2", "3,517,578", "0.0519", "1e9"):
        for how in BREAKS:
            other = _changed(number, how, draw)
            assert other != number
            assert [c for c in other if not c.isdigit()] == [c for c in number if not c.isdigit()]
    assert _changed("1,024", "twice", draw) == "2,048"


def test_quotes_are_compared_without_what_only_sets_them() -> None:
    assert overlap("**2 × 7 = 15 GB**", "2 × 7 = 15 GB")
    assert not overlap("2 × 7 = 15 GB", "9 × 9 = 80 h")


def test_the_table_is_of_the_records() -> None:
    found = {row[:2]: row for row in found_rows()}
    record = json.loads((ROUNDS / "1" / "record.json").read_text(encoding="utf-8"))
    right = record["default"]["totals"]["right_accusations"]
    false = record["default"]["totals"]["false_accusations"]
    assert found["1", "by default"][6:8] == (str(right + false), str(right))
