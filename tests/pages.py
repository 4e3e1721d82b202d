"""The pages people read, followed as a newcomer would: blocks saved, commands run, sources printed.

README, CONTRIBUTING and docs/ show what happens. `followed` gives a page as it is and as it should be,
so that a test compares the two and `python tests/pages.py` writes the second over the first.

On a page, a block is one of these; any other is a mistake:

- `console`: each `$ command` with what it prints. Commands but `workings`, also behind a `|`, are the
  shell's; an exit code that is not 0 is shown by `$ echo $?`.
- `python` with `>>>`: a doctest. Without: a module whose derivations the commands below it find.
- a block below a sentence with “save … as `NAME`”: that file, for what follows.
- `markdown` before `<!-- printed -->`: a source, and up to `<!-- end -->` what it prints at `xxl-220b`.
- `math`, `text`: shown only.
"""

import contextlib
import doctest
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from documents import run, source_in

from workings import catalogue
from workings.derivation import Derivation
from workings.render.reports import Options, build

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]

_FENCE = re.compile(r"^(?P<ticks>`{3,})(?P<language>\w*)\n(?P<text>.*?)^(?P=ticks)$\n?", re.M | re.S)
_SAVED = re.compile(r"\b[Ss]ave\b[^`]*? as\s+`([\w./-]+)`")
_PRINTED = re.compile(r"\n<!-- printed -->\n(.*?)\n<!-- end -->\n", re.S)
_FRONT = '+++\ntitle = "A page"\nscenario = "xxl-220b"\nscope = "section"\n+++\n'
_BETWEEN = "## The next source"  # a section of its own, so that letters may mean other things in it
_SHOWN_ONLY = ("math", "text")


class Block(NamedTuple):
    """A fenced block, the prose before it, and the text right behind it."""

    language: str
    text: str
    before: str
    behind: str

    @property
    def name(self) -> str | None:
        """The file that the prose asks to save it as."""
        said = _SAVED.findall(self.before)
        return said[-1] if said else None

    @property
    def printed(self) -> str | None:
        """What the page says that this source prints."""
        found = _PRINTED.match(self.behind)
        return found[1] if found else None


def blocks(page: str) -> Iterator[Block]:
    """The fenced blocks of a page; fences inside belong to the outer one."""
    end = 0
    for fence in _FENCE.finditer(page):
        yield Block(fence["language"], fence["text"], page[end : fence.start()], page[fence.end() :])
        end = fence.end()


def followed(page: str, folder: Path) -> str:
    """The page with what its commands and sources print today, each block used on the way.

    Raises AssertionError for a block that nothing uses, or a command that ends otherwise than shown.
    """
    for shared in ("examples", "reports"):
        (folder / shared).symlink_to(ROOT / shared)
    found = list(blocks(page))
    assert not re.search(r"^ +```", page, re.MULTILINE), "an indented block, which nothing would test"
    with contextlib.chdir(folder), contextlib.ExitStack() as stack:
        for place, block in enumerate(found):
            if block.language == "console":
                page = page.replace(block.text, _typed(block.text), 1)
            else:
                _use(block, found[place + 1 :], stack)
        return _with_printed(page, folder)


def _use(block: Block, later: list[Block], stack: contextlib.ExitStack) -> None:
    """Save, import or test a block that is no transcript."""
    if block.language == "python" and ">>> " in block.text:
        test = doctest.DocTestParser().get_doctest(block.text, {}, "page", None, 0)
        assert doctest.DocTestRunner().run(test).failed == 0
    elif block.language == "python":
        stack.enter_context(_contributed(block.text))
    elif block.name:
        Path(block.name).parent.mkdir(parents=True, exist_ok=True)
        Path(block.name).write_text(block.text, encoding="utf-8")
        assert any(block.name in other.text for other in later), f"nothing uses {block.name}"
    else:
        used = block.language in _SHOWN_ONLY or block.printed is not None
        assert used, f"nobody says what to do with: {block.text[:80]}"


def _contributed(text: str) -> contextlib.AbstractContextManager[object]:
    """Until it ends, the catalogue also finds the derivations of a module that a page shows."""
    module: dict[str, object] = {"__name__": "workings.derivations.memory.contributed"}
    exec(compile(text, "page", "exec"), module)  # noqa: S102 - our own documentation
    shown = {what.id: what for what in module.values() if isinstance(what, Derivation)}
    known = catalogue.get
    catalogue.ids()  # so that nothing asks how many are cached of what stands in place of `get`
    return mock.patch.object(catalogue, "get", lambda id_: shown[id_] if id_ in shown else known(id_))


def _typed(transcript: str) -> str:
    """A transcript with what its commands print now."""
    shown, code = "", 0
    for part in re.split(r"^\$ ", transcript, flags=re.MULTILINE)[1:]:
        command = part.partition("\n")[0]
        if command == "echo $?":
            assert code, "an exit code of 0 needs no words"
            shown, code = f"{shown}$ {command}\n{code}\n", 0
            continue
        assert not code, f"before `{command}`: exit code {code}, which nothing shows"
        printed, code = _run(command)
        shown += f"$ {command}\n{printed}"
    assert not code, f"exit code {code}, which nothing shows: {shown[-300:]}"
    return shown


def _run(command: str) -> tuple[str, int]:
    """What a command prints, and its exit code; `workings` runs in this process."""
    first, *others = command.split(" | ")
    if not first.startswith("workings "):
        return _shell(command, "")
    result = run(*shlex.split(first)[1:])
    printed, code = result.stdout + (result.stderr if result.exit_code == 2 else ""), result.exit_code
    for other in others:
        printed, code = _shell(other, printed)
    return printed, code


def _shell(command: str, given: str) -> tuple[str, int]:
    """What a command of the shell makes of its input; it has nothing to complain of."""
    ran = subprocess.run(  # noqa: S603 - our own pages
        ["/bin/sh", "-c", command], input=given, capture_output=True, text=True, check=False
    )
    assert not ran.stderr, ran.stderr
    return ran.stdout, ran.returncode


def _with_printed(page: str, folder: Path) -> str:
    """The page with what its sources print, as one document so that numbers run on."""
    sources = [block for block in blocks(page) if block.printed is not None]
    if not sources:
        return page
    text = f"\n{_BETWEEN}\n\n".join(f"{block.text}\n" for block in sources)
    made = build(source_in(folder, text, _FRONT), Options(formats=("md",)))["report.md"]
    printed = made.partition("\n\n")[2].split(f"\n{_BETWEEN}\n")
    rest = iter(printed)
    return _PRINTED.sub(lambda _: f"\n<!-- printed -->\n{next(rest).strip()}\n<!-- end -->\n", page)


def main() -> None:
    """Write every page, or those named, with what its commands and sources print today."""
    for path in [Path(name).resolve() for name in sys.argv[1:]] or PAGES:
        text = path.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            now = followed(text, Path(folder))
        path.write_text(now, encoding="utf-8")
        sys.stdout.write(f"{path.name}: {'as it was' if now == text else 'written anew'}\n")


if __name__ == "__main__":
    main()
