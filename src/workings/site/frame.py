"""A page in the frame that all pages of the site share: the search, where one is, where one goes on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from workings.document.blocks import Document
from workings.live.program import Program
from workings.render.environment import render, source
from workings.render.forms import FORMS
from workings.render.html_view import SCRIPTS as LIVE
from workings.render.view import view
from workings.site.chapter import ASKED
from workings.site.counting import program_anchor
from workings.site.letters import notations
from workings.site.place import INDEX, SYMBOLS, Listing, Place, Way, relative
from workings.site.symbols import Symbol, glyph_line, symbols_by_letter
from workings.values.desk import Desk

STYLE, SCRIPT, INDEX_SCRIPT = "site.css", "site.js", "search.js"
SCRIPTS = ("reading", *(f"live/{name}" for name in LIVE), "site/find", "site/search",
           "site/letters", "site/menu", "site/filter")  # fmt: skip
HTML = FORMS["html"]
_EMPTY = Document((), (), {})


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands on every page: where one can go from anywhere."""

    ways: tuple[Way, ...]
    templates: Path | None = None

    def written(self, place: Place) -> str:
        """A page as HTML."""
        values = view(place.document, HTML, sheet=False, templates=self.templates)
        values["program"] = _own(values["program"])
        values["contents"] += [
            {"level": 2, "anchor": one.anchor, "text": one.title.replace("`", "")}
            for one in place.listings if one.anchor
        ]  # fmt: skip
        here = place.path
        symbols = list(_symbols(symbols_by_letter(), here)) if here == SYMBOLS else []
        return render("html", "site/page.html", values | {
            "root": relative("x", here)[:-1], "kind": place.kind, "said": " ".join(place.summary.split()),
            "bare": place.title, "name": here.rpartition("/")[2].removesuffix(".html"),
            "ways": _links(self.ways, here), "crumbs": _links(place.crumbs, here),
            "beside": _links(place.beside, here), "start": here == INDEX,
            "before": _link(place.before, here), "after": _link(place.after, here),
            "listings": [_listing(one, here) for one in place.listings],
            "notations": [{"name": name, "said": said} for name, said in notations().items()],
            "other_letters": data(others) if (others := _by_notation(place)) else "", "symbols": symbols,
            "asked": ASKED,
            "style_file": STYLE, "script_file": SCRIPT, "fragment": True,
        }, self.templates)  # fmt: skip


def assets(templates: Path | None = None) -> dict[str, str]:
    """The style and the script of all pages."""
    rules = "".join(source("html", f"{name}.css", templates) for name in ("live/page", "site/site"))
    style = view(_EMPTY, HTML, sheet=False, templates=templates)["style"]
    scripts = {name: source("html", f"{name}.js", templates) for name in SCRIPTS}
    scripts["live/page"] = f"Workings.shared={data(_shared())};\n{scripts['live/page']}"
    return {STYLE: f"{style}\n{rules}", SCRIPT: "".join(scripts.values())}


@cache
def _shared() -> Mapping[str, Any]:
    """What is the same in the program of every page: rules of a scenario, figures that follow, units."""
    whole = Program(Desk(None)).as_json()
    return {name: whole[name] for name in ("rules", "follow", "tables")}


def _own(program: str) -> str:
    """The program of a page without what all pages share."""
    if not program:
        return ""
    return data({name: part for name, part in json.loads(program).items() if part != _shared().get(name)})


def _by_notation(place: Place) -> dict[str, dict[str, Mapping[str, str]]]:
    """For each notation, by entry, the letters that it writes otherwise."""
    found: dict[str, dict[str, Mapping[str, str]]] = {}
    for id_, letters in place.letters.items():
        for name, changed in letters.items():
            found.setdefault(name, {})[id_] = changed
    return found


def data(values: Any) -> str:
    """JSON that may stand in a script element, or be a script: nothing in it ends the element."""
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _links(ways: Iterable[Way], here: str) -> list[dict[str, Any]]:
    return [link for way in ways if (link := _link(way, here))]


def _link(way: Way | None, here: str) -> dict[str, Any]:
    if way is None:
        return {}
    return {"words": way.words, "href": relative(way.path, here), "here": way.path == here}


def _listing(listing: Listing, here: str) -> dict[str, Any]:
    return {
        "title": listing.title.split("`"), "origin": listing.origin,
        "anchor": listing.anchor, "open": listing.open,
        "pieces": [{"kind": kind, "text": text} for kind, text in listing.pieces],
        "runs": [{"origin": one.origin, "href": relative(one.path, here),
                  "names": [{"name": name, "anchor": program_anchor(name)} for name in one.names]}
                 for one in listing.runs],
    }  # fmt: skip


@cache
def _writer() -> Any:
    return HTML.writer(_EMPTY)


def _symbols(symbols: Iterable[Symbol], here: str) -> Iterable[dict[str, Any]]:
    """The rows of the page of symbols."""
    for symbol in symbols:
        concept = symbol.concept
        yield {
            "name": concept.name, "letter": _writer().line(glyph_line(concept.glyph)),
            "meaning": concept.meaning, "unit": symbol.unit, "domain": concept.domain.value,
            "key": concept.supplied or "", "glyphs": " ".join((concept.glyph, *symbol.letters.values())),
            "uses": _links(symbol.users, here),
            "others": [{"by": by, "letter": _writer().line(glyph_line(glyph))}
                       for by, glyph in symbol.letters.items()],
        }  # fmt: skip
