"""[review] caveats: one to six sentences, each of one printable line."""

from pathlib import Path

import pytest
from job_files import JOB, read

from workings.planning.inputs.given import MOST_TEXT
from workings.planning.inputs.reviews import MOST_CAVEATS
from workings.planning.job import JobError


def caveats(folder: Path, written: str) -> tuple[str, ...]:
    return read(folder, f"{JOB}\n[review]\ncaveats = {written}\n").cover.caveats


def test_caveats_are_kept_in_their_order(tmp_path: Path) -> None:
    assert caveats(tmp_path, '["Second to none.", "First of all."]') == (
        "Second to none.", "First of all.",
    )  # fmt: skip
    assert read(tmp_path).cover.caveats == ()


def test_as_many_as_a_page_has_room_for_are_read(tmp_path: Path) -> None:
    many = [f"Caveat {place}." for place in range(MOST_CAVEATS)]
    assert caveats(tmp_path, str(many)) == tuple(many)


@pytest.mark.parametrize(
    "written",
    ['"One sentence."', "[]", str(["Again."] * (MOST_CAVEATS + 1)), "3", "true", "{ a = 1 }"],
)
def test_what_is_no_list_of_so_many_is_refused(tmp_path: Path, written: str) -> None:
    with pytest.raises(JobError, match=r"review\.caveats: .*expected a list of one to six sentences"):
        caveats(tmp_path, written)


@pytest.mark.parametrize(
    "written",
    ["[3]", "[true]", '[""]', '["a", ["b"]]', f'["{"a" * (MOST_TEXT + 1)}"]',
     '["a\\u001b[31m"]', '["two\\nlines"]', '["\\u202egnp.exe"]'],
)  # fmt: skip
def test_a_caveat_that_is_no_line_of_text_is_refused(tmp_path: Path, written: str) -> None:
    with pytest.raises(JobError, match=r"review\.caveats: ") as refused:
        caveats(tmp_path, written)
    assert str(refused.value).isprintable()
