"""[review] caveats and conditions: one to six sentences, each of one printable line."""

from pathlib import Path

import pytest
from job_files import JOB, read

from workings.planning.inputs.given import MOST_TEXT
from workings.planning.inputs.reviews import MOST_SENTENCES
from workings.planning.job import JobError

pytestmark = pytest.mark.parametrize("key", ["caveats", "conditions"])


def sentences(folder: Path, key: str, written: str) -> tuple[str, ...]:
    found: tuple[str, ...] = getattr(read(folder, f"{JOB}\n[review]\n{key} = {written}\n").cover, key)
    return found


def test_sentences_are_kept_in_their_order(key: str, tmp_path: Path) -> None:
    assert sentences(tmp_path, key, '["Second to none.", "First of all."]') == (
        "Second to none.", "First of all.",
    )  # fmt: skip
    assert getattr(read(tmp_path).cover, key) == ()


def test_as_many_as_a_page_has_room_for_are_read(key: str, tmp_path: Path) -> None:
    many = [f"Sentence {place}." for place in range(MOST_SENTENCES)]
    assert sentences(tmp_path, key, str(many)) == tuple(many)


@pytest.mark.parametrize(
    "written",
    ['"One sentence."', "[]", str(["Again."] * (MOST_SENTENCES + 1)), "3", "true", "{ a = 1 }"],
)
def test_what_is_no_list_of_so_many_is_refused(key: str, tmp_path: Path, written: str) -> None:
    with pytest.raises(JobError, match=rf"review\.{key}: .*expected a list of one to six sentences"):
        sentences(tmp_path, key, written)


@pytest.mark.parametrize(
    "written",
    ["[3]", "[true]", '[""]', '["a", ["b"]]', f'["{"a" * (MOST_TEXT + 1)}"]',
     '["a\\u001b[31m"]', '["two\\nlines"]', '["\\u202egnp.exe"]'],
)  # fmt: skip
def test_a_sentence_that_is_no_line_of_text_is_refused(key: str, tmp_path: Path, written: str) -> None:
    with pytest.raises(JobError, match=rf"review\.{key}: ") as refused:
        sentences(tmp_path, key, written)
    assert str(refused.value).isprintable()
