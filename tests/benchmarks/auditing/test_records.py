"""Tables that a benchmark measured."""

from pathlib import Path

from audits import markdown_of, refusal

TABLE = (
    '[one]\ncaption = "Counts"\nalign = "lr"\nhead = ["what", "count"]\nrows = [["all *of* it", "3"]]\n'
)
TEXT = "```{records} counts.toml\n:table: one\n```\n"


def test_a_table_is_shown_as_it_was_written(tmp_path: Path) -> None:
    (tmp_path / "counts.toml").write_text(TABLE)
    page = markdown_of(tmp_path, TEXT)
    assert "what" in page
    assert "Counts" in page
    assert "3" in page
    assert "*of*" not in page  # what was measured is text, not Markdown


def test_a_table_that_is_not_there_or_of_another_shape_is_refused(tmp_path: Path) -> None:
    (tmp_path / "counts.toml").write_text(TABLE)
    assert "expected the name of one" in refusal(tmp_path, TEXT.replace("one", "two"))
    (tmp_path / "counts.toml").write_text(TABLE.replace(', "3"', ""))
    assert "expected 2 texts" in refusal(tmp_path, TEXT)
    assert "beside the source" in refusal(tmp_path, TEXT.replace("counts", "gone"))
