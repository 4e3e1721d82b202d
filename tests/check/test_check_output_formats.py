"""What `workings check` writes for programs and for pages: JSON, GitHub, SARIF, Markdown, CSV."""

import csv
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from io import StringIO
from typing import Any

import pytest
from attacks import ATTACKS
from check_cases import DEPENDS, OK, UNREAD, WRONG, attacked, issue_results, results_of
from markdown_it import MarkdownIt

from workings.check.report import View, written
from workings.check.results import Failure, Results
from workings.check.verdicts import VERDICTS, Checked
from workings.findings import WRITERS

KEYS = {
    "file", "line", "column", "end_line", "quote", "relation", "verdict", "read_as", "written",
    "expected", "explanations",
}  # fmt: skip


def loaded(form: str, results: Results, view: View | None = None) -> Any:
    return json.loads(written(form, results, view))


# --- JSON -------------------------------------------------------------------------------------


def test_json_is_one_object_with_every_statement() -> None:
    found = loaded("json", issue_results())
    assert set(found) == {"schema", "files", "summary", "statements"}
    assert len(found["statements"]) == 81
    assert set(found["statements"][0]) == KEYS | {"end_column", "rule", "reason", "defines"}
    wrong = next(s for s in found["statements"] if s["verdict"] == "wrong")
    assert (wrong["line"], wrong["column"], wrong["quote"]) == (41, 13, WRONG.quote)
    assert wrong["explanations"][0] == {"mistake": "power-of-ten", "text": "a power of ten is lost"}


def test_json_counts_every_verdict() -> None:
    summary = loaded("json", issue_results())["summary"]
    assert (summary["found"], summary["understood"]) == (81, 73)
    assert summary["found"] == sum(summary[verdict] for verdict in VERDICTS)
    [file] = loaded("json", issue_results())["files"]
    assert (file["file"], file["wrong"], file["error"]) == ("solution.md", 1, None)


def test_json_of_a_notebook_names_the_cell() -> None:
    [statement] = loaded("json", results_of(replace(OK, cell=3, cell_line=5)))["statements"]
    assert (statement["line"], statement["cell"], statement["cell_line"]) == (OK.line, 3, 5)


def test_json_of_some_verdicts_still_counts_all() -> None:
    found = loaded("json", issue_results(), View(only=("wrong",)))
    assert [s["verdict"] for s in found["statements"]] == ["wrong"]
    assert found["summary"]["found"] == 81


def test_json_names_what_could_not_be_checked() -> None:
    results = Results((Checked("a.md", (), notes=("n",)),), (Failure("b.md", "not UTF-8"),))
    files = loaded("json", results)["files"]
    assert [(f["file"], f["notes"], f["error"]) for f in files] == [
        ("a.md", ["n"], None), ("b.md", [], "not UTF-8"),
    ]  # fmt: skip


@pytest.mark.parametrize("words", ATTACKS)
def test_json_is_ascii_and_keeps_the_words(words: str) -> None:
    shown = written("json", results_of(attacked(words)))
    assert all(c == "\n" or " " <= c <= "~" for c in shown)
    assert json.loads(shown)["statements"][0]["quote"] == words


# --- GitHub -----------------------------------------------------------------------------------


def test_github_annotates_by_how_bad_it_is() -> None:
    undecided = replace(OK, verdict="undecided")
    lines = written("github", results_of(WRONG, DEPENDS, undecided, OK, UNREAD)).splitlines()
    assert lines[0].startswith(
        "::error file=solution.md,line=41,col=13,endLine=41,title=workings%3A wrong [arithmetic]::4 × 12"
    )
    assert "%0Aleft side is 2.319 × 10^11 · b: off by 10^3%0A" in lines[0]
    assert [line.split()[0] for line in lines[1:3]] == ["::warning", "checked"]
    assert lines[2].startswith("checked 3 statements of 5 found (1 undecided, 1 not understood)")


