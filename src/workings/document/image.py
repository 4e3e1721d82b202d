"""The directive `image`: a picture from a file beside the source, looked at before it is printed."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from pathlib import Path

from workings.document.blocks import Image
from workings.document.directive import Directive, check_options, whole
from workings.document.inline import line_of
from workings.document.page import Page

MAX_BYTES = 2_000_000
MAX_SIDE = 8_000  # pixels; a small file can hold a picture that fills the memory of a machine
_NAME = re.compile(r"(?:[A-Za-z0-9][A-Za-z0-9_-]*/){0,3}[A-Za-z0-9][A-Za-z0-9_-]*\.(png|jpe?g|svg)")
_DRAWING = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml\s[^>]*\?>)?\s*(?:<!--.*?-->\s*)*<svg[\s>]", re.DOTALL
)
# What a drawing may not hold: entities, scripts, and addresses that lead out of it.
_HOSTILE = re.compile(
    rb"<!(?!--)|<\?(?!xml\s)|<script|<foreignobject|\son[a-z]+\s*=|javascript:|@import"
    rb"|(?:href|src)\s*=\s*[\"']?\s*(?!#|data:image/(?:png|jpeg);)[^\"'#\s>]|url\(\s*[\"']?\s*(?!#)",
    re.IGNORECASE,
)


def image(directive: Directive, page: Page) -> Image:
    """```{image} mesh.png```, with what it shows in words as `:alternative:`."""
    check_options(directive, page, ("alternative", "caption", "label", "width"))

    def fail(problem: str) -> Exception:
        return page.source.fail(directive.line, f"{{image}} {directive.argument[:80]}: {problem}")

    name = _NAME.fullmatch(directive.argument)
    if name is None:
        raise fail("expected a PNG, JPEG or SVG file in the folder of the source")
    said = directive.options.get("alternative", "")
    if not said:
        raise fail(":alternative: found nothing, expected words that say what the picture shows")
    data = _read(page.source.path.parent, directive.argument, fail)
    kind = "jpeg" if name[1] in ("jpg", "jpeg") else name[1]
    for problem in _problems(data, kind):
        raise fail(problem)
    caption = directive.options.get("caption", "")
    label = directive.options.get("label", Path(directive.argument).stem)
    number = page.label("figure", label, directive.line) if caption else 0
    share = whole(directive.options.get("width", 100), ":width:", page, directive.line, 10, 100)
    line = line_of(caption, page, directive.line) if caption else ()
    return Image(label, number, line, said, directive.argument, kind, data, share / 100)


def _read(folder: Path, name: str, fail: object) -> bytes:
    assert callable(fail)  # noqa: S101 - it makes an error
    path = folder / name
    try:
        if not path.resolve().is_relative_to(folder.resolve()):
            raise fail("it leads out of the folder of the source, expected a file in it")
        if path.stat().st_size > MAX_BYTES:
            raise fail(f"found more than {MAX_BYTES:,} bytes, expected a smaller file")
        return path.read_bytes()
    except OSError as error:
        raise fail(str(error.strerror)) from error


def _problems(data: bytes, kind: str) -> Iterator[str]:
    """What is wrong with a picture."""
    sizes = {"png": _png, "jpeg": _jpeg}
    if kind == "svg":
        yield from _of_drawing(data)
        return
    size = sizes[kind](data)
    if size is None:
        yield f"found no {kind.upper()} in it, expected what its name says"
    elif not all(1 <= side <= MAX_SIDE for side in size):
        yield f"found {size[0]} × {size[1]} pixels, expected at most {MAX_SIDE:,} a side"


def _of_drawing(data: bytes) -> Iterator[str]:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        yield "found no UTF-8 text in it, expected an SVG"
        return
    if not _DRAWING.match(data):
        yield "found no <svg> in it, expected what its name says"
    elif found := _HOSTILE.search(data):
        said = found[0].decode("utf-8", "replace").strip()[:40]
        yield f"found {said!r} in it, expected a drawing without scripts, entities and addresses"


def _png(data: bytes) -> tuple[int, int] | None:
    if data[:8] != b"\x89PNG\r\n\x1a\n" or data[12:16] != b"IHDR" or len(data) < 24:
        return None
    return struct.unpack(">II", data[16:24])


def _jpeg(data: bytes) -> tuple[int, int] | None:
    """The size that the frame of a JPEG says."""
    at = 2
    while data[:2] == b"\xff\xd8" and at + 9 < len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        at += 2 + length
    return None
