"""Documents as notebooks: nbformat 4.5, every number worked out again by code whose output is stored."""

import base64
import json
import re
from copy import deepcopy
from pathlib import Path
from typing import Any

import nbformat
import pytest
from conftest import ROOT, SOURCE
from documents import FIGURE, FRONT, Options, build_text, run, source_in
from IPython.core.interactiveshell import InteractiveShell
from nbclient import NotebookClient

import workings
from workings.document.blocks import Code, Document, Link, Math, Number, Text
from workings.formula import parse_formula
from workings.render.notebook import NotebookWriter
from workings.render.reports import build

NOTEBOOK = Options(formats=("ipynb",))
TABLE = """```{table}
label = "sides"
caption = "On both sides"
vary = "N_fsdp"
over = ["{fsdp-smallest-n} - 1", 156, 256]
[[column]]
title = "devices"
key = "value"
[[column]]
title = "one device holds"
id = "fsdp-memory"
decimals = 2
beside = "95 GB"
```
"""
WORKED = "```{worked} fsdp-memory N=156\n```\n"
SCENARIO = (
    '[model]\npreset = "xxl-ffn"\nblocks = 16\n[hardware]\npreset = "h100-sxm"\n'
    "[training]\nbatch = 4\nsequence_length = 2048\n"
)
WRITER = NotebookWriter(Document((), (), {}))


def cells_of(
    folder: Path, text: str, options: Options = NOTEBOOK, front: str | None = None
) -> list[dict[str, Any]]:
    quiet = (front or FRONT).replace("+++\n", "+++\nwhere = false\n", 1)  # no line says what letters mean
    made = build_text(folder, text, options=options, front=quiet)
    notebook = json.loads(made["sheet.ipynb" if options.sheet else "report.ipynb"])
    nbformat.validate(notebook)
    return list(notebook["cells"])


def text_of(cells: list[dict[str, Any]], kind: str = "markdown") -> list[str]:
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == kind]


def typed(cell: dict[str, Any]) -> Any:
    """What its code gives, in this process."""
    return eval("".join(cell["source"]), {"workings": workings})  # noqa: S307 - our own cells


def shown(result: object) -> dict[str, str]:
    """What a notebook shows of a result."""
    formatter = InteractiveShell.instance().display_formatter
    assert formatter is not None
    return dict(formatter.format(result)[0])  # type: ignore[no-untyped-call]


def stored(cell: dict[str, Any]) -> dict[str, str]:
    [output] = cell["outputs"]
    assert output["output_type"] == "execute_result"
    assert output["execution_count"] == cell["execution_count"]
    return {kind: "".join(lines) for kind, lines in output["data"].items()}


def test_a_worked_formula_is_a_cell_of_code_that_shows_its_lines(tmp_path: Path) -> None:
    first, setup, title, code = cells_of(tmp_path, WORKED)
    assert "".join(setup["source"]) == "import workings"
    assert setup["outputs"] == []
    assert "`pip install workings`" in "".join(first["source"])
    assert "".join(title["source"]).endswith("in numbers:")
    assert "".join(code["source"]) == (
        'workings.value("fsdp-memory", at="xxl-220b", set={"N": 156}, digits=4)'
    )
    assert stored(code)["text/plain"] == "fsdp-memory ≈ 94.88 GB"
    lines = stored(code)["text/latex"].split("\n")
    assert lines[:3] == ["$$", r"\begin{aligned}", r"M &= \frac{S + A/2}{N} + \frac{A}{2} \\"]
    assert lines[-3:] == [r" &\approx 94.88\,\text{GB}", r"\end{aligned}", "$$"]


def test_every_output_is_what_running_the_cell_shows(tmp_path: Path) -> None:
    text = "".join((
        WORKED, TABLE, "```{ledger} fsdp-memory N_fsdp=156\n:decimals: 3\n```\n",
        '```{worked} fsdp-fits memory="95 GiB"\n```\n',
        "```{worked} model-state\n:unit: GiB\n:digits: 7\n```\n",
        "```{worked} dense-parameters at=llama3-405b-16k\n```\n",
    ))  # fmt: skip
    codes = [cell for cell in cells_of(tmp_path, text) if cell.get("outputs")]
    assert len(codes) == 6
    for cell in codes:
        assert shown(typed(cell)) == stored(cell), cell["source"]