def test_a_remark_is_a_notice_at_its_line() -> None:
    results = Results((Checked("a.md", (), notes=("line 3: workings: no", "B is 2 (line 4) but 3")),))
    assert written("github", results).splitlines()[:2] == [
        "::notice file=a.md,line=3,title=workings%3A note::line 3: workings: no",
        "::notice file=a.md,title=workings%3A note::B is 2 (line 4) but 3",
    ]


@pytest.mark.parametrize("words", ATTACKS)
def test_a_remark_cannot_give_github_commands(words: str) -> None:
    lines = written("github", Results((Checked(words, (), notes=(words,)),))).splitlines()
    assert len(lines) == 2
    assert re.match(r"::notice file=[^,:]*,title=workings%3A note::", lines[0])


@pytest.mark.parametrize("form", sorted(WRITERS))
def test_a_remark_on_a_document_is_in_every_format(form: str) -> None:
    results = Results((Checked("a.md", (OK,), notes=("a mistyped comment",)),))
    assert "a mistyped comment" in written(form, results)


@pytest.mark.parametrize("form", ["github", "md", "sarif"])
def test_the_cell_of_a_notebook_is_named(form: str) -> None:
    found = written(form, results_of(replace(WRONG, cell=3, cell_line=5)))
    if form == "sarif":
        [result] = json.loads(found)["runs"][0]["results"]
        assert (result["properties"]["cell"], result["properties"]["cellLine"]) == (3, 5)
    else:
        assert ("(cell 3, line 5)" if form == "md" else "(cell 3%2C line 5)") in found


@pytest.mark.parametrize("form", ["json", "csv"])
def test_definitions_are_counted_apart(form: str) -> None:
    results = results_of(OK, replace(OK, defines=True), replace(WRONG))
    if form == "json":
        assert loaded("json", results)["summary"]["definitions"] == 1
        assert [s["defines"] for s in loaded("json", results)["statements"]] == [False, True, False]
    else:
        assert [row["definitions"] for row in table(results)] == ["1"]


def test_github_properties_and_messages_are_escaped() -> None:
    odd = replace(WRONG, file="a,b:c%d.md", quote="50% of 8 = 5", reason="")
    [command, _] = written("github", results_of(odd)).splitlines()
    assert command.startswith("::error file=a%2Cb%3Ac%25d.md,line=41,")
    assert "::50%25 of 8 = 5%0A" in command


@pytest.mark.parametrize("words", ATTACKS)
def test_a_document_cannot_give_github_commands(words: str) -> None:
    lines = written("github", results_of(attacked(words))).splitlines()
    assert len(lines) == 2
    assert re.match(
        r"::error file=[^,:]*,line=41,col=13,endLine=41,title=workings%3A wrong \[arithmetic\]::",
        lines[0],
    )


# --- SARIF ------------------------------------------------------------------------------------


