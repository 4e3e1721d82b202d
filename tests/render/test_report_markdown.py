"""The 220B report and its sheet as Markdown that GitHub shows as meant."""

import re
from collections.abc import Mapping
from itertools import pairwise

import pytest
from markdown_it import MarkdownIt

FORBIDDEN = re.compile(
    r"\\(operatorname|tag|label|ref|newcommand|def|require|mathop|htmlClass|href|color|unicode)\b"
)
NUMBER = re.compile(r"[0-9][0-9,{}]*(?:\.[0-9]+)?")
GITHUB = MarkdownIt("gfm-like", {"html": True, "linkify": False})


@pytest.fixture(params=["report", "sheet"])
def page(request: pytest.FixtureRequest) -> str:
    made: Mapping[str, str] = request.getfixturevalue(request.param)
    return made[f"{request.param}.md"]


def formulas(page: str) -> list[str]:
    """Every display and inline formula."""
    display = re.findall(r"^```math\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    inline = re.findall(r"\$`(.*?)`\$", page)
    return display + inline


def balanced(formula: str) -> bool:
    depth = 0
    for sign in re.findall(r"\\.|[{}]", formula):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        if depth < 0:
            return False
    pairs = len(re.findall(r"\\left\b", formula)) == len(re.findall(r"\\right\b", formula))
    return depth == 0 and pairs


def test_every_formula_is_whole_and_needs_no_macro_of_ours(page: str) -> None:
    found = formulas(page)
    assert len(found) > 10
    for formula in found:
        assert balanced(formula), formula
        assert not FORBIDDEN.search(formula), formula
        assert "$" not in formula
        assert formula.strip()


def test_display_formulas_are_aligned_line_by_line(page: str) -> None:
    for block in re.findall(r"^```math\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        lines = block.strip().split("\n")
        assert lines[0] == r"\begin{aligned}"
        assert lines[-1] == r"\end{aligned}"
        body = lines[1:-1]
        assert all(line.endswith(r" \\") for line in body[:-1])
        assert not body[-1].endswith(r"\\")
        assert all("&" in line for line in body)
        assert all(line.count("&&") <= 1 for line in body)


def test_no_dollar_stands_outside_a_formula(page: str) -> None:
    rest = re.sub(r"^```math\n.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL)
    rest = re.sub(r"\$`.*?`\$", "", rest)
    assert "$" not in rest


def test_tables_have_as_many_cells_in_every_row(page: str) -> None:
    tables = re.findall(r"(?:^\|.*\n)+", page, re.MULTILINE)
    assert tables
    for table in tables:
        rows = [len(re.split(r"(?<!\\)\|", row)) for row in table.strip().split("\n")]
        assert len(set(rows)) == 1, table
        assert re.fullmatch(r"\|(:?---:?\|)+", table.split("\n")[1])
    seen = [token.type for token in GITHUB.parse(page)].count("table_open")
    assert seen == len(tables)  # a reader sees each of them as a table


def test_links_inside_lead_somewhere_and_anchors_are_unique(page: str) -> None:
    anchors = re.findall(r'<a id="([^"]*)"></a>', page)
    assert len(anchors) == len(set(anchors))
    assert all(re.fullmatch("[A-Za-z0-9-]+", one) for one in anchors)
    links = re.findall(r"\]\(#([^)]*)\)", page)
    assert links
    assert set(links) <= set(anchors)


def test_equations_tables_and_figures_are_numbered_in_order(page: str) -> None:
    equations = re.findall(r'<a id="eq-[^"]*"></a>\*\*\((\d+)\)\*\*', page)
    tables = re.findall(r'<a id="table-[^"]*"></a>\*\*Table (\d+)\.\*\*', page)
    figures = re.findall(r"^\*\*Figure (\d+)\.\*\*", page, re.MULTILINE)
    for found in (equations, tables, figures):
        assert [int(number) for number in found] == list(range(1, len(found) + 1))
    assert len(equations) + len(tables) + len(figures) == len(re.findall("<a id=", page))


def test_references_carry_the_number_of_what_they_lead_to(page: str) -> None:
    numbers = dict(re.findall(r'<a id="(eq-[^"]*)"></a>\*\*(\(\d+\))\*\*', page))
    numbers |= {
        label: f"table {number}"
        for label, number in re.findall(r'<a id="(table-[^"]*)"></a>\*\*Table (\d+)', page)
    }
    for shown, label in re.findall(r"\[([^\]]*)\]\(#([^)]*)\)", page):
        assert shown == numbers[label]


def test_headings_do_not_jump(page: str) -> None:
    levels = [len(m) for m in re.findall(r"^(#+) ", re.sub("```.*?```", "", page, flags=re.DOTALL),
                                         re.MULTILINE)]  # fmt: skip
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_only_anchors_small_print_and_room_are_html(page: str) -> None:
    outside = re.sub("```.*?```", "", page, flags=re.DOTALL)
    tags = set(re.findall(r"(?<!\\)<[^>]*>", outside))
    assert {re.sub('"[^"]*"', '""', tag) for tag in tags} <= {
        '<a id="">', "</a>", "<sub>", "</sub>", "<br>"
    }  # fmt: skip


def test_a_page_has_no_blank_runs_and_ends_with_one_newline(page: str) -> None:
    assert "\n\n\n\n" not in page
    assert page.endswith("\n")
    assert not page.endswith("\n\n")


def test_files_that_images_need_are_made(report: Mapping[str, str]) -> None:
    images = re.findall(r"!\[[^\]]+\]\(([^)]*)\)", report["report.md"])
    assert images
    assert set(images) == {name for name in report if name.endswith(".svg")}


def test_a_sheet_asks_everything_and_leaves_room(
    report: Mapping[str, str], sheet: Mapping[str, str]
) -> None:
    assert sheet["sheet.md"].count("**Answer (") == 4
    assert sheet["sheet.md"].count("<br>") == 12 + 14 + 20 + 24
    for question in re.findall(r"^[A-Z].*\?$", sheet["sheet.md"], re.MULTILINE):
        assert question in report["report.md"]
    assert "**Answer" not in report["report.md"]
    assert "<br>" not in report["report.md"]


ANSWERS = (
    "3,517.58", "879.39", "143.747", "439.70", "155.21", "156", "94.88", "95.03", "283.58", "284",
    "20,444.4", "20,445", "25,301.7", "5,111.1",
)  # fmt: skip


@pytest.mark.parametrize("form", ["md", "tex"])
def test_a_sheet_gives_no_answer_away(
    report: Mapping[str, str], sheet: Mapping[str, str], form: str
) -> None:
    def numbers(text: str) -> set[str]:
        words = re.sub(r"\\begin\{picture\}.*?\\end\{picture\}", "", text, flags=re.DOTALL)
        words = words.partition("\\maketitle")[2] or words
        words = re.sub(r"\\vspace\*?\{[^}]*\}|10\^\{?9\}?", "", words)  # room, and what GB means
        return {n.replace("{,}", ",").strip("{},") for n in NUMBER.findall(words)}

    assert set(ANSWERS) <= numbers(report[f"report.{form}"])
    assert not set(ANSWERS) & numbers(sheet[f"sheet.{form}"])
    assert set(sheet) == {"sheet.md", "sheet.tex"}  # no figure of a solution either