def test_code_keeps_the_pages_unit_where_an_answer_by_itself_would_take_a_smaller_one(
    tmp_path: Path,
) -> None:
    text = "```{worked} mesh-compute-time\n```\n\n```{worked} model-state\n```\n"
    small, large = [cell for cell in cells_of(tmp_path, text) if cell.get("outputs")]
    assert "".join(small["source"]) == (
        'workings.value("mesh-compute-time", at="xxl-220b", units=["s"], digits=4)'
    )
    assert stored(small)["text/plain"] == "mesh-compute-time ≈ 0.0009710 s"
    assert "units" not in "".join(large["source"])
    assert all(shown(typed(cell)) == stored(cell) for cell in (small, large))


def test_a_result_worked_out_above_a_formula_has_code_of_its_own(tmp_path: Path) -> None:
    text = "```{worked} fsdp-fits batch=2\n:expand:\n```\n"
    cells = [cell for cell in cells_of(tmp_path, text) if cell.get("outputs")]
    assert ["".join(cell["source"]) for cell in cells[:3]] == [
        'workings.value("ffn-parameters", at="xxl-220b", digits=4)',
        'workings.value("model-state", at="xxl-220b", digits=6)',
        'workings.value("saved-activations", at="xxl-220b", set={"batch": 2}, digits=6)',
    ]
    assert all(shown(typed(cell)) == stored(cell) for cell in cells)
    assert r"\begin{aligned}" not in "".join(text_of(cells_of(tmp_path, text)))


def test_a_result_in_the_letters_of_its_user_keeps_its_lines_beside_its_code(tmp_path: Path) -> None:
    text = "```{worked} split-matmul-flops t=8 D=64 F=32\n:expand:\n```\n"
    cells = cells_of(tmp_path, text)
    [used, _] = [cell for cell in cells if cell.get("outputs")]
    assert 'set={"D": 64, "F": 32}' in "".join(used["source"])
    assert shown(typed(used)) == stored(used)
    [lines] = [one for one in text_of(cells) if "aligned" in one]
    assert "f &= 2 B F D" in lines
    assert "f &= 2 B D F" in stored(used)["text/latex"]


def test_a_table_is_recomputed_by_its_first_column_of_an_entrys_values(tmp_path: Path) -> None:
    cells = cells_of(tmp_path, TABLE)
    rows = re.findall(r"\| ([\d.]+\u00a0GB) \|", "".join(cells[-2]["source"]))
    rows = [row.replace("\u00a0", " ") for row in rows]
    assert rows == ["95.03 GB", "94.88 GB", "85.89 GB"]
    assert [str(one.shown) for one in typed(cells[-1])] == rows
    assert stored(cells[-1])["text/plain"] == f"[{', '.join(f'fsdp-memory ≈ {row}' for row in rows)}]"
    longer = cells_of(tmp_path, TABLE.replace("256]", "256, 512]"))[-1]
    assert stored(longer)["text/plain"].count("\n") == 3
    assert shown(typed(longer)) == stored(longer)


def test_a_table_that_no_single_entry_gives_has_no_code(tmp_path: Path) -> None:
    sums = TABLE.replace('id = "fsdp-memory"', 'id = "2*{fsdp-memory}"').replace('beside = "95 GB"\n', "")
    for text in (sums, "words\n\n| a |\n|---|\n| 1 |\n"):
        assert [cell["cell_type"] for cell in cells_of(tmp_path, text)] == ["markdown"]


@pytest.mark.parametrize("name", ["report", "sheet"])
def test_the_220b_report_has_ids_of_its_own_and_the_same_bytes_each_time(name: str) -> None:
    options = Options(formats=("ipynb",), sheet=name == "sheet", directives=ROOT / "benchmarks")
    made, again = (build(SOURCE, options)[f"{name}.ipynb"] for _ in range(2))
    assert made == again
    notebook = json.loads(made)
    nbformat.validate(notebook)
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)


