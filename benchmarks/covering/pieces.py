"""Pieces of the pages of coverage: words of strangers, links, tables, and what a verdict is called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from covering.counting import Counted
from covering.lists import OPEN, Source
from workings import catalogue
from workings.document.blocks import Inline, Line, Link, Table, Text

CATALOGUE = Path(__file__).parents[2] / "reports" / "catalogue"
INDEX = "README"
WORDS = {
    "agrees": "agrees", "convention": "agrees under a convention",
    "approximates": "agrees up to a dropped term", "source wrong": "the source is wrong",
    "ours wrong": "ours is wrong", "part": "in part", "missing": "missing", "left out": "left out",
    OPEN: "not matched yet",
}  # fmt: skip


def words(text: str) -> Line:
    """Words of a source as they stand, on one line."""
    return (Text(one_line(text)),)


@cache
def _anchored() -> dict[str, str]:
    """The page of the catalogue that has each anchor."""
    pages = {path.name: path.read_text(encoding="utf-8") for path in sorted(CATALOGUE.glob("*.md"))}
    return {
        one: name for name, text in pages.items() for one in re.findall(r'<a id="([^"]*)"></a>', text)
    }


def entry_link(id_: str) -> str:
    """Where an entry stands in the catalogue, from a page of this report."""
    topic = catalogue.get(id_).topic.replace("_", "-").replace(" ", "-")
    return f"../catalogue/{_anchored().get(f'eq-{id_}', f'{topic}.md')}#eq-{id_}"


def lead(source: Source) -> Line:
    """The title of a source, which leads to its page."""
    return (Link(words(source.title), f"{source.name}.md"),)


def address_of(where: str) -> str:
    """The address of a source, where it has one that is safe as a link."""
    if arxiv := re.fullmatch(r"arXiv:(\d{4}\.\d{4,5}(?:v\d+)?)", where):
        return f"https://arxiv.org/abs/{arxiv[1]}"
    found = re.fullmatch(r"https://[\w./~%+@-]+", where)
    return found[0] if found else ""


def table(
    number: int, label: str, caption: str, align: str, head: Sequence[str],
    rows: Sequence[tuple[Line, ...]], *, bold: bool = False,
) -> Table:  # fmt: skip
    """A table of lines; `bold` is its last row, which sums up."""
    last = (len(rows) - 1,) if bold else ()
    heads = tuple(map(words, head))
    return Table(label, number, words(caption), align, heads, tuple(rows), last, long=True)


def numbers(*values: int) -> tuple[Line, ...]:
    """Counts as cells."""
    return tuple(words(f"{value:,}") for value in values)


def joined(lines: Iterable[Line]) -> Line:
    """Lines as one, with commas."""
    made: list[Inline] = []
    for line in lines:
        made += [*([Text(", ")] if made else []), *line]
    return tuple(made)


def one_line(text: str) -> str:
    """A text without line breaks, which would end a cell."""
    return " ".join(text.split())


def percent(one: Counted, part: int) -> str:
    """A part of the formulas as a share of those that are not left out, without its sign."""
    share = one.share(part)
    return "" if share is None else f"{float(100 * share):.3g}"


def _answered(one: Counted) -> str:
    """How many formulas are answered, as a sentence; nothing where the source has none wrong."""
    wrong = one.formulas["source wrong"]
    if not wrong:
        return ""
    more = "1 more is wrong where it is" if wrong == 1 else f"{wrong:,} more are wrong where they are"
    answered = f"the catalogue answers {one.answered:,}, {percent(one, one.answered)} %."
    return f" {more} printed, and an entry gives what is right: {answered}"


def summary(total: Counted) -> str:
    """How many formulas the catalogue has and answers, and how many examples come out, as sentences."""
    has = percent(total, total.has)
    share = f", {has} % of all that are not left out" if has else ""
    return (
        f"Of {total.all:,} formulas the catalogue has {total.has:,}{share}.{_answered(total)} "
        f"Of {total.printed:,} worked "
        f"examples {total.tried:,} were worked out here and {total.examples['agrees']:,} come out as "
        "printed."
    )