def test_sarif_has_what_the_schema_requires() -> None:
    found = loaded("sarif", issue_results())
    assert found["version"] == "2.1.0"
    [run] = found["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert run["tool"]["driver"]["name"] == "workings"
    assert len(set(rules)) == len(rules)
    assert {"arithmetic", "catalogue", "claim-total", "not-understood"} <= set(rules)
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in {"error", "warning", "note"}
        assert result["message"]["text"]


def test_sarif_results_stand_at_their_lines_and_name_the_mistake() -> None:
    wrong, depends = loaded("sarif", issue_results())["runs"][0]["results"]
    assert (wrong["ruleId"], wrong["level"]) == ("arithmetic", "error")
    assert (depends["ruleId"], depends["level"]) == ("depends", "warning")
    [place] = wrong["locations"]
    assert place["physicalLocation"]["artifactLocation"] == {"uri": "solution.md"}
    assert place["physicalLocation"]["region"]["startLine"] == 41


def test_sarif_fingerprints_do_not_know_lines_but_tell_repeats_apart() -> None:
    def prints(*lines: int) -> list[dict[str, str]]:
        results = results_of(*(replace(WRONG, line=line, end_line=line) for line in lines))
        return [r["partialFingerprints"] for r in loaded("sarif", results)["runs"][0]["results"]]

    assert prints(41, 50) == prints(1, 2)
    first, second = prints(41, 50)
    assert first != second


@pytest.mark.parametrize(
    ("file", "uri"),
    [("a b/解.md", "a%20b/%E8%A7%A3.md"), ("/x/a.md", "file:///x/a.md"), ("c:d.md", "c%3Ad.md"),
     ("\udcff.md", "%5Cudcff.md")],
)  # fmt: skip
def test_sarif_file_names_are_addresses(file: str, uri: str) -> None:
    [result] = loaded("sarif", results_of(replace(WRONG, file=file)))["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


@pytest.mark.parametrize("words", ATTACKS)
def test_sarif_messages_have_no_links_and_no_placeholders(words: str) -> None:
    shown = written("sarif", results_of(attacked(words)))
    assert shown.isascii()
    [result] = json.loads(shown)["runs"][0]["results"]
    message = result["message"]["text"]
    assert "](" not in message
    assert not re.search(r"(?<!\{)(\{\{)*\{(?!\{)", message)


# --- Markdown ---------------------------------------------------------------------------------


class Tags(HTMLParser):
    """The tags of a page, and its words."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.words = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        """Keep the tag's name."""
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        """Keep the words."""
        self.words += data


def page(results: Results, **options: Any) -> Tags:
    return Tags(MarkdownIt("gfm-like", {"html": True, "linkify": False, **options}).render(
        written("md", results)))  # fmt: skip


def test_markdown_is_the_counts_and_a_table() -> None:
    shown = written("md", results_of(WRONG, DEPENDS, OK)).splitlines()
    assert shown[0] == "**checked 3 statements of 3 found: 1 wrong, 1 depends on rounding**"
    assert shown[4] == "| Line | Verdict | Statement | Why |"
    assert shown[6].startswith("| 41:13 | wrong (arithmetic) | <code>4 × 12,288 × 49,152 × 96 × b = ")
    assert len(shown) == 8


def test_markdown_shows_the_words_of_the_document() -> None:
    shown = page(results_of(replace(WRONG, quote=r"$a_1 | b*c = \frac{1}{2}$ @me")))
    assert r"$a_1 | b*c = \frac{1}{2}$ @me" in shown.words


@pytest.mark.parametrize("words", ATTACKS)
def test_nothing_of_a_document_acts_on_a_page(words: str) -> None:
    results = Results(
        (Checked(words, (attacked(words),), notes=(words,)),), (Failure(words, words),), (words,)
    )
    allowed = {"p", "strong", "code", "table", "thead", "tbody", "tr", "th", "td", "br"}
    assert page(results).tags <= allowed
    source = written("md", results)
    assert not re.search(r"[`\[\]{}$!~@]|\\|://|www\.", source)
    assert source.count("\n| ") == 2  # the head and one row
    outside_code = re.sub("<code>.*?</code>", "", source)
    assert not re.search(r"&#(64|35);(?!&#8288;)", outside_code)


# --- CSV --------------------------------------------------------------------------------------


def table(results: Results) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(written("csv", results))))


def test_csv_is_one_row_a_document() -> None:
    results = Results((*issue_results().checked, Checked("b.md", (OK,), ignored=2)),
                      (Failure("c.md", "found a PDF"),))  # fmt: skip
    first, second, third = table(results)
    assert list(first) == ["file", "found", "understood", *(v.replace(" ", "_") for v in VERDICTS),
                           "definitions", "ignored", "accepted", "first_bad_line", "notes",
                           "error"]  # fmt: skip
    assert (first["found"], first["wrong"], first["first_bad_line"]) == ("81", "1", "41")
    assert (second["file"], second["ignored"], second["first_bad_line"]) == ("b.md", "2", "")
    assert (third["file"], third["found"], third["error"]) == ("c.md", "", "found a PDF")


@pytest.mark.parametrize("words", ATTACKS)
def test_no_cell_is_a_formula(words: str) -> None:
    for row in table(Results((Checked(words, ()),), (Failure(words, words),))):
        for cell in row.values():
            assert not cell.startswith(("=", "+", "-", "@", "\t", "\r"))
            assert cell.isprintable()