def test_a_cell_keeps_its_id_when_another_one_changes(tmp_path: Path) -> None:
    before = cells_of(tmp_path, f"# A\n\nwords\n\n{WORKED}")
    after = cells_of(tmp_path, f"# A\n\nother words\n\n{WORKED}")
    assert [a["id"] == b["id"] for a, b in zip(before, after, strict=True)].count(False) == 1


def test_a_sheet_asks_without_answers_and_leaves_a_cell_for_them(tmp_path: Path) -> None:
    text = "```{question} 1\nHow much?\n```\n\n```{solution}\n{value}`model-state`\n```\n"
    cells = cells_of(tmp_path, text, Options(formats=("ipynb",), sheet=True))
    answer = "**Answer 1:** *a double click opens this cell to write in.*"
    assert text_of(cells) == ["# A page\n\n**Question 1**\n\nHow much?", answer]
    assert "3,518" not in "".join(text_of(cells))


def test_headings_begin_cells_and_stand_over_something(tmp_path: Path) -> None:
    text = f"{WORKED}\n## A\n\n```{{chain}} fsdp-memory\n```\n\nwords\n\n## B\n\n### C\n\nmore\n"
    cells = text_of(cells_of(tmp_path, text))
    assert [cell.split("\n")[0] for cell in cells][2:] == ["## A", "words", "## B"]
    assert "**(2)**" in cells[2]
    assert cells[-1].endswith("\n\nmore")


def test_a_scenario_of_ones_own_is_named_in_the_first_cell_and_runs_from_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "small.toml").write_text(SCENARIO)
    front = '+++\ntitle = "A page"\nscenario = "small.toml"\n+++\n'
    cells = cells_of(tmp_path, "```{worked} model-state\n```\n", front=front)
    assert "in the folder that holds `small.toml`" in "".join(cells[0]["source"])
    monkeypatch.chdir(tmp_path)
    assert 'at="small.toml"' in "".join(cells[-1]["source"])
    assert shown(typed(cells[-1])) == stored(cells[-1])


def test_what_is_set_for_a_whole_page_is_set_in_its_code(tmp_path: Path) -> None:
    path = source_in(tmp_path, f"{WORKED}\n```{{worked}} saved-activations batch=2\n```\n")
    made = build(path, Options(formats=("ipynb",), settings=(("batch", "8"), ("blocks", "64"))))
    codes = [cell for cell in json.loads(made["report.ipynb"])["cells"] if cell.get("outputs")]
    assert len(codes) == 2
    for cell in codes:
        assert "workings.load_scenario(" in "".join(cell["source"])
        assert shown(typed(cell)) == stored(cell)


def test_code_writes_the_letters_of_the_page(tmp_path: Path) -> None:
    named = Options(formats=("ipynb",), notation="megatron")
    text = "```{worked} mesh-compute-time\n```\n"
    [*_, code] = cells_of(tmp_path, text, named)
    assert 'notation="megatron"' in "".join(code["source"])
    own = '+++\ntitle = "A"\nscenario = "xxl-220b"\n[glyphs]\ntokens = "Q"\n+++\n'
    [*_, other] = cells_of(tmp_path, text, front=own)
    assert 'notation={"tokens": "Q"}' in "".join(other["source"])
    assert " Q" in stored(other)["text/latex"]
    for cell in (code, other):
        assert shown(typed(cell)) == stored(cell)


def test_formulas_are_between_dollar_signs_and_other_dollar_signs_begin_none() -> None:
    formula = (Text("take "), Math(parse_formula("S/N")), Text(" for $5 or \\(x\\)"))
    assert WRITER.line(formula) == (
        "take $S/N$ for <span>&#36;</span>5 or <span>&#92;</span>(x<span>&#92;</span>)"
    )
    assert WRITER.line((Number("1.2e15", "FLOP"),)) == r"$1.2 \cdot 10^{15}\,\text{FLOP}$"
    assert WRITER.line((Code("$x$"), Link((Text("a"),), "b.md"))) == "`$x$`[a](b.md)"


