"""Words of a live page that state a number are marked, for they do not follow what a reader changes."""

import re
from pathlib import Path

from documents import BAR, FRONT, Options, build_text

HTML = Options(formats=("html",))
WITHOUT = FRONT.replace('scenario = "xxl-220b"\n', "")


def marked(folder: Path, text: str, front: str = FRONT) -> list[str]:
    """The bare words of what is marked."""
    page = build_text(folder, text, front, HTML)["report.html"].partition("<main")[2]
    found = re.findall(r'<(\w+) class="written"[^>]*>(.*?)</\1>', page, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>|¶", "", words).split()) for _, words in found]


def test_a_number_that_is_typed_marks_its_words_and_a_name_with_digits_does_not(tmp_path: Path) -> None:
    text = """
## On 64 chips

It halves on 4 × 16.

**Up to 12** of them.

At {math}`4.6e14` FLOP/s.

In BF16, on an H100, as GPT-3 did by {math}`2*x`, all of them do.

- one of 7
- one
"""
    assert marked(tmp_path, text) == [
        "On 64 chips", "It halves on 4 × 16.", "Up to 12 of them.", "At 4.6·1014 FLOP/s.", "one of 7",
    ]  # fmt: skip


def test_a_number_that_follows_marks_its_words_and_one_that_nothing_moves_does_not(
    tmp_path: Path,
) -> None:
    text = "Close to {value}`memory`.\n\nAlways {value}`pipeline-bubble p=2 m=8`.\n"
    assert marked(tmp_path, text) == ["Close to 95 GB."]


def test_a_page_without_inputs_marks_nothing(tmp_path: Path) -> None:
    assert marked(tmp_path, "It halves on 4 × 16.\n", WITHOUT) == []


def test_a_caption_is_marked_for_its_own_numbers_and_for_a_figure_that_stays(tmp_path: Path) -> None:
    figure = '```{{figure}} {}\ncaption = "{}"\n' + BAR + "```\n"
    text = figure.format("one", "As it is") + "\n" + figure.format("two", "At 3")
    assert marked(tmp_path, text) == ["Figure 2. At 3"]


def test_the_copy_of_a_formula_in_numbers_is_a_call_that_runs(tmp_path: Path) -> None:
    page = build_text(tmp_path, "```{worked} fsdp-memory N=156\n```\n", FRONT, HTML)["report.html"]
    [python] = re.findall(r'data-python="([^"]*)"', page)
    call = (
        "workings.value(&#34;fsdp-memory&#34;, at=&#34;xxl-220b&#34;, set={&#34;N&#34;: 156}, digits=4)"
    )
    assert python == f"import workings\n{call}"
