"""A claims file: what it may hold, where its quotes stand, and how hostile ones are refused."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from attacks import ATTACKS
from claims_file_cases import checked, file_of
from click.testing import CliRunner
from documents import run

from workings.check.claimed.checking import check_claims
from workings.check.verdicts import Checked
from workings.cli import main
from workings.errors import UserError
from workings.findings import WRITERS

WRONG = {
    "kind": "calculation",
    "quote": "7e9 = 118 GB",
    "left": "16 B * 7e9",
    "value": "118 GB",
    "id": "a",
}
RIGHT = {"kind": "calculation", "quote": "8 × 8 = 64", "left": "8 × 8", "value": "64"}
PAGE = "# Memory\n\nFirst **8 × 8 = 64** GPUs,\nand then 16 B ×\n7e9 = 118 GB.\n\nAgain 8 × 8 = 64.\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a page, a file of claims on it, and another file above."""
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "secret.md").write_text("8 × 8 = 64")
    (inside / "page.md").write_text(PAGE, encoding="utf-8")
    (inside / "claims.json").write_bytes(file_of(RIGHT, WRONG, document="page.md"))
    monkeypatch.chdir(inside)
    return inside


def refusal(data: bytes) -> str:
    with pytest.raises(UserError) as caught:
        check_claims("claims.json", data)
    said = str(caught.value)
    assert said.startswith("claims.json")
    assert "\n" not in said
    assert len(said) < 400
    return said.removeprefix("claims.json: ")


def with_value(text: str) -> bytes:
    """A file with this JSON for a value."""
    return file_of(WRONG).replace(b'"118 GB"', text.encode())


# --- places -----------------------------------------------------------------------------------


def places(found: Checked) -> list[tuple[str, int, int]]:
    return [(statement.file, statement.line, statement.column) for statement in found.statements]


def test_a_quote_is_found_in_its_document_whatever_its_marks_and_white_space() -> None:
    quotes = ("8 × 8 = 64 GPUs, and", "16 B × 7e9 = 118 GB", "**8 × 8 = 64**")
    found = checked(*({**RIGHT, "quote": quote} for quote in quotes), document="page.md")
    assert places(found) == [("page.md", 3, 9), ("page.md", 4, 10), ("page.md", 3, 7)]
    assert found.statements[1].quote == "16 B ×\n7e9 = 118 GB"


def test_of_several_places_that_counts_which_is_nearest_to_the_line() -> None:
    found = checked(
        RIGHT, {**RIGHT, "line": 6}, {**RIGHT, "line": 4}, {**RIGHT, "line": 900}, document="page.md"
    )
    assert [line for _, line, _ in places(found)] == [3, 7, 3, 7]


def test_without_a_document_a_claim_stands_where_its_quote_does_in_the_file() -> None:
    text = json.dumps({"workings-claims": 1, "claims": [RIGHT, WRONG]}, indent=1)
    found = check_claims("claims.json", text.encode())
    lines = text.splitlines()
    for statement in found.statements:
        assert lines[statement.line - 1][statement.column - 2 :].startswith('"')
        assert statement.quote in (RIGHT["quote"], WRONG["quote"])


def test_a_claim_on_a_notebook_knows_its_cell() -> None:
    cell = {"cell_type": "markdown", "source": ["One.\n", "So 16 B × 7e9 = 118 GB."], "metadata": {}}
    book = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    Path("book.ipynb").write_text(json.dumps(book))
    [found] = checked(WRONG, document="book.ipynb").statements
    assert (found.cell, found.cell_line, found.verdict) == (1, 2, "wrong")


def test_a_page_with_decimal_commas_is_read_with_them() -> None:
    Path("seite.md").write_text("Das sind 1,5 × 24 = 36,0 und 3 × 1.172 = 3.516.")
    claims = ({"kind": "calculation", "quote": "3.516", "left": "3 × 1.172", "value": value}
              for value in ("3.516", "3.616"))  # fmt: skip
    assert [s.verdict for s in checked(*claims, document="seite.md").statements] == ["ok", "wrong"]


