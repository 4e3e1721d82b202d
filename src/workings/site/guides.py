"""The guides: the Markdown of a folder, each as a page, with links that lead to pages of the site."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from posixpath import normpath

from workings.document.blocks import Document, Heading, Prose, slug
from workings.document.guide import read_guide
from workings.render.html import words
from workings.site.place import INDEX, Place, Way, relative


def guide_places(folder: Path, reports: Mapping[str, str]) -> Iterator[Place]:
    """A page for each guide of a folder, its README first.

    `reports` gives the pages of reports by their paths from the folder that holds all: links lead there.
    """
    files = sorted(folder.glob("*.md"), key=lambda path: (path.name != "README.md", path.name))
    known = {f"{folder.name}/{path.name}": guide_path(path) for path in files} | dict(reports)
    read = [(path, _read(path, folder, known)) for path in files]
    ways = tuple(Way(words(document.title), guide_path(path)) for path, document in read)
    for (path, document), before, after in zip(read, (None, *ways), (*ways[1:], None), strict=False):
        title, finds = words(document.title), tuple(_headings(document))
        yield Place(guide_path(path), "Guide", title, opening(document), document, (Way("Start", INDEX),),
                    before, after, ways, finds=finds)  # fmt: skip


def _read(path: Path, folder: Path, known: Mapping[str, str]) -> Document:
    leads = partial(lead_to, here=f"{folder.name}/{path.name}", page=guide_path(path), known=known)
    return read_guide(path, leads, "xxl-220b")


def guide_path(path: Path) -> str:
    """Where the page of a guide stands."""
    return f"guides/{'index' if path.stem == 'README' else path.stem}.html"


def lead_to(address: str, *, here: str, page: str, known: Mapping[str, str]) -> str:
    """Where a link of a file leads on its page: to another page, or else to what it says."""
    if "://" in address or address.startswith(("#", "mailto:")):
        return address
    file, mark, anchor = address.partition("#")
    path = normpath(f"{here.rpartition('/')[0]}/{file}")
    if path not in known:
        return ""
    return relative(known[path] + mark + anchor, page)


def opening(document: Document) -> str:
    """The first paragraph, for those who see no more of a page."""
    return next((words(block.line) for block in document.blocks if isinstance(block, Prose)), "")


def _headings(document: Document) -> Iterable[tuple[str, str, str]]:
    """What a guide speaks of, by its headings."""
    for block in document.blocks:
        if isinstance(block, Heading):
            title = words(block.line)
            yield slug(title).strip("-").lower(), title, ""
