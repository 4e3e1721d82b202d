"""A PDF by the pdflatex of the machine, for who wants LaTeX's pages."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from workings.errors import UserError

# The same bytes each time; no file of the machine is read or written, no command run.
_ENVIRONMENT = {"SOURCE_DATE_EPOCH": "0", "FORCE_SOURCE_DATE": "1", "openin_any": "p", "openout_any": "p"}
_RUNS = 4  # labels, then the widths of long tables, then what moved by them


def compiled(source: str) -> bytes:
    """The PDF of a LaTeX source. Raises UserError."""
    pdflatex = program()
    with tempfile.TemporaryDirectory(prefix="workings-") as name:
        folder = Path(name)
        (folder / "page.tex").write_text(source, encoding="utf-8")
        for _ in range(_RUNS):
            log = _run(pdflatex, folder)
            if "Rerun" not in log:
                break
        return (folder / "page.pdf").read_bytes()


def program() -> str:
    """The command. Raises UserError where there is none."""
    found = shutil.which("pdflatex")
    if found is None:
        raise UserError(
            "--pdf-engine tex: found no pdflatex on this machine, expected TeX Live or the like"
        )
    return found


def _run(pdflatex: str, folder: Path) -> str:
    """One run; its log. The name of the PDF's own id is fixed, which else is the folder's."""
    page = r"\pdftrailerid{workings}\input{page.tex}"
    ran = subprocess.run(  # noqa: S603 - the pdflatex that was found
        [pdflatex, "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", "-jobname=page",
         page],
        cwd=folder, capture_output=True, check=False, env={**os.environ, **_ENVIRONMENT},
    )  # fmt: skip
    log = (folder / "page.log").read_text(encoding="latin-1") if (folder / "page.log").is_file() else ""
    if ran.returncode:
        said = next((line for line in log.split("\n") if line.startswith("!")), "! it says nothing")
        raise UserError(f"--pdf-engine tex: pdflatex stops: {said[2:]}")
    return log
