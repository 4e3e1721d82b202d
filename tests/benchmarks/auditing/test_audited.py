"""What the checker finds in a text, kept as facts and printed; no accusation without a remark."""

from pathlib import Path

import pytest
from auditing.facts import facts_of, first_words, place_of, read_facts, written
from audits import markdown_of, refusal

from workings.errors import UserError

TEXT = b"# A page\n\nThe sum is `2 * 3 = 7`.\n\nTwice: `2 * 4 = 8`.\n\nTwice: `2 * 4 = 8`.\n"
REMARK = '[[remark]]\ntext = "page"\nplace = "3:13"\nquote = "2 * 3 = 7"\nsays = "**True.** It is 6"\n'
COUNTS = "```{audited} facts.json\n```\n"
STATEMENTS = "```{audited} facts.json\n:text: page\n:remarks: remarks.toml\n```\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Facts on a page with one error, and a remark on it."""
    (tmp_path / "facts.json").write_text(written([facts_of("page", TEXT)]), encoding="utf-8")
    (tmp_path / "remarks.toml").write_text(REMARK, encoding="utf-8")
    return tmp_path


def test_facts_say_where_a_statement_stands_and_what_the_checker_said() -> None:
    first = facts_of("page", TEXT).statements[0]
    assert (first.start, first.end, first.quote, first.verdict) == ("3:13", "3:22", "2 * 3 = 7", "wrong")
    assert any("6" in said for said in first.said)


def test_facts_are_read_as_they_were_written(folder: Path) -> None:
    assert read_facts(folder / "facts.json") == {"page": facts_of("page", TEXT)}


def test_a_file_of_something_else_is_refused_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "facts.json"
    path.write_text('[{"text": 1}]')
    with pytest.raises(UserError, match=r"^facts\.json: found .*, expected what the checker wrote$"):
        read_facts(path)


def test_quotes_are_cut_where_they_get_long_or_the_line_ends() -> None:
    assert first_words("a = b") == "a = b"
    assert first_words("a = b\n  = c") == "a = b…"
    assert first_words("x" * 60) == "x" * 48 + "…"


def test_a_place_is_a_line_and_a_column() -> None:
    assert place_of("33:5") == (33, 5)
    with pytest.raises(UserError, match=r"^found place 'line 3', expected one such as '33:5'$"):
        place_of("line 3")


def test_statements_that_touch_a_stretch_overlap_it() -> None:
    first = facts_of("page", TEXT).statements[0]
    assert first.overlaps((3, 1), (3, 14))
    assert first.overlaps((3, 21), (3, 30))
    assert not first.overlaps((3, 1), (3, 13))
    assert not first.overlaps((3, 22), (3, 30))


def test_counts_are_by_verdict_with_a_total(folder: Path) -> None:
    assert "| page | 3 | 2 | 1 |\n| **all** | **3** | **2** | **1** |" in markdown_of(folder, COUNTS)


def test_an_accusation_stands_beside_our_remark(folder: Path) -> None:
    page = markdown_of(folder, STATEMENTS)
    assert "Accusations: 1 in page" in page
    assert "| 3 | `2 * 3 = 7` |" in page
    assert "| **True.** It is 6 |" in page


def test_statements_read_alike_are_one_row_with_both_lines(folder: Path) -> None:
    page = markdown_of(folder, STATEMENTS)
    assert "Holds: 2 in page" in page
    assert page.count("| 5, 7 | `2 * 4 = 8` | ok |") == 1


def test_an_accusation_without_a_remark_is_an_error(folder: Path) -> None:
    (folder / "remarks.toml").write_text("", encoding="utf-8")
    assert "page 3:13: found no remark on the accusation of '2 * 3 = 7'" in refusal(folder, STATEMENTS)


def test_a_remark_on_what_is_not_accused_is_an_error(folder: Path) -> None:
    more = REMARK + REMARK.replace("3:13", "5:9").replace("2 * 3 = 7", "2 * 4 = 8")
    (folder / "remarks.toml").write_text(more, encoding="utf-8")
    assert "page 5:9: found a remark on '2 * 4 = 8'" in refusal(folder, STATEMENTS)


def test_a_text_nobody_read_is_refused(folder: Path) -> None:
    found = refusal(folder, "```{audited} facts.json\n:text: other\n```\n")
    assert ":text: found 'other', expected one of page" in found


def test_facts_lie_beside_the_source(folder: Path) -> None:
    assert "found '../facts.json', expected a JSON file" in refusal(
        folder, "```{audited} ../facts.json\n```\n"
    )