def test_a_quote_that_is_not_there_is_named() -> None:
    claims = ({**RIGHT, "id": "b", "quote": "9 × 9"}, {**RIGHT, "quote": "nor this"}, RIGHT)
    assert refusal(file_of(*claims, document="page.md")) == (
        "claim 1 (b): found no '9 × 9' (and 1 more such) in page.md, expected a quote word for word"
    )


def test_comments_of_the_document_silence_claims_too() -> None:
    Path("page.md").write_text("8 × 8 = 64 <!-- workings: ignore -->\n")
    found = checked({**RIGHT, "value": "65"}, document="page.md")
    assert (found.statements, found.ignored) == ((), 1)


def test_a_scenario_that_nothing_uses_is_said() -> None:
    found = check_claims("claims.json", file_of(RIGHT, scenario="xxl-220b"))
    assert found.notes == ("the scenario xxl-220b was not used, for no claim is a value of an entry",)


# --- what is refused --------------------------------------------------------------------------


def test_what_is_not_as_documented_is_refused_by_file_key_found_and_expected() -> None:
    for data, said in (
        (b"", "line 1, column 1: Expecting value, expected a claims file in JSON"),
        (b"[]", "found [], expected an object with"),
        (b'{"claims": []}', "workings-claims: found nothing, expected version 1"),
        (file_of(RIGHT).replace(b"1", b"2", 1), "workings-claims: found 2, expected version 1"),
        (file_of(), "claims: found '[]', expected list of length >= 1"),
        (file_of(*[RIGHT] * 2001), "expected list of length <= 2000"),
        (file_of(RIGHT, documents="a"), "documents: found an unknown key, expected one of workings-cl"),
        (file_of({**RIGHT, "x": 1}), "claim 1, x: found an unknown key, expected one of quote, id, "),
        (file_of(RIGHT, {"kind": "eval"}), "claim 2, kind: found 'eval', expected one of calc"),
        (file_of({}), "claim 1, kind: found nothing, expected one of calculation"),
        (file_of({"kind": "total", "total": "3"}), "claim 1, parts: found nothing, expected a value"),
        (with_value("118"), "claim 1, value: found '118', expected text"),
        (file_of({**RIGHT, "relation": "!="}), "claim 1, relation: found '!=', expected one of =, ≈, ~"),
        (file_of({**RIGHT, "line": 0}), "claim 1, line: found '0', expected int >= 1"),
        (file_of({**RIGHT, "line": 7}), "claim 1, line: found one, expected none where no document is"),
        (file_of(RIGHT, document="scan.pdf"), "document: found 'scan.pdf', expected .md, .tex or"),
        (file_of({**RIGHT, "quote": " "}), "claim 1, quote: found white space, expected words"),
        (file_of({"kind": "entry", "entry": "model-state"}), "claim 1: found neither, expected a "),
        (file_of(WRONG, WRONG), "id 'a': found it twice, expected each once"),
        (file_of(RIGHT, scenario="../x.toml"), "no scenario preset '../x.toml', expected one of"),
    ):  # fmt: skip
        assert said in refusal(data)


def test_hostile_json_is_refused_in_a_sentence() -> None:
    for data, said in (
        (b"[" * 100_000, "found JSON nested too deep"),
        (b'{"a":' * 100_000, "found JSON nested too deep"),
        (with_value("[" * 800 + "]" * 800), "claim 1, value: found"),
        (with_value("NaN"), "found NaN, which is no number, expected text in quotes"),
        (with_value("-Infinity"), "found -Infinity, which is no number"),
        (with_value("9" * 10**6), "found a number of 1,000,000 characters, expected it as text"),
        (with_value('"' + "9" * 10**6 + '"'), "expected text of length <= 2000"),
        (with_value('"1", "value": "2"'), "value: found this key twice, expected it once"),
        (b'{"workings-claims": 1, "workings-claims": 1}', "workings-claims: found this key twice"),
        (b" " * 5_000_001, "is larger than 5,000,000 bytes"),
        (b"\xff\xfe{", "is not UTF-8"), (b"\0", "has NUL bytes"), (b"%PDF-1.7", "is a PDF: supply"),
    ):  # fmt: skip
        assert said in refusal(data)


