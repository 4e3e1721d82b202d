"""What makes a PDF of a source, and with which fonts: Typst's library, or a LaTeX that is installed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from workings.errors import UserError
from workings.render import tex_pdf, typst_pdf

ENGINES = {"typst": "typ", "tex": "tex"}  # by the format of what each reads
_TYPST = ("typ", "pdf")


@dataclass(frozen=True, slots=True)
class Press:
    """An engine, and files with fonts beside Typst's own."""

    engine: str = "typst"
    fonts: tuple[Path, ...] = ()

    @property
    def source(self) -> str:
        """The format of the source that a PDF is made of."""
        return ENGINES[self.engine]

    def families(self) -> list[str]:
        """The names of the fonts of one's own, in their order. Raises UserError."""
        return typst_pdf.families(self.fonts) if self.fonts else []

    def look(self, formats: Sequence[str]) -> None:
        """Refuse what is not there before anything is worked out. Raises UserError."""
        if "pdf" in formats:
            (tex_pdf.program if self.engine == "tex" else typst_pdf.library)()
        self.families()

    def bound(self, source: str) -> bytes:
        """The PDF. Raises UserError."""
        if self.engine == "tex":
            return tex_pdf.compiled(source)
        return typst_pdf.compiled(source, self.fonts)


TYPST = Press()


def press_of(engine: str | None, fonts: Sequence[Path], formats: Sequence[str]) -> Press:
    """The press of a command line. Raises UserError for what is missing or would change nothing."""
    named = ",".join(formats)
    if engine is not None and engine not in ENGINES:
        raise UserError(f"--pdf-engine: found {engine[:40]!r}, expected one of {', '.join(ENGINES)}")
    if engine is not None and "pdf" not in formats:
        raise UserError(f"--pdf-engine: found it with --format {named}, expected it with pdf")
    if fonts and engine == "tex":
        raise UserError("--font: found it with --pdf-engine tex, which has its own fonts; expected typst")
    if fonts and not set(formats) & set(_TYPST):
        raise UserError(f"--font: found it with --format {named}, expected it with {' or '.join(_TYPST)}")
    press = Press(engine or "typst", tuple(fonts))
    press.look(formats)
    return press
