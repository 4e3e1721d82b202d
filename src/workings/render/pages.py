"""Sections as pages of their own: an index with contents, and on each page the formulas that it holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise, takewhile
from math import inf

from workings.document.blocks import (
    Block,
    Chain,
    Document,
    Heading,
    Items,
    Line,
    Link,
    Note,
    Part,
    Prose,
    Question,
    Reference,
    Section,
    Solution,
    Strong,
    Text,
    walk,
)

MOST = 150_000  # bytes of Markdown that GitHub still shows as a page


def in_pages(
    document: Document, index: str, rendered: Callable[[Document], str], ending: str = "md"
) -> dict[str, str]:
    """Name of each file, without its ending, to its text; Markdown too long for GitHub is cut in parts.

    The pages of a sheet say so in their names, for they lie beside those of the report.
    """
    prefix = "" if index == "report" else f"{index}-"
    first, *rest = (replace(one, name=prefix + one.name) for one in document.sections)
    parts = dict.fromkeys((section.name for section in rest), 1)
    most = MOST if ending == "md" else inf
    while True:
        cut = [piece for section in rest for piece in _pieces(section, parts[section.name])]
        texts = {n: rendered(page) for n, page in _pages(document, index, first, cut, ending).items()}
        long = {_whole(name, parts) for name, text in texts.items() if len(text.encode()) > most}
        finer = {name: count + (name in long) for name, count in parts.items()}
        if all(len(_pieces(s, finer[s.name])) == len(_pieces(s, parts[s.name])) for s in rest):
            return texts
        parts = finer


def _whole(name: str, parts: Mapping[str, int]) -> str:
    """The section that a page is a part of."""
    return name if name in parts else name.rpartition("-part-")[0]


def _pieces(section: Section, count: int) -> list[Section]:
    """A section in at most so many parts, each of about as many blocks, from a heading or formula on."""
    blocks = section.blocks
    starts = [place for place in range(1, len(blocks)) if _opens(blocks, place)]
    wanted = [number * len(blocks) / count for number in range(1, count)]
    cuts = sorted({min(starts, key=lambda s: abs(s - place)) for place in wanted}) if starts else []
    found = [Section(section.name, blocks[: cuts[0]] if cuts else blocks)]
    for number, (start, end) in enumerate(pairwise([*cuts, len(blocks)]), 2):
        head = Heading(_level(section), (*_title(section), Text(f", part {number}")))
        found.append(Section(f"{section.name}-part-{number}", (head, *blocks[start:end])))
    return found


def _opens(blocks: tuple[Block, ...], place: int) -> bool:
    """Whether a part may begin here: at a heading, or a formula that no heading just led up to."""
    if isinstance(blocks[place], Chain):
        before = next((b for b in blocks[place - 1 :: -1] if not isinstance(b, Prose)), None)
        return not isinstance(before, Heading)
    return isinstance(blocks[place], Heading)


def _pages(
    document: Document, index: str, first: Section, rest: list[Section], ending: str
) -> dict[str, Document]:
    """The index and every section, each knowing where the others are."""
    where = {label: section.name for section in rest for label in _labels(section.blocks)}
    where |= dict.fromkeys(_labels(first.blocks), index)

    def page(name: str, title: Line, blocks: tuple[Block, ...]) -> Document:
        others = {label: file for label, file in where.items() if file != name}
        return replace(document, title=title, blocks=blocks, sections=(), elsewhere=others)

    contents = Items(tuple(_entry(section, ending) for section in rest))
    head = Heading(2, (Text("Contents"),))
    made = {index: page(index, document.title, (*first.blocks, head, contents))}
    for place, section in enumerate(rest):
        before, after = rest[place - 1] if place else None, rest[place + 1 : place + 2]
        below = section.blocks[1:]
        opening = tuple(takewhile(lambda block: isinstance(block, Prose), below))
        ways, by = _ways(index, ending, before, *after), _level(section) - 1
        blocks = (ways, *opening, *_contents(below), *_raised(below[len(opening) :], by))
        made[section.name] = page(section.name, _title(section), blocks)
    return made


def _labels(blocks: tuple[Block, ...]) -> Iterator[str]:
    """What is numbered there."""
    yield from (str(label) for block in walk(blocks) if (label := getattr(block, "label", "")))


def _level(section: Section) -> int:
    head = section.blocks[0]
    return head.level if isinstance(head, Heading) else 1


def _title(section: Section) -> Line:
    head = section.blocks[0]
    return head.line if isinstance(head, Heading) else ()


def _to(section: Section, ending: str) -> Link:
    return Link(_title(section), f"{section.name}.{ending}")


def _ways(index: str, ending: str, before: Section | None, after: Section | None = None) -> Prose:
    """Where one goes from a page: all contents, the page before, the page after."""
    line: Line = (Link((Text("Contents"),), f"{index}.{ending}"),)
    line += (Text(" · before: "), _to(before, ending)) if before else ()
    return Prose(line + ((Text(" · next: "), _to(after, ending)) if after else ()))


def _entry(section: Section, ending: str) -> tuple[Block, ...]:
    """A page in the index: its title, and the formulas on it."""
    return (Prose((Strong((_to(section, ending),)),)), *_contents(section.blocks[1:]))


def _contents(blocks: Iterable[Block]) -> Iterator[Items]:
    """The formulas below, by number and title, under the headings that they stand under."""
    groups: list[tuple[Line, list[tuple[Block, ...]]]] = [((), [])]
    for block in blocks:
        if isinstance(block, Heading):
            groups.append((block.line, []))
        elif isinstance(block, Chain):
            line = Prose((Reference(block.label), Text(" "), *block.title))
            groups[-1][1].append((line,))
    (_, items), *below = groups
    items += [(Prose(words), Items(tuple(under))) for words, under in below if under]
    if items:
        yield Items(tuple(items))


def _raised(blocks: Iterable[Block], by: int) -> Iterator[Block]:
    """Blocks with headings so many levels higher, for the heading of their section is now the title."""
    for block in blocks:
        if isinstance(block, Heading):
            yield replace(block, level=max(block.level - by, 1))
        elif isinstance(block, Note | Question | Part | Solution):
            yield replace(block, inside=tuple(_raised(block.inside, by)))
        elif isinstance(block, Items):
            yield replace(block, items=tuple(tuple(_raised(item, by)) for item in block.items))
        else:
            yield block
