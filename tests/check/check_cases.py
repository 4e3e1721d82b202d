"""Made-up statements, results and a checker for tests of what is printed and how it is run."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from workings.check.results import Results
from workings.check.verdicts import Checked, Explanation, Statement, Verdict
from workings.reading.blocks import Block, Document

WRONG = Statement(
    "solution.md", 41, 13, 41, 57, "4 × 12,288 × 49,152 × 96 × b = 2.32 × 10^14 · b", "=", "wrong",
    read_as="4*12288*49152*96*b = 2.32e14*b", written="2.32 × 10^14 · b", expected="2.319 × 10^11 · b",
    reason="left side is 2.319 × 10^11 · b: off by 10^3", rule="arithmetic",
    explanations=(Explanation("power-of-ten", "a power of ten is lost"),
                  Explanation("unit-prefix", "tera for giga")),
)  # fmt: skip
DEPENDS = Statement(
    "solution.md", 96, 1, 96, 12, "N_FSDP ≥ 156", ">=", "depends",
    reason="follows from the unrounded values; with A ≈ 144 it is 157",
)  # fmt: skip
OK = Statement("solution.md", 3, 1, 3, 12, "2 * 70 = 140", "=", "ok")
ROUNDS = replace(OK, line=4, end_line=4, quote="10/3 = 3.33", verdict="rounds")
UNREAD = replace(OK, line=5, end_line=5, quote="f(∂x) = ∮", verdict="not understood")


def results_of(*statements: Statement, file: str = "solution.md", **others: Any) -> Results:
    """A run over one document."""
    return Results((Checked(file, statements),), **others)


def issue_results() -> Results:
    """The run of the issue: 81 statements found, 8 not understood, one wrong, one depends."""
    return results_of(*[OK] * 70, ROUNDS, WRONG, DEPENDS, *[UNREAD] * 8)


def attacked(words: str) -> Statement:
    """A statement all of whose words are an attack."""
    return replace(
        WRONG, file=f"{words}.md", quote=words, read_as=words, written=words, expected=words,
        reason=words, explanations=(Explanation("power-of-ten", words),),
    )  # fmt: skip


def fake_reading(path: Path) -> Document:
    """A document without blocks, of a file."""
    return fake_document(str(path), path.read_bytes().decode("utf-8"))


def fake_document(name: str, text: str, kind: str | None = None) -> Document:
    """A document whose comments are found; `kind` ipynb gives it a block of a notebook."""
    html = [(m.start(), m[1]) for m in re.finditer(r"<!--(.*?)-->", text)]
    lines = [(m.start(), m[1]) for m in re.finditer(r"[%#] (workings:[^\n\"\\]*)", text)]
    notebook = kind == "ipynb" or name.endswith(".ipynb")
    blocks = (Block("code", "", (0,), notebook_cell=1),) if notebook else ()
    return Document(name, text, blocks, comments=tuple(html + lines))


def fake_check(document: Document, *, at: str | None = None, strict: bool = False) -> Checked:
    """Finds `1 + 1 = …`: wrong unless 2 follows; `2 ≥ x` depends."""
    statements = []
    for found in re.finditer(r"1 \+ 1 = (\d)|2 ≥ x", document.text):
        (line, column), (end_line, end_column) = map(document.place, found.span())
        verdict: Verdict = "depends" if found[1] is None else "ok" if found[1] == "2" else "wrong"
        statements.append(Statement(document.path, line, column, end_line, end_column, found[0], "=",
                                    verdict, expected="2", rule="arithmetic"))  # fmt: skip
    return Checked(document.path, tuple(statements))