def test_a_formula_in_a_note_has_no_sign_of_a_quotation_in_it(tmp_path: Path) -> None:
    text = "````{note} Why\n```{chain} fsdp-memory\n```\n````\n"
    [cell] = text_of(cells_of(tmp_path, text))[-1:]
    [math] = re.findall(r"\$\$\n(.*?)\n\$\$", "".join(text_of(cells_of(tmp_path, text))), re.DOTALL)
    assert "\n>" not in math
    assert cell.endswith("</blockquote>")


def test_what_a_list_or_a_note_holds_stays_in_its_cell_with_its_numbers(tmp_path: Path) -> None:
    inside = "```{worked} model-state\n```\n\n```{chain} fsdp-memory\n```\n"
    for text in (f"````{{note}} Why\n{inside}````\n", "- " + inside.replace("\n", "\n  ") + "\n"):
        cells = cells_of(tmp_path, f"{text}\nwords\n")
        assert [cell["cell_type"] for cell in cells][-1:] == ["markdown"]
        [whole] = [cell for cell in text_of(cells) if "**(1)**" in cell]
        assert r"3{,}518\,\text{GB}" in whole
        assert "**(2)**" in whole
        assert "python run" not in whole


def test_a_figure_is_in_the_page_on_white(tmp_path: Path) -> None:
    made = build_text(tmp_path, FIGURE, options=NOTEBOOK)
    assert set(made) == {"report.ipynb"}
    [source] = [t for t in text_of(json.loads(made["report.ipynb"])["cells"]) if "<img" in t]
    [drawing] = re.findall(r'src="data:image/svg\+xml;base64,([A-Za-z0-9+/=]+)"', source)
    svg = base64.b64decode(drawing).decode()
    assert svg.startswith('<svg style="background: #ffffff" ')
    assert "prefers-color-scheme" not in svg


def test_the_command_writes_and_checks_notebooks(tmp_path: Path) -> None:
    path = source_in(tmp_path, WORKED)
    assert run("report", str(path), "--format", "ipynb").stdout == f"{tmp_path / 'report.ipynb'}\n"
    assert run("report", str(path), "--format", "ipynb", "--check").exit_code == 0
    (tmp_path / "report.ipynb").write_text("{}")
    assert run("report", str(path), "--format", "ipynb", "--check").exit_code == 1


def executed(path: Path) -> tuple[Any, Any]:
    """The cells as they are in the file, and as a kernel leaves them."""
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    before = deepcopy(notebook.cells)
    where = {"metadata": {"path": str(path.parent)}}
    NotebookClient(notebook, kernel_name="python3", resources=where).execute()
    return before, notebook.cells


@pytest.mark.slow
@pytest.mark.parametrize("what", ["report", "sheet", "chapter", "own"])
def test_a_kernel_gives_every_output_that_is_stored(what: str, tmp_path: Path) -> None:
    if what == "own":
        (tmp_path / "small.toml").write_text(SCENARIO)
        source_in(tmp_path, f"{TABLE}\n{WORKED}", '+++\ntitle = "A"\nscenario = "small.toml"\n+++\n')
        made = build(tmp_path / "page.md", NOTEBOOK)
    elif what == "chapter":
        source_in(tmp_path, "```{topic} pipeline\n:at: llama3-405b-16k\n```\n")
        made = build(tmp_path / "page.md", NOTEBOOK)
    else:
        made = build(SOURCE, Options(("ipynb",), sheet=what == "sheet", directives=ROOT / "benchmarks"))
    [(name, text)] = made.items()
    (tmp_path / name).write_text(text, encoding="utf-8")
    before, after = executed(tmp_path / name)
    codes = [(a, b) for a, b in zip(before, after, strict=True) if a.cell_type == "code"]
    assert len(codes) > 1
    for stored_cell, run_cell in codes:
        assert stored_cell.outputs == run_cell.outputs, stored_cell.source
        assert stored_cell.execution_count == run_cell.execution_count
