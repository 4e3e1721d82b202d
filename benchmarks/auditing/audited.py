"""The directive `audited`: what the checker reads in a text by itself, from a file of facts.

Each accusation stands beside a remark of ours, from `remarks.toml`: an accusation without a remark, or a
remark on none, is an error, so that nobody accuses an author unseen.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator

from auditing.facts import Facts, Found, read_facts
from workings.check.verdicts import FLAGS, VERDICTS, Verdict
from workings.document.blocks import Block, Code, Line, Number, Prose, Table, Text
from workings.document.directive import Directive, check_keys, check_options, tables_at, text_at
from workings.document.front import toml_problem
from workings.document.inline import line_of
from workings.document.page import Page

MOST_WHOLE = 18  # rows of a table that stay on one page
LINES_NAMED = 2
_FILE = re.compile(r"[a-z0-9][a-z0-9-]*\.(json|toml)")


def audited(directive: Directive, page: Page) -> Table | tuple[Block, ...]:
    """```{audited} FACTS.json```: how much was found in each text; with `:text:` what, and why."""
    check_options(directive, page, ("text", "remarks", "label", "caption"))
    facts = facts_beside(directive.argument, directive, page)
    name = directive.options.get("text", "")
    if not name:
        return _counts(facts.values(), directive, page)
    if name not in facts:
        raise page.source.fail(
            directive.line, f":text: found {name!r}, expected one of {', '.join(facts)}"
        )
    return tuple(_tables(facts[name], directive, page)) or (
        Prose((Text("The checker found no statement in it."),)),
    )


def facts_beside(name: str, directive: Directive, page: Page) -> dict[str, Facts]:
    """A file of facts beside the source. Raises DocumentError."""
    path = page.source.path.parent / name
    if not _FILE.fullmatch(name) or not path.is_file():
        raise page.source.fail(
            directive.line,
            f"{{{directive.name}}}: found {name!r}, expected a JSON file beside the source",
        )
    return read_facts(path)


def _counts(facts: Iterable[Facts], directive: Directive, page: Page) -> Table:
    label = directive.options.get("label", "audited")
    caption = directive.options.get("caption", "Statements found, and the verdicts on them")
    rows = [(one.text, one.counts()) for one in facts]
    total = sum((counts for _, counts in rows), start=rows[0][1] - rows[0][1])
    shown = [v for v in VERDICTS if total[v] or v == "wrong"]
    head = ("text", "found", *shown)
    body: list[tuple[Line, ...]] = [
        ((Text(name),), (Number(str(counts.total())),), *((Number(str(counts[v])),) for v in shown))
        for name, counts in [*rows, ("all", total)]
    ]
    return Table(label, page.table_label(label, caption, directive.line),
                 line_of(caption, page, directive.line), "l" + "r" * (len(head) - 1),
                 tuple((Text(h),) for h in head), tuple(body), (len(body) - 1,))  # fmt: skip


# What stands in one table: a label, a caption, the verdicts, and the columns beside the statement.
_PARTS: tuple[tuple[str, str, tuple[Verdict, ...], tuple[str, ...]], ...] = (
    ("accused", "Accusations", FLAGS, ("why", "in our view")),
    ("open", "Read, and left open", ("depends", "undecided"), ("verdict", "why")),
    ("holds", "Holds", ("ok", "rounds", "truncates"), ("verdict", "why")),
    ("unread", "Not understood", ("not understood",), ("why",)),
)


def _tables(facts: Facts, directive: Directive, page: Page) -> Iterator[Table]:
    """Accusations with our remarks, what was left open, what holds, what could not be read."""
    remarks, line = _remarks(facts, directive, page), directive.line
    for part, words, verdicts, columns in _PARTS:
        found = [one for one in facts.statements if one.verdict in verdicts]
        if not found:
            continue
        label, caption = f"{part}-{facts.text}", f"{words}: {len(found)} in {facts.text}"
        align = "lw" + "".join("l" if column == "verdict" else "w" for column in columns)
        head = tuple((Text(h),) for h in ("lines", "statement", *columns))
        rows = tuple(_row(lines, one, columns, remarks, page, line) for lines, one in _alike(found))
        number = page.table_label(label, caption, line)
        yield Table(label, number, (Text(caption),), align, head, rows, long=len(rows) > MOST_WHOLE)


def _row(
    lines: str, found: Found, columns: tuple[str, ...], remarks: dict[tuple[str, str], str], page: Page,
    line: int,
) -> tuple[Line, ...]:  # fmt: skip
    cells: dict[str, Line] = {
        "verdict": (Text(found.verdict),),
        "why": (Text("; ".join(found.said)),),
        "in our view": line_of(remarks.get((found.start, found.quote), ""), page, line),
    }
    return ((Text(lines),), (Code(found.quote),), *(cells[column] for column in columns))


def _alike(found: Iterable[Found]) -> Iterator[tuple[str, Found]]:
    """Statements that were read alike, once, with their lines."""
    groups: dict[tuple[object, ...], list[Found]] = {}
    for one in found:
        key = (one.quote, one.verdict, one.said, one.start if one.flagged else "")
        groups.setdefault(key, []).append(one)
    for group in groups.values():
        lines = list(dict.fromkeys(str(one.line) for one in group))
        more = f" and {len(lines) - LINES_NAMED} more" if len(lines) > LINES_NAMED else ""
        yield ", ".join(lines[:LINES_NAMED]) + more, group[0]


def _remarks(facts: Facts, directive: Directive, page: Page) -> dict[tuple[str, str], str]:
    """Our remarks on the accusations in a text. Raises DocumentError where one lacks or is left over."""
    written = _read_remarks(directive, page)
    own = {key[1:]: says for key, says in written.items() if key[0] == facts.text}
    accused = {(one.start, one.quote) for one in facts.statements if one.flagged}
    for start, quote in sorted(accused - own.keys()):
        raise page.source.fail(
            directive.line, f"{facts.text} {start}: found no remark on the accusation of {quote!r}, "
            "expected one in the file of :remarks:",
        )  # fmt: skip
    for start, quote in sorted(own.keys() - accused):
        raise page.source.fail(
            directive.line, f"{facts.text} {start}: found a remark on {quote!r}, which the checker no "
            "longer accuses, expected none",
        )  # fmt: skip
    return own


def _read_remarks(directive: Directive, page: Page) -> dict[tuple[str, str, str], str]:
    name = directive.options.get("remarks")
    if name is None:
        return {}
    line, path = directive.line, page.source.path.parent / name
    if not _FILE.fullmatch(name) or not path.is_file():
        raise page.source.fail(line, f":remarks: found {name!r}, expected a TOML file beside the source")
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError, RecursionError) as error:
        problem, at = toml_problem(error)
        raise page.source.fail(line, f"{name}:{at}: not valid TOML: {problem}") from error
    check_keys(data, name, page, line, ("remark",))
    found = {}
    for remark in tables_at(data, "remark", page, line):
        check_keys(remark, f"{name}, [[remark]]", page, line, ("text", "place", "quote", "says"))
        key = tuple(text_at(remark, k, page, line) for k in ("text", "place", "quote"))
        found[key[0], key[1], key[2]] = text_at(remark, "says", page, line)
    return found
