"""As documents.py, for sources that may use the directives which audit ourselves."""

from pathlib import Path

import documents

from workings.render.reports import Options

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
FRONT = documents.FRONT.replace("title", 'directives = "auditing"\ntitle', 1)
FIRST = FRONT.count("\n") + 1


def build_text(folder: Path, text: str) -> dict[str, str]:
    """Everything that is generated from this text."""
    return documents.build_text(folder, text, FRONT, Options(directives=BENCHMARKS))


def markdown_of(folder: Path, text: str, front: str = FRONT) -> str:
    """The Markdown below the title."""
    return documents.markdown_of(folder, text, front, BENCHMARKS)


def latex_of(folder: Path, text: str, front: str = FRONT) -> str:
    """The LaTeX between \\maketitle and \\end{document}."""
    return documents.latex_of(folder, text, front, BENCHMARKS)


def refusal(folder: Path, text: str) -> str:
    """The sentence with which the command line refuses a source."""
    return documents.refusal(folder, text, FRONT, "--directives", str(BENCHMARKS))
