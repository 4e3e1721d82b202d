"""Formulas typed between dollars, in a line or displayed; what is not read is said with its place."""

from __future__ import annotations

import re

from workings.document.blocks import Display, DisplayLine
from workings.document.front import DocumentError
from workings.document.page import Page
from workings.document.tex import tex_formula
from workings.formula import Formula, FormulaError, Relations

_ROWS = re.compile(r"\\\\|\n")
_AROUND = re.compile(r"\\(?:begin|end)\{(?:aligned|align\*?|split|gathered)\}|&|\\nonumber(?![A-Za-z])")
_RELATION = re.compile(r"\s*(=|<|>|≤|≥|≈|\\(?:le|leq|ge|geq|approx)(?![A-Za-z]))\s*")
_FAR = 60  # lines of a paragraph that are looked at
_SIGNS = {"≤": "<=", "≥": ">=", r"\le": "<=", r"\leq": "<=", r"\ge": ">=", r"\geq": ">=", r"\approx": "≈"}


def typed_formula(text: str, page: Page, line: int) -> Formula:
    """A formula between dollars. Raises DocumentError with line and column."""
    inside = text[1:-1] if len(text) > 2 and text[0] == text[-1] == "`" else text  # as GitHub writes it
    try:
        return tex_formula(inside)
    except FormulaError as error:
        raise _refused(error, inside, page, line) from error


def display(text: str, page: Page, line: int) -> Display:
    """Lines between double dollars, which `\\\\` or a new line ends. Raises DocumentError."""
    steps = []
    at = line - 1
    for row in re.split(r"(\n)", text):
        if row == "\n":
            at += 1
            continue
        for part in _ROWS.split(row):
            bare = _AROUND.sub(lambda found: " " * len(found[0]), part)
            if bare.strip():
                steps.append(_line(bare, page, at + 1))
    if not steps:
        raise page.source.fail(line, "$$: found no formula, expected one")
    return Display(tuple(steps))


def _line(text: str, page: Page, line: int) -> DisplayLine:
    relation = _RELATION.match(text)
    sign = _SIGNS.get(relation[1], relation[1]) if relation else ""
    start = relation.end() if relation else 0
    try:
        formula = tex_formula(" " * start + text[start:])
    except FormulaError as error:
        raise _refused(error, text, page, line) from error
    if not sign and isinstance(formula, Relations) and len(formula.rest) == 1:
        [(sign, right)] = formula.rest
        return DisplayLine(formula.first, sign, right, units=True)
    return DisplayLine(None, sign, formula, units=True)


def _refused(error: FormulaError, text: str, page: Page, line: int) -> DocumentError:
    """The error with the line of the file and the column in it."""
    lines = page.source.body.split("\n")
    near = range(line, min(line + _FAR, len(lines)))  # a paragraph's formula may stand further down
    found = [n for n in near if text.strip() in lines[n]]
    place = found[0] if found else line
    column = lines[place].find(text.strip()) if found else 0
    position = error.position - (len(text) - len(text.lstrip())) if found else error.position
    return page.source.fail(place, f"column {column + position + 1}: ${text.strip()}$: {error.reason}")
