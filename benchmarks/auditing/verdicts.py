"""The directive `verdicts`: how many claims are right, depend on something, are open, or are wrong."""

from __future__ import annotations

from collections.abc import Iterable

from auditing.claims import AGREES, ROUNDED, WRONG
from auditing.formula_claims import LIMIT
from auditing.kept import Counted, kept
from auditing.open_claims import OPEN
from workings.document.blocks import Line, Number, Reference, Table, Text
from workings.document.directive import Directive, check_options
from workings.document.inline import line_of
from workings.document.page import Page

RIGHT = (AGREES, ROUNDED, LIMIT)
_HEAD = ("claims", "right", "right in a case or a reading", "not decidable", "wrong", "in all")


def verdicts(directive: Directive, page: Page) -> Table:
    """```{verdicts} NAME```: the claims judged since the last such table; of all `NAME`s without it."""
    check_options(directive, page, ("label", "caption"))
    name = line_of(directive.argument, page, directive.line)
    rows = tuple(kept(page).judged if name else kept(page).summed)
    if not rows:
        raise page.source.fail(directive.line, "{verdicts}: found no claims above it")
    total = Counted("", name or (Text("all"),), tuple(v for row in rows for v in row.verdicts))
    if name:
        kept(page).summed.append(total)
        kept(page).judged.clear()
    label = directive.options.get("label", f"verdicts-{directive.argument or 'all'}")
    caption = directive.options.get("caption", "How many of these claims hold")
    body = tuple((_name(row), *_counts(row.verdicts)) for row in rows)
    body += ((total.name if not name else (Text("together"),), *_counts(total.verdicts)),)
    return Table(label, page.table_label(label, caption, directive.line),
                 line_of(caption, page, directive.line), "lrrrrr", tuple((Text(h),) for h in _HEAD),
                 body, (len(body) - 1,))  # fmt: skip


def _name(row: Counted) -> Line:
    return (Reference(row.label), Text(": "), *row.name) if row.label else row.name


def _counts(found: Iterable[str]) -> tuple[Line, ...]:
    """Right, right in a case or a reading, not decidable from the text, wrong, and in all."""
    verdicts = tuple(found)
    right = sum(verdict in RIGHT for verdict in verdicts)
    wrong = sum(verdict == WRONG for verdict in verdicts)
    undecided = sum(verdict == OPEN for verdict in verdicts)
    some = len(verdicts) - right - undecided - wrong
    counts = (right, some, undecided, wrong, len(verdicts))
    return tuple((Number(str(count)),) for count in counts)