def test_a_document_is_never_looked_for_outside_of_the_folder(folder: Path) -> None:
    (folder / "link.md").symlink_to(folder.parent / "secret.md")
    (folder / "linked").symlink_to(folder.parent)
    for path in ("/etc/passwd", "../secret.md", "a/../../secret.md", "..\\secret.md", "C:\\x.md",
                 "\\x.md", "link.md", "linked/secret.md", ".", "none.md", "a\0b", "\ud800", "a" * 2000,
                 "https://a.example/secret.md"):  # fmt: skip
        said = refusal(file_of(RIGHT, document=path))
        assert re.match(r"document: found .*, expected a (path|file) below the folder", said), path


def test_formulas_that_would_take_for_ever_are_open_or_not_understood() -> None:
    lefts = ["9^9^9^9", "2^(2^40)", "1e999999", "9" * 2000, "(" * 900 + "1" + ")" * 900, "-" * 900 + "1",
             "sqrt " * 300 + "2", "\\frac{1}{" * 200, "{" * 900, "1/0", "ln(0)", "2" + "+2" * 900,
             "~" * 999, "().__class__.__bases__[0]", "1\0"]  # fmt: skip
    found = checked(*({**RIGHT, "left": left} for left in lefts)).statements
    assert {statement.verdict for statement in found} == {"undecided", "not understood"}
    assert all(statement.reason for statement in found)


def test_letters_that_grow_without_end_are_open() -> None:
    def chain(step: str, last: int) -> dict[str, Any]:
        letters = {f"x{n}": step.format(f"x{n + 1}") for n in range(last)} | {f"x{last}": "2"}
        return {"kind": "formula", "formula": "x0", "letters": letters, "value": "7"}

    found = checked(chain("{0} * {0}", 49), chain("{0}^9", 49), chain("-" * 100 + "{0}", 49)).statements
    assert {statement.verdict for statement in found} <= {"undecided", "not understood"}


# --- the command ------------------------------------------------------------------------------


def test_claims_are_printed_as_statements_are_and_give_exit_codes() -> None:
    found = run("check", "--claims", "claims.json")
    assert (found.exit_code, found.stdout.splitlines()) == (1, [
        "page.md:5:1  wrong  7e9 = 118 GB  [claim-calculation]",
        "                    this comes to 112 GB",
        "                    read as 16 B * 7e9 = 118 GB",
        "checked 2 statements of 2 found: 1 wrong",
    ])  # fmt: skip
    assert run("check", "--claims", "claims.json", "--ignore", "claim-calculation").exit_code == 0
    Path("bad.json").write_text("{}")
    both = run("check", "--claims", "bad.json", "claims.json")
    assert both.exit_code == 2
    assert both.stderr.startswith("workings: bad.json: workings-claims: found nothing, expected")
    assert both.stdout.startswith("page.md:5:1")


