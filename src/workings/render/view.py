"""A document as plain values for templates: texts, lists, dictionaries, in a format's words."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from workings.document.blocks import (
    Answer,
    Bars,
    Block,
    Chain,
    Code,
    Display,
    DisplayLine,
    Document,
    Gantt,
    Heading,
    Hints,
    Image,
    Items,
    Line,
    Lines,
    Math,
    Note,
    Part,
    Prose,
    Question,
    Solution,
    Strips,
    Table,
    Text,
    Verbatim,
    Worked,
)
from workings.document.cover import Cover
from workings.document.wording import points, wording
from workings.formula import plain
from workings.formula.readings.typeset import (
    Box,
    Function,
    Gap,
    Over,
    Row,
    Sign,
    Words,
    letter,
    relation,
    typeset,
)
from workings.render.gantt_geometry import gantt_layout
from workings.render.geometry import layout
from workings.render.line_geometry import line_layout
from workings.render.strip_geometry import strip_layout

if TYPE_CHECKING:
    from workings.render.forms import Form, Writer

MANY_COLUMNS, UNBROKEN = (
    7,
    64,
)  # from so many columns, or beyond so many letters of a line, a table is set smaller
SVG = {"figure": "bars.svg", "gantt": "gantt.svg", "strips": "strips.svg", "lines": "lines.svg"}


def view(document: Document, form: Form, *, sheet: bool, templates: Path | None = None) -> dict[str, Any]:
    """What a document template is given: the title and a list of blocks, each with its `kind`."""
    return form.view(form.writer(document), sheet, templates).document(document)


class View:
    """One document in one format; `templates` is the user's own folder of them, if there is one."""

    def __init__(self, writer: Writer, sheet: bool, templates: Path | None = None) -> None:
        self.writer, self.sheet, self.templates = writer, sheet, templates
        self.long = False  # whether a table was met that may break between pages
        self.words = wording("en")
        self.open: list[int] = []  # the levels of the headings that what comes next stands under

    def document(self, document: Document) -> dict[str, Any]:
        """The title and all blocks."""
        self.words = wording(document.cover.language)
        return {
            "title": self.writer.line(document.title),
            "unchecked": document.unchecked,
            "sheet": self.sheet,
            "page": self.blocks((*self.rules(document.cover), *document.blocks)),
            "long": self.long,
            "contents": bool(document.sections),
            **self.cover(document.cover),
            "words": self.words,
        }

    def rules(self, cover: Cover) -> tuple[Block, ...]:
        """How answers are handed in and marked, before everything else on a sheet."""
        return tuple(Prose(line) for line in (cover.hand_in, cover.marking) if self.sheet and line)

    def blocks(self, blocks: tuple[Block, ...]) -> list[dict[str, Any]]:
        """Blocks as dictionaries; a sheet leaves out solutions."""
        kept = [b for b in blocks if not (self.sheet and isinstance(b, Solution))]
        return [self.block(block) for block in kept]

    def block(self, block: Block) -> dict[str, Any]:
        """A block with its `kind`."""
        line = self.writer.line
        match block:
            case Heading(level, words):
                self.open = [*(above for above in self.open if above < level), level]
                return {"kind": "heading", "level": level, "depth": len(self.open), "text": line(words)}
            case Prose(words):
                return {"kind": "prose", "text": line(words)}
            case Items(items, numbered):
                inside = [self.blocks(item) for item in items]
                return {"kind": "items", "numbered": numbered, "entries": inside}
            case Verbatim(text):
                return {"kind": "verbatim", "text": self.writer.verbatim(text)}
            case Note(kind, title, inside):
                return {"kind": "note", "style": kind, "title": line(title),
                        "blocks": self.blocks(inside)}  # fmt: skip
            case Display(steps, wrong):
                made = [self.step(step) for step in steps]
                return {"kind": "display", "steps": made, "wrong": wrong}
            case Hints():
                entries = [{"title": line(_plain(self.words["hint"].format(number))), "text": line(one)}
                           for number, one in enumerate(block.lines, 1)]  # fmt: skip
                return {"kind": "hints", "entries": entries}
            case Image():
                return self.image(block)
            case Chain() | Worked():
                return self.mathematics(block)
            case Table():
                return self.table(block)
            case Bars() | Gantt() | Strips() | Lines():
                return self.figure(block)
            case Question(name, inside, room, marks):
                return {"kind": "question", "name": line(_plain(name)),
                        "points": self.points(marks), "blocks": self.blocks(inside),
                        "room": room if self.sheet else 0}  # fmt: skip
            case Part(name, inside, room, marks, of):
                return {"kind": "part", "name": line(_plain(name)), "of": line(_plain(of)),
                        "points": self.points(marks), **self.led(inside),
                        "room": room if self.sheet else 0}  # fmt: skip
            case Answer(part, words, value, marks, note, rubric):
                lines = [{"text": line(one), "points": self.points(worth)} for one, worth in rubric]
                return {"kind": "answer", "part": line(_plain(part)), "words": line(words),
                        "value": line(value), "points": self.points(marks), "note": line(note),
                        "rubric": lines}  # fmt: skip
            case Solution(inside):
                return {"kind": "solution", "blocks": self.blocks(inside)}

    def led(self, inside: tuple[Block, ...]) -> dict[str, Any]:
        """What stands on the line of a label, and the blocks below it."""
        lead = inside[0].line if inside and isinstance(inside[0], Prose) else ()
        return {"lead": self.writer.line(lead), "blocks": self.blocks(inside[1:] if lead else inside)}

    def cover(self, cover: Cover) -> dict[str, Any]:
        """What stands on top, in words; the fields to fill in stand on sheets only."""
        total = self.words["total"].format(f"{cover.points:g}") if cover.points else ""
        return {
            "language": cover.language, "paper": cover.paper,
            "cover": [self.writer.line(_plain(one)) for one in cover.lines],
            "identity": [self.writer.line(_plain(one)) for one in cover.identity if self.sheet],
            "whose": [[self.writer.line(_plain(one)) for one in pair]
                      for pair in cover.whose if self.sheet],
            "points": self.writer.line(_plain(total)) if total else "",
        }  # fmt: skip

    def points(self, marks: float) -> str:
        """How many points, in words."""
        return self.writer.line(_plain(points(marks, self.words)))

    def mathematics(self, block: Chain | Worked) -> dict[str, Any]:
        """A numbered formula, line by line."""
        values: dict[str, Any] = {
            "kind": "chain" if isinstance(block, Chain) else "worked",
            "label": self.writer.label("equation", block.label), "number": block.number,
            "depth": len(self.open),
            "steps": [self.step(step) for step in block.steps],
        }  # fmt: skip
        values["title"] = self.writer.line(block.title)
        if isinstance(block, Chain):
            values |= {
                "before": [self.writer.line(one) for one in block.before],
                "footer": [self.writer.line(one) for one in self.below(block) if one],
            }
        return values

    def below(self, block: Chain) -> tuple[Line, ...]:
        """The small print of a derivation, what its letters mean first."""
        return (block.where, *block.footer)

    def step(self, step: DisplayLine) -> dict[str, Any]:
        """Left, relation, formula and reason."""
        write = self.writer.formula
        left, relation, formula = set_line(step)
        return {
            "left": write(left) if left else "", "relation": write(relation) if relation else "",
            "formula": write(formula), "reason": self.writer.reason(step.reason) if step.reason else "",
        }  # fmt: skip

    def cell(self, line: Line, align: str) -> str:
        """A table cell; a formula alone in a column that may break is made to fit it."""
        if align == "w" and len(line) == 1 and isinstance(line[0], Math):
            return self.writer.fitted(line)
        return self.writer.cell(line)

    def table(self, block: Table) -> dict[str, Any]:
        """A table, with how wide its columns are."""
        cell = self.writer.cell
        self.long = self.long or block.long
        return {
            "kind": "table", "label": self.writer.label("table", block.label), "number": block.number,
            "long": block.long,
            "caption": self.writer.line(block.caption), "align": list(block.align.replace("w", "l")),
            "head": [cell(one) for one in block.head],
            "rows": [
                {"cells": [self.cell(one, align) for one, align in zip(row, block.align, strict=True)],
                 "bold": i in block.bold}
                for i, row in enumerate(block.rows)
            ],
            "wide": (wide := _wide_columns(block)),
            "crowded": len(block.align) >= MANY_COLUMNS or _unbroken(block, wide) > UNBROKEN,
            "weights": _weights(block, wide),
        }  # fmt: skip

    def image(self, block: Image) -> dict[str, Any]:
        """A picture from a file, and its caption."""
        return {
            "kind": "image", "label": self.writer.label("figure", block.label) if block.number else "",
            "number": block.number, "source": self.writer.picture(block),
            "percent": round(100 * block.share), "share": f"{block.share:g}",
            "caption": self.writer.line(block.caption),
            "alternative": self.writer.line(_plain(one_line(block.alternative))),
        }  # fmt: skip

    def figure(self, block: Bars | Gantt | Strips | Lines) -> dict[str, Any]:
        """A figure: where its pieces stand, and its caption."""
        kind, geometry = _drawn(block)
        return {
            **self.writer.drawn(geometry),
            "kind": kind, "label": self.writer.label("figure", block.label), "number": block.number,
            "file": f"{block.label}.svg", "caption": self.writer.line(block.caption),
            "alternative": self.writer.line(_plain(one_line(block.alternative))),
        }  # fmt: skip


