"""The page of a source: each of its formulas beside our entry, with the verdict and a note."""

from __future__ import annotations

from collections.abc import Iterator

from covering.counting import counted
from covering.judging import Found, Judged
from covering.lists import OPEN, Listed, Match
from covering.pieces import (
    INDEX,
    WORDS,
    address_of,
    entry_link,
    joined,
    one_line,
    summary,
    table,
    words,
)
from workings.document.blocks import Block, Code, Inline, Line, Link, Prose, Text


def page_blocks(one: Judged) -> Iterator[Block]:
    """What stands on the page of a source."""
    source, count = one.source, counted(one)
    where: Line = words(source.where)
    if address := address_of(source.where):
        where = (Link(where, address),)
    yield Prose((*words(f"{source.authors} ({source.year}),"), Text(" "), *where, Text(".")))
    yield Prose((*words(f"Read {'whole' if source.read == 'whole' else f'in {source.read}'}."), Text(" "),
                 *words(source.missing)))  # fmt: skip
    yield Prose((*words(summary(count)), Text(" "),
                 Link(words("What the verdicts mean, and all sources."), f"{INDEX}.md")))  # fmt: skip
    head = ("place", "what it is", "the source's formula", "ours", "verdict", "note")
    rows = [_row(one, listed) for listed in source.formulas]
    yield table(1, "formulas", "Its formulas, in the order of the list", "wwwwww", head, rows)


def _row(one: Judged, listed: Listed) -> tuple[Line, ...]:
    verdict = one.verdict(listed.id)
    said = (words(listed.place), words(listed.words), (Code(one_line(listed.formula)),))
    if verdict == OPEN:
        return (*said, (), words(WORDS[verdict]), ())
    found = one.found[listed.id]
    return (*said, asked(found.match), words(WORDS[verdict]), words(_note(listed, found)))


def asked(match: Match) -> Line:
    """Which entries have it, how they are put together, and how they are set."""
    made: list[Inline] = []
    several = len(match.entries) > 1
    for name, id_ in match.entries.items():
        made += [Text(", ")] * bool(made)
        made += [Code(name), Text(" = ")] if several or match.ours != name else []
        made.append(Link((Code(id_),), entry_link(id_)))
    if match.entries and match.ours not in match.entries:
        made = [Code(one_line(match.ours)), Text(" where "), *made]
    settings = [f"{name} = {value}" for name, value in _flat(match)]
    return (*made, *([Text(" at "), *joined((Code(one_line(s)),) for s in settings)] if settings else []))


def _flat(match: Match) -> Iterator[tuple[str, object]]:
    """Settings, those of one entry of several behind its name."""
    for name, value in match.set.items():
        if isinstance(value, dict):
            yield from ((f"{name}: {inner}", told) for inner, told in value.items())
        else:
            yield name, value


def _note(listed: Listed, found: Found) -> str:
    """Why, what is missing, and how its examples came out."""
    match, verdicts = found.match, found.worked.verdicts
    said = [match.why, f"Missing: {match.needs}" if match.needs else ""]
    if match.verdict == "approximates":
        said.append(f"At most {float(100 * found.compared.apart):.2g} % apart at the points compared.")
    if set(verdicts.values()) - {"left out"}:
        agree = sum(verdict == "agrees" for verdict in verdicts.values())
        plural = "s" if len(listed.examples) > 1 else ""
        said.append(f"{agree} of {len(listed.examples)} example{plural} as printed.")
    said += [f"Example {tried.number}: {tried.why}" for tried in match.examples if tried.why]
    return " ".join(filter(None, said))
