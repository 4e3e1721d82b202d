"""A PDF by Typst's library: no network, no file read, the same bytes each time.

It is written as PDF/UA, a tagged PDF, which refuses a character that no font holds.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from workings.errors import UserError
from workings.render.environment import TemplateFailedError
from workings.render.unprintable import UnprintableError

if TYPE_CHECKING:
    from types import ModuleType

    from typst import Fonts

_UNSEEN = re.compile(r'the text `"(.*?)"` could not be displayed', re.DOTALL)
_CODE = re.compile(r"\\u\{([0-9a-f]+)\}")
_MOST = 8  # characters that a sentence names
_STAMP = 0  # a PDF says no day, so this shows nowhere


def families(fonts: Sequence[Path]) -> list[str]:
    """The families in files of fonts, in the order of the files. Raises UserError."""
    with _folder_of(fonts) as folder:
        named: dict[str, None] = {}
        for number, path in enumerate(fonts):
            found = _fonts(folder / str(number), embedded=False).fonts()
            if not found:
                raise UserError(
                    f"--font {path}: found no font in it, expected a TrueType or OpenType file"
                )
            named |= dict.fromkeys(font.family for font in sorted(found, key=lambda font: font.index))
        return list(named)


def compiled(source: str, fonts: Sequence[Path] = ()) -> bytes:
    """The PDF of a Typst source that reads no file. Raises UserError."""
    typst = library()
    with _folder_of(fonts) as folder:
        nothing = folder / "nothing"
        nothing.mkdir()
        compiler = typst.Compiler(
            root=nothing, font_paths=_fonts(folder, embedded=True), ignore_system_fonts=True,
            package_path=nothing, package_cache_path=nothing,
        )  # fmt: skip
        try:
            made = compiler.compile(
                source.encode(), format="pdf", pdf_standards=["ua-1"], timestamp=_STAMP
            )
        except typst.TypstError as error:
            raise _explained(error.message, error.diagnostic) from error
    assert isinstance(made, bytes)  # noqa: S101 - one file, not a picture a page
    return made


def library() -> ModuleType:
    """Typst. Raises UserError where it is not installed."""
    try:
        import typst  # noqa: PLC0415 - large, and an extra
    except ImportError as error:
        raise UserError(
            "a PDF needs Typst, which is not installed: pip install 'workings[pdf]'"
        ) from error
    return typst


def _fonts(folder: Path, *, embedded: bool) -> Fonts:
    fonts: Fonts = library().Fonts(
        include_system_fonts=False, include_embedded_fonts=embedded, font_paths=[folder]
    )
    return fonts


@contextmanager
def _folder_of(fonts: Sequence[Path]) -> Iterator[Path]:
    """Each file in a folder of its own: the library takes folders, and says nothing of a file."""
    with tempfile.TemporaryDirectory(prefix="workings-") as name:
        for number, path in enumerate(fonts):
            place = Path(name) / str(number)
            place.mkdir()
            try:
                shutil.copyfile(path, place / f"font{path.suffix.lower()}")
            except OSError as error:
                raise UserError(f"--font {path}: {error.strerror}") from error
        yield Path(name)


def _explained(message: str, diagnostic: str) -> UserError:
    """One sentence: the characters that no font holds, or what a template says wrong."""
    signs = dict.fromkeys(_plain(found)[0] for found in _UNSEEN.findall(diagnostic))
    if signs:
        named = ", ".join(f"{sign!r} (U+{ord(sign):04X})" for sign in list(signs)[:_MOST])
        more = f" and {len(signs) - _MOST} more" if len(signs) > _MOST else ""
        return UnprintableError(
            next(iter(signs)), f"no font holds {named}{more}, expected --font FILE with one that does"
        )
    place = re.search(r"\.typ:(\d+):\d+", diagnostic)
    line = f", line {place[1]} of report.typ" if place else ""
    return TemplateFailedError(f"typst{line}: {message.partition(chr(10))[0]}")


def _plain(text: str) -> str:
    """A text as the library quotes it."""
    return _CODE.sub(lambda code: chr(int(code[1], 16)), text).replace("\\\\", "\\")
