"""Headings before nothing, the words for an account's rows, and the letters that stand right above."""

from pathlib import Path

import pytest
from documents import FIRST, FRONT, Options, build_text, markdown_of, refusal

from workings import catalogue

CHAIN, LEDGER, WORKED = (f"```{{{name}}} model-state\n```\n" for name in ("chain", "ledger", "worked"))
ROWS = r"\text{add the rows}"
TERMS = r"\text{weights + gradients + first moments + second moments}"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("## A\n\nx\n\n## B\n", 4, "B"),
        ("x\n\n## A\n\n## B\n\nx\n", 2, "A"),
        ("# A\n\n## B\n\n### C\n\n## D\n\nx\n", 2, "B"),
        ("````{solution}\nx\n\n### A {math}`N`\n````\n\nbelow it\n", 3, "A "),
        ("> ## A\n\nx\n", 0, "A"),
    ],
)
def test_a_heading_before_nothing_is_refused_with_its_place(
    tmp_path: Path, text: str, line: int, words: str
) -> None:
    expected = "expected text, a formula or a table before the next heading or the end"
    assert refusal(tmp_path, text) == (
        f"page.md:{FIRST + line}: the heading {words!r} has nothing below it, {expected}"
    )


def test_a_heading_over_another_stands_where_that_has_something_below_it(tmp_path: Path) -> None:
    assert markdown_of(tmp_path, "# A\n\n## B\n\nx\n\n# C\n\n```\ny\n```\n").count("#") == 4


def test_a_heading_over_a_solution_alone_stands_in_the_report_and_not_on_the_sheet(
    tmp_path: Path,
) -> None:
    text = "## Asked\n\nx\n\n## Told\n\n### How\n\n```{solution}\ny\n```\n"
    for sheet, headings in ((False, ["## Asked", "## Told", "### How"]), (True, ["## Asked"])):
        [made] = build_text(tmp_path, text, options=Options(formats=("md",), sheet=sheet)).values()
        assert [line for line in made.splitlines() if line.startswith("##")] == headings


def test_rows_are_added_where_their_table_stands_under_the_same_heading(tmp_path: Path) -> None:
    for text in (CHAIN + LEDGER, LEDGER + "\nx\n\n" + CHAIN, f"{LEDGER}\n````{{note}}\n{CHAIN}````\n"):
        assert ROWS in markdown_of(tmp_path, text)
    assert ROWS in markdown_of(tmp_path, "```{topic} memory\n:at: xxl-220b\n```\n")


def test_without_the_table_the_first_line_of_an_account_names_its_terms(tmp_path: Path) -> None:
    for text in (CHAIN, f"## A\n\n{LEDGER}\n## B\n\n{CHAIN}", f"````{{note}}\n{LEDGER}````\n\n{CHAIN}"):
        made = markdown_of(tmp_path, text)
        assert ROWS not in made
        assert TERMS in made


def test_many_terms_are_counted_and_other_reasons_stay(tmp_path: Path) -> None:
    made = markdown_of(tmp_path, "```{chain} block-activations\n```\n")
    rows = len(catalogue.get("block-activations").ledger)
    assert rf"\text{{a term for each of {rows} accounts}}" in made
    made = markdown_of(tmp_path, "```{chain} rank-parameters\n```\n")
    assert "split outside the experts + copied + routed experts: a rank's share of its stage" in made
    made = markdown_of(tmp_path, "```{chain} tp-forward-bytes\n```\n")
    assert "attention's output and the feed-forward's" in made


def test_every_account_that_adds_rows_has_rows_to_add() -> None:
    said = [id_ for id_ in catalogue.ids() if "add the rows" in catalogue.get(id_).lines[0].reason]
    assert len(said) > 40
    assert all(catalogue.get(id_).ledger for id_ in said)


def letters(made: str) -> bool:
    """Whether the last formula starts in letters and not in numbers."""
    return r"\text{GB}" not in made.rpartition(r"\begin{aligned}")[2].split("\\\\")[0] and (
        r"\times" not in made.rpartition(r"\begin{aligned}")[2].split("\\\\")[0]
    )


def test_letters_that_stand_right_above_are_not_written_again(tmp_path: Path) -> None:
    made = markdown_of(tmp_path, CHAIN + "\n" + WORKED)
    assert "**(2)** In numbers:" in made
    assert not letters(made)
    for between in ("x\n\n", LEDGER + "\n", "### H\n\n", "```{chain} saved-activations\n```\n\n"):
        made = markdown_of(tmp_path, CHAIN + "\n" + between + WORKED)
        assert "model state" in made.rpartition("**(")[2].lower()
        assert letters(made)
    assert letters(markdown_of(tmp_path, f"````{{note}}\n{CHAIN}````\n\n{WORKED}"))


def test_a_line_that_the_derivation_above_does_not_show_is_written(tmp_path: Path) -> None:
    solved = "```{chain} fsdp-fits\n```\n\n```{worked} fsdp-fits\n```\n"
    assert r"N &> \frac{3{,}5" in markdown_of(tmp_path, solved)
    other = "```{chain} fsdp-smallest-n\n```\n\n```{worked} fsdp-fits\n```\n"
    assert letters(markdown_of(tmp_path, other, FRONT))
