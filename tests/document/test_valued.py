"""What an author is told where a letter has two values on a page."""

from pathlib import Path

from documents import FRONT, source_in

from workings.document.read import read_document

FRONT_GPT = FRONT.replace("xxl-220b", "gpt3-512")


def remarks(folder: Path, text: str, front: str = FRONT_GPT) -> list[str]:
    document, _ = read_document(source_in(folder, text, front))
    return [one for one in document.remarks if "takes for one value" in one]


def test_a_letter_with_two_values_is_said_with_both_places(tmp_path: Path) -> None:
    (said,) = remarks(
        tmp_path, "```{worked} training-state\n```\n\n```{worked} zero-3-smallest-group\n```\n"
    )
    assert said.startswith("page.md:8: S_any is 50.78 GB in zero-3-smallest-group and 3,143 GB in "
                           "training-state in line 5, which")  # fmt: skip


def test_values_that_differ_because_the_source_sets_them_are_meant(tmp_path: Path) -> None:
    one, other = "```{worked} fsdp-memory N=155\n```\n", "```{worked} fsdp-memory N=156\n```\n"
    assert remarks(tmp_path, f"{one}\n{other}", FRONT) == []
    assert (
        remarks(tmp_path, "```{worked} model-state\n```\n\n```{worked} devices-for-state\n```\n", FRONT)
        == []
    )


def test_in_another_section_a_letter_may_have_another_value(tmp_path: Path) -> None:
    text = "## A\n\n```{worked} training-state\n```\n\n## B\n\n```{worked} zero-3-smallest-group\n```\n"
    assert len(remarks(tmp_path, text)) == 1
    assert remarks(tmp_path, text, FRONT_GPT.replace("+++\n", '+++\nscope = "section"\n', 1)) == []
