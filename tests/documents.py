"""Small sources for tests: written to a folder, built, or refused with one sentence."""

from pathlib import Path

from click.testing import CliRunner, Result

from workings.cli import main
from workings.errors import UserError
from workings.render.reports import Options, build

FRONT = '+++\ntitle = "A page"\nscenario = "xxl-220b"\n+++\n'
FIRST = FRONT.count("\n") + 1  # the line of the file on which the text after FRONT starts

BAR = '[[bar]]\nname = "whole"\n[[bar.part]]\nname = "state"\nid = "model-state"\n'
FIGURE = "```{figure} memory\n" + BAR + "```\n"


def source_in(folder: Path, text: str, front: str = FRONT, name: str = "page.md") -> Path:
    """A source file of this text below its front matter."""
    path = folder / name
    path.write_text(front + text, encoding="utf-8")
    return path


def build_text(
    folder: Path, text: str, front: str = FRONT, options: Options | None = None
) -> dict[str, str]:
    """Everything that is generated from this text."""
    return build(source_in(folder, text, front), options or Options())


def markdown_of(folder: Path, text: str, front: str = FRONT, directives: Path | None = None) -> str:
    """The Markdown below the title."""
    options = Options(formats=("md",), directives=directives)
    made = build_text(folder, text, front, options)["report.md"]
    return made.partition("\n\n")[2]


def latex_of(folder: Path, text: str, front: str = FRONT, directives: Path | None = None) -> str:
    """The LaTeX between \\maketitle and \\end{document}."""
    options = Options(formats=("tex",), directives=directives)
    made = build_text(folder, text, front, options)["report.tex"]
    return made.partition("\\maketitle\n")[2].partition("\\end{document}")[0].strip()


def refusal(folder: Path, text: str, front: str = FRONT, *arguments: str) -> str:
    """The sentence with which the command line refuses a source, after checking its manners.

    Exit code 2, one line on stderr, nothing on stdout, no file and no folder written.
    """
    path, out = source_in(folder, text, front), folder / "out"
    result = run("report", str(path), "-o", str(out), *arguments)
    assert result.exit_code == 2, (result.output, result.exception)
    assert result.stdout == ""
    assert not out.exists()
    assert result.stderr.startswith("workings: ")
    assert result.stderr.count("\n") == 1
    return result.stderr.removeprefix("workings: ").rstrip("\n")


def run(*arguments: str) -> Result:
    """The command line, in this process; an error that is not the user's is raised."""
    result = CliRunner().invoke(main, list(arguments))
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


__all__ = [
    "BAR", "FIGURE", "FIRST", "FRONT", "Options", "UserError", "build_text", "latex_of",
    "markdown_of", "refusal", "run", "source_in",
]  # fmt: skip