def test_every_format_has_the_claims() -> None:
    for form in WRITERS:
        shown = run("check", "--claims", "claims.json", "--format", form)
        assert shown.exit_code == 1
        assert "page.md" in shown.stdout
    statement = json.loads(run("check", "--claims", "claims.json", "--format", "json").stdout)[
        "statements"
    ][1]
    assert (statement["claim"], statement["rule"]) == ("a", "claim-calculation")
    sarif = json.loads(run("check", "--claims", "claims.json", "--format", "sarif").stdout)["runs"][0]
    [result] = sarif["results"]
    assert sarif["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == "claim-calculation"
    assert result["properties"]["claim"] == "a"


def test_students_are_not_told_what_would_be_right() -> None:
    claims = [{"kind": "entry", "entry": "ring-all-reduce", "formula": formula} for formula in ("S", "Q")]
    Path("entry.json").write_bytes(file_of(WRONG, *claims))
    for form in WRITERS:
        shown = run("check", "--claims", "entry.json", "--verbose", "--for", "student", "--format", form)
        assert shown.exit_code == 1
        assert "112" not in shown.stdout
        assert "/N" not in shown.stdout


def test_a_comment_may_silence_one_rule_of_claims() -> None:
    Path("page.md").write_text("8 × 8 = 64 <!-- workings: ignore claim-calculation -->\n")
    found = checked({**RIGHT, "value": "65"}, document="page.md")
    assert (found.statements, found.ignored, found.notes) == ((), 1, ())


def test_standard_input_is_read_too() -> None:
    piped = CliRunner().invoke(main, ["check", "--claims", "-"], input=file_of(WRONG, document="page.md"))
    assert (piped.exit_code, piped.stdout[:11]) == (1, "page.md:5:1")


def test_nothing_that_a_claim_says_acts_in_any_format() -> None:
    claims = [{**WRONG, "quote": words or "x", "id": f"{n}{words}", "subject": words, "left": "1 + 1"}
              for n, words in enumerate(ATTACKS)]  # fmt: skip
    claims += [{"kind": "entry", "quote": words, "entry": words, "value": "3"} for words in ATTACKS]
    Path("evil.json").write_bytes(file_of(*claims))
    for form in WRITERS:
        shown = run("check", "--claims", "evil.json", "--verbose", "--format", form).stdout
        assert shown
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202e\ud800]", shown)
        assert not re.search(r"^::error file=x", shown, re.MULTILINE)


def test_what_does_not_go_with_claims_is_said() -> None:
    for arguments, said in (
        (("page.md",), "found the document page.md, expected claims files in JSON"),
        (("claims.json", "--preview"), "found --preview too, which is for documents"),
        (("claims.json", "--key", "xxl-220b"), "found --key too, which is for documents"),
        (("claims.json", "--select", "arithmetic"), "found no rule 'arithmetic', expected one of claim-"),
    ):
        found = run("check", "--claims", *arguments)
        assert (found.exit_code, found.stdout) == (2, "")
        assert said in found.stderr
    assert "found no rule 'claim-total'" in run("check", "page.md", "--select", "claim-total").stderr
    assert run("check", "--explain", "claim-total").stdout.startswith("claim-total: The parts of a claim")


# --- claims on a page that others wrote -------------------------------------------------------

ROUND = Path(__file__).parent / "rounds" / "1" / "15_wrong.md"
CLAIMS = json.loads((Path(__file__).parents[1] / "data" / "claims_of_a_page.json").read_text("utf-8"))
CLAIMED = {"percent": "percent", "ratio": "times", "total": "total"}


def other(value: str) -> str:
    """The same with another second digit."""
    place = [found.start() for found in re.finditer(r"\d", value)][:2][-1]
    return f"{value[:place]}{(int(value[place]) + 4) % 10}{value[place + 1 :]}"


def test_of_a_page_with_one_slip_that_one_is_found_and_no_other() -> None:
    Path("page.md").write_text(ROUND.read_text("utf-8"), encoding="utf-8")
    found = check_claims("claims.json", json.dumps(CLAIMS).encode()).statements
    assert len(found) == 25
    assert [(s.claim, s.line, s.expected) for s in found if s.verdict == "wrong"] == [
        ("total", 44, "54,067,200")
    ]
    assert {s.verdict for s in found} <= {"ok", "rounds", "depends", "wrong"}
    rest = [claim for claim in CLAIMS["claims"] if claim["id"] != "total"]
    slips = [{**claim, key: other(claim[key])} for claim in rest
             for key in [CLAIMED.get(claim["kind"], "value")]]  # fmt: skip
    found = check_claims("claims.json", file_of(*slips, document="page.md")).statements
    assert {statement.verdict for statement in found} == {"wrong"}
