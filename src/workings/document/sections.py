"""A source cut at its headings, for pages of their own; topics stand in the catalogue's order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from workings import catalogue
from workings.document.blocks import slug
from workings.document.directive import directive_of
from workings.document.front import Source
from workings.document.inline import markdown

SECTION = 2  # headings up to this level begin a section
_HEADS = tuple(f"h{level}" for level in range(1, SECTION + 1))
_TAKEN = ("", "report", "sheet", "source", "readme")


@dataclass(frozen=True, slots=True)
class Part:
    """Some Markdown of a source: its file's name, its first line in the body, and its topic."""

    name: str
    text: str
    first_line: int
    topic: str = ""


def sections_of(source: Source) -> tuple[Part, ...]:
    """The body in one, or cut at its headings. Raises DocumentError for a name that is taken."""
    if source.front.pages == "one":
        return (Part("", source.body, 0),)
    parts = tuple(_cut(source.body))
    seen: set[str] = set()
    for part in parts[1:]:
        if part.name in (*_TAKEN, *seen):
            problem = f"found a second page {part.name!r}, expected another heading"
            raise source.fail(part.first_line, problem)
        seen.add(part.name)
    return _in_the_catalogues_order(parts)


def _cut(body: str) -> Iterator[Part]:
    """What stands before the first heading, then each section, named for its topic or its heading."""
    tokens, lines = markdown().parse(body), body.split("\n")
    heads = [
        (token.map[0], tokens[place + 1].content)
        for place, token in enumerate(tokens)
        if token.tag in _HEADS and token.level == 0 and token.nesting == 1 and token.map
    ]
    ends = [*(line for line, _ in heads), len(lines)]
    yield Part("", "\n".join(lines[: ends[0]]), 0)
    for (start, words), end in zip(heads, ends[1:], strict=True):
        topics = [
            directive.argument for token in tokens
            if token.type == "fence" and token.map and start <= token.map[0] < end
            and (directive := directive_of(token.info, token.content, 0)) and directive.name == "topic"
        ]  # fmt: skip
        topic = _spelled(topics[0]) if topics else ""
        name = slug(topic or words).strip("-").lower()
        yield Part(name, "\n".join(lines[start:end]), start, topic)


def _in_the_catalogues_order(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Topics take each other's places; what tells of none stays where it stands."""
    places = {_spelled(topic): place for place, topic in enumerate(catalogue.topics())}
    found = [part for part in parts if part.topic]
    ordered = iter(sorted(found, key=lambda part: places.get(part.topic, len(places))))
    return tuple(next(ordered) if part.topic else part for part in parts)


def _spelled(topic: str) -> str:
    return topic.replace("_", " ").replace("-", " ")
