"""Words inside a paragraph of Markdown: what is text, what is mathematics, what is code, what is markup.

The paragraph is cut into items in one pass, without recursion; `pieces` puts them together again.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Callable, Sequence

from workings.reading.blocks import MarkKind
from workings.reading.dollars import is_formula
from workings.reading.emphasis import Run, resolve
from workings.reading.entities import ENTITY, decoded, without_tags
from workings.reading.items import Aside, Break, Item, Listing, Stretch, Text
from workings.reading.limits import MAX_INLINE
from workings.reading.links import Links
from workings.reading.placed import FIRST, Finder, Placed, Writer
from workings.reading.scan import is_worded, past, runs
from workings.reading.tags import BLOCKS, CITATIONS, FOOTNOTES, SKIPPED, read_tag

_PLAIN = re.compile(rf"[^\\`$*_\[\]!<&~{FIRST}]+")
_PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
_SCRIPT = re.compile(r"<(sup|sub)>([\w+*/.,() −-]{1,40})</\1>")
_ORDINALS = ("st", "nd", "rd", "th", "TM")
_ESCAPED_MARKDOWN = tuple(f"\\{mark}" for mark in "*#[]>.-")
_MAX_STRUCK = 300


def items_of(paragraph: Placed, displays: Sequence[Placed] = ()) -> list[Item]:
    """A paragraph cut up; `displays` are the formulas under its reserved characters, in order."""
    return _Scanner(paragraph, displays).run()


class _Scanner:
    def __init__(self, source: Placed, displays: Sequence[Placed]) -> None:
        self.source, self.text = source, source.text
        places = (i for i, character in enumerate(self.text) if character == FIRST)
        self.displays = dict(zip(places, displays, strict=False))
        self.finder = Finder(self.text)
        self.items: list[Item] = []
        self.links = Links(self.text)
        self.ticks = runs(self.text, "`")
        self.readers: dict[str, Callable[[int], int]] = {
            "\\": self._backslash, "`": self._ticks, "$": self._dollar, "*": self._run, "_": self._run,
            "[": self._bracket, "]": self._bracket, "!": self._image, "<": self._angle, "&": self._entity,
            "~": self._tilde, FIRST: self._display,
        }  # fmt: skip

    def run(self) -> list[Item]:
        place = 0
        while place < len(self.text):
            if plain := _PLAIN.match(self.text, place):
                place = self._keep(place, plain.end())
            else:
                place = self.readers[self.text[place]](place)
        resolve(self.text, [item for item in self.items if isinstance(item, Run)])
        return self.items

    def _keep(self, start: int, end: int) -> int:
        self.items.append(Text(self.source.cut(start, end)))
        return end

    def _put(self, text: str, place: int) -> None:
        offset = self.source.offsets[place]
        self.items.append(Text(Placed(text, [offset] * len(text) + [offset + 1])))

    def _stretch(self, kind: MarkKind, start: int, end: int, *, alone: bool = False) -> None:
        body = self._with_displays(start, end)
        self.items.append(Stretch(kind, body if kind == "code" else decoded(body.strip()), alone))

    def _with_displays(self, start: int, end: int) -> Placed:
        """A part of the paragraph in which a display is no block but text, as inside code."""
        if FIRST not in self.text[start:end]:
            return self.source.cut(start, end)
        writer = Writer()
        while (at := self.text.find(FIRST, start, end)) >= 0:
            writer.copy(self.source, start, at)
            writer.add(self.displays.get(at, self.source.cut(at, at)))
            start = at + 1
        writer.copy(self.source, start, end)
        return writer.written()

    def _display(self, place: int) -> int:
        if body := self.displays.get(place):
            self.items.append(Stretch("display", decoded(body), self._stands_alone(place, place + 1)))
        return place + 1

    def _stands_alone(self, start: int, end: int) -> bool:
        before = self.text[self.text.rfind("\n", 0, start) + 1 : start]
        line_end = self.text.find("\n", end)
        after = self.text[end : line_end if line_end >= 0 else len(self.text)]
        return not before.strip(f" \t{FIRST}") and not after.strip(f" \t.,;:。，；：{FIRST}")

    def _backslash(self, place: int) -> int:
        follows = self.text[place + 1 : place + 2]
        slashes = self.text[place : min(place + 2, past(self.text, place, "\\"))]
        start = place + len(slashes) + 1  # two where a first pass takes one away
        if (opening := self.text[start - 1 : start]) in ("(", "["):
            mark = slashes + (")" if opening == "(" else "]")
            closing = self.finder.find(mark, start)
            if 0 <= closing <= place + MAX_INLINE and self._is_bracketed(opening, start, closing):
                self._stretch("math" if opening == "(" else "display", start, closing)
                return closing + len(mark)
        if follows == "\n":
            return place + 1
        if follows and follows in ",;" and self._behind_math():
            self._put(" ", place)  # `$B = 50$\\,GB/s`: set like mathematics, which has ended
            return place + 2
        if follows and follows in _PUNCTUATION:
            self._keep(place + 1, place + 2)
            return place + 2
        return self._keep(place, place + 1)

    def _behind_math(self) -> bool:
        last = self.items[-1] if self.items else None
        return isinstance(last, Stretch) and last.kind == "math"

    def _is_bracketed(self, opening: str, start: int, end: int) -> bool:
        """Whether `\\( … \\)` is a formula, not brackets escaped along with other marks of Markdown."""
        body = self.text[start:end]
        if not body.strip() or FIRST in body or any(mark in body for mark in _ESCAPED_MARKDOWN):
            return False
        return opening == "(" or "\\" in body or (body[0].isspace() and body[-1].isspace())

    def _ticks(self, place: int) -> int:
        length = past(self.text, place, "`") - place
        ticks = self.ticks.get(length, [])
        at = bisect_right(ticks, place)
        if at >= len(ticks):
            return self._keep(place, place + length)
        start, end = place + length, ticks[at]
        inner = self.text[start:end]
        if len(inner) > 2 and inner[0] == inner[-1] == " ":
            start, end = start + 1, end - 1
        self._stretch("math" if self._drop_role() else "code", start, end)
        return ticks[at] + length

    def _drop_role(self) -> bool:
        """Whether the text before says that what follows is a formula, as in reStructuredText."""
        last = self.items[-1] if self.items else None
        if not isinstance(last, Text) or not last.piece.text.endswith((":math:", "{math}")):
            return False
        self.items[-1] = Text(last.piece.cut(0, len(last.piece.text) - 6))
        return True

    def _dollar(self, place: int) -> int:
        if self.text.startswith("$`", place):
            closing = self.finder.find("`$", place + 2)
            if 0 <= closing <= place + MAX_INLINE:
                self._stretch("math", place + 2, closing)
                return closing + 2
        if self.text.startswith("$$", place):
            return self._keep(place, place + 2)
        closing = self.finder.find("$", place + 1)
        while closing > 0 and self.text[closing - 1] == "\\":
            closing = self.finder.find("$", closing + 1)
        if 0 <= closing <= place + MAX_INLINE and self._is_formula(place + 1, closing):
            self._stretch("math", place + 1, closing)
            return closing + 1
        return self._keep(place, place + 1)

    def _is_formula(self, start: int, end: int) -> bool:
        content = self.text[start:end]
        if FIRST in content or self.text.startswith("$$", end):
            return False
        return is_formula(content, self.text[end + 1 : end + 2])

    def _run(self, place: int) -> int:
        mark, end = self.text[place], place
        while end < len(self.text) and self.text[end] == mark:
            end += 1
        self.items.append(Run(mark, place, end - place))
        self._keep(place, end)  # `pieces` drops as many as are emphasis
        return end

    def _bracket(self, place: int) -> int:
        return self.links.after.get(place) or self._keep(place, place + 1)

    def _image(self, place: int) -> int:
        return self.links.images.get(place) or self._keep(place, place + 1)

    def _tilde(self, place: int) -> int:
        """What `~~` strikes out is withdrawn and not read; `~31` is an approximation."""
        end = self.text.find("~", place + 2, place + _MAX_STRUCK + 3)
        struck = self.text[place + 2 : end] if self.text.startswith("~~", place) else ""
        if struck[:1].strip() and end > 0 and "\n" not in struck and self.text.startswith("~~", end):
            self._put(" ", place)
            return end + 2
        return self._keep(place, place + 1)

    def _entity(self, place: int) -> int:
        found = ENTITY.match(self.text, place)
        decoded = html.unescape(found[0]) if found else "&"
        if found is None or decoded == found[0]:
            return self._keep(place, place + 1)
        self._put(decoded.replace("\xa0", " "), place)
        return found.end()

    def _angle(self, place: int) -> int:
        closing = self.finder.find(">", place + 1)
        again = self.finder.find("<", place + 1)
        if closing < 0 or 0 <= again < closing or closing - place > MAX_INLINE:
            return self._keep(place, place + 1)
        tag = self.text[place : closing + 1]
        if tag.startswith(("<http://", "<https://", "<mailto:")) and len(tag.split()) == 1:
            return closing + 1
        read = read_tag(tag)
        if read is None:
            return self._keep(place, place + 1)
        return self._tag(place, closing + 1, *read)

    def _tag(self, place: int, end: int, name: str, closes: bool) -> int:
        if name == "br":
            self._put("\n", place)
        elif name in ("sup", "sub") and not closes:
            return self._script(place, end)
        elif name in FOOTNOTES:
            self.items.append(Aside(closes))
        elif name in BLOCKS:
            self.items.append(Break(name, closes))
        elif not closes and (name in SKIPPED or name in CITATIONS or name in ("code", "pre")):
            return self._enclosed(end, name)
        return end

    def _enclosed(self, start: int, name: str) -> int:
        end = self.finder.find(f"</{name}", start)
        if end < 0:
            return len(self.text) if name in SKIPPED else start
        after = self.text.find(">", end) + 1 or len(self.text)
        body = decoded(self._with_displays(start, end))
        if name == "code":
            self.items.append(Stretch("code", body))
        elif name == "pre":
            self.items.append(Listing(without_tags(body)))
        return after

    def _script(self, place: int, end: int) -> int:
        """`10<sup>9</sup>` is a power, `d<sub>model</sub>` a name."""
        found = _SCRIPT.match(self.text, place)
        before = self.text[place - 1 : place] if place else ""
        if found is None or not (before.isalnum() or before in (")", "]")):
            return end
        is_power = found[1] == "sup"
        script = found[2]
        if is_power and (script in _ORDINALS or not any(map(is_worded, script))):
            return end
        if not is_power and not is_worded(script, ","):
            return end
        signless = script[script.startswith(("-", "−")) :]
        is_simple = not is_power or signless.isdecimal() or (script.isascii() and script.isalnum())
        self._put(("^" if is_power else "_") + ("" if is_simple else "("), place)
        self._keep(found.start(2), found.end(2))
        if not is_simple:
            self._put(")", found.end(2) - 1)
        return found.end()