def figure_values(figure: Bars | Gantt | Strips | Lines) -> tuple[str, dict[str, Any]]:
    """Which SVG template draws a figure, and what it is given."""
    kind, geometry = _drawn(figure)
    return SVG[kind], {**geometry, "alternative": figure.alternative}


def _drawn(figure: Bars | Gantt | Strips | Lines) -> tuple[str, dict[str, Any]]:
    """What templates call a figure, and where its pieces stand."""
    if isinstance(figure, Gantt):
        return "gantt", gantt_layout(figure)
    if isinstance(figure, Strips):
        return "strips", strip_layout(figure)
    if isinstance(figure, Lines):
        return "lines", line_layout(figure.plot)
    return "figure", layout(figure)


def one_line(text: str) -> str:
    """A text without breaks, for an attribute or a link."""
    return " ".join(text.split())


def _plain(text: str) -> Line:
    return (Text(text),)


def _wide_columns(block: Table) -> list[bool]:
    """Columns of words that may need more than one line."""
    wide = []
    for column, align in enumerate(block.align):
        longest = max((_length(row[column]) for row in block.rows), default=0)
        codes = all(isinstance(piece, Code) for row in block.rows for piece in row[column])
        wide.append(align == "w" or (align == "l" and longest > 24 and not codes))  # ids do not break
    return wide


def _unbroken(block: Table, wide: list[bool]) -> int:
    """About how many letters columns that do not break take, heads and gaps too, beside some that do."""
    columns = list(zip(block.head, *block.rows, strict=True)) if any(wide) else []
    return sum(
        3 + max(map(_length, column)) for column, breaks in zip(columns, wide, strict=False) if not breaks
    )


def _weights(block: Table, wide: list[bool]) -> list[str]:
    """How wide columns share the line: by the square root of their words, on average 1."""
    measures = [_breadth if align == "w" else _length for align in block.align]
    roots = [
        max((measures[i](row[i]) for row in block.rows), default=1) ** 0.5 if is_wide else 0.0
        for i, is_wide in enumerate(wide)
    ]
    whole = sum(roots) or 1.0
    return [f"{root * sum(wide) / whole:.3f}" for root in roots]


def _length(line: Line) -> int:
    return sum(len(str(getattr(piece, "text", "") or "xxxxxxxx")) for piece in line)


def _breadth(line: Line) -> int:
    """About how many letters wide a cell is, formulas and all."""
    formulas = sum(len(plain(piece.formula)) for piece in line if isinstance(piece, Math))
    return max(8, formulas + _length(tuple(p for p in line if not isinstance(p, Math))))


def set_line(step: DisplayLine) -> tuple[Box | None, Box | None, Box]:
    """What stands left, the relation, and the formula of a line of display mathematics, as boxes."""
    left = typeset(step.left) if step.left is not None else None
    sign: Box | None = relation(step.relation) if step.relation else None
    formula = typeset(step.formula, units=step.units)
    if step.over and isinstance(sign, Sign):
        above: list[Box] = []
        for name in step.over:
            above += [Sign(",", "after")] if above else []
            above += [letter(name), Sign("→"), Sign("∞", "alone")]
        sign = Over(sign, Row(tuple(above)))
    if step.least and step.at is not None and left is not None:
        at = (Gap("wide"), Words("at "), letter(step.least), Sign("="), typeset(step.at))
        left = Row((Function("min", below=letter(step.least)), left))
        formula = Row((formula, *at))
    return left, sign, formula
