"""Directives of a report's own: Python runs only from a folder that the command line names."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from documents import FRONT, markdown_of, refusal, run, source_in
from looping import each

OWN = FRONT.replace("title", 'directives = "mine"\ntitle', 1)
TEXT = "```{greeting} you\n```\n"
MODULE = """
from workings.document.blocks import Prose, Text
def greeting(directive, page):
    page.own["greeted"] = page.own.get("greeted", 0) + 1
    return Prose((Text(f"Hello, {directive.argument}: {page.own['greeted']}"),))
DIRECTIVES = {"greeting": greeting}
"""


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    yield
    sys.modules.pop("mine", None)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a module of directives, beside a place for sources."""
    modules = tmp_path / "modules"
    modules.mkdir()
    (modules / "mine.py").write_text(MODULE, encoding="utf-8")
    return modules


def test_a_module_of_the_folder_that_is_named_adds_its_directives(tmp_path: Path, folder: Path) -> None:
    assert markdown_of(tmp_path, TEXT + "\n" + TEXT, OWN, folder) == "Hello, you: 1\n\nHello, you: 2\n"
    assert markdown_of(tmp_path, TEXT, OWN, folder) == "Hello, you: 1\n"  # another page, the same module


def test_a_package_does_too_and_may_have_modules_of_its_own(tmp_path: Path, folder: Path) -> None:
    inside = folder / "mine"
    inside.mkdir()
    (folder / "mine.py").rename(inside / "greetings.py")
    (inside / "__init__.py").write_text("from mine.greetings import DIRECTIVES\n", encoding="utf-8")
    assert markdown_of(tmp_path, TEXT, OWN, folder) == "Hello, you: 1\n"
    sys.modules.pop("mine.greetings")


def test_nothing_of_it_runs_unless_the_command_line_names_the_folder(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("raise SystemExit('it ran')\n", encoding="utf-8")
    assert refusal(tmp_path, TEXT, OWN) == (
        "page.md: front matter: directives: found 'mine', expected --directives with the folder that it "
        "is in too, since Python runs only from a folder that the command line names"
    )
    assert "mine" not in sys.modules


def test_a_source_that_asks_for_no_module_gets_none(tmp_path: Path, folder: Path) -> None:
    said = refusal(tmp_path, TEXT, FRONT, "--directives", str(folder))
    assert "found directive {greeting}, expected one of chain, " in said
    assert "mine" not in sys.modules


@each("name, problem", [
    ("yours", "found 'yours', expected a Python module of that name in "),
    ("json", "found 'json', the name of another module of Python, expected a name of its own"),
    ("pytest", "found 'pytest', the name of another module of Python, expected a name of its own"),
    ("empty", "found no table DIRECTIVES in 'empty', expected one from name to function"),
    ("broken", "broken.py of 'broken' fails with ZeroDivisionError: division by zero"),
    ("../mine", "found '../mine', expected the name of a Python module, letters and digits"),
])  # fmt: skip
def test_what_is_no_such_module_is_refused_in_one_sentence(
    tmp_path: Path, folder: Path, name: str, problem: str
) -> None:
    for other, text in (("json", MODULE), ("pytest", MODULE), ("empty", ""), ("broken", "1 / 0")):
        (folder / f"{other}.py").write_text(text, encoding="utf-8")
    said = refusal(tmp_path, TEXT, OWN.replace("mine", name), "--directives", str(folder))
    sys.modules.pop("empty", None)
    assert f"front matter: directives: {problem}" in said
    assert "broken" not in sys.modules


def test_a_report_that_differs_says_how_to_write_it_again(tmp_path: Path, folder: Path) -> None:
    path, option = source_in(tmp_path, TEXT, OWN), ("--directives", str(folder))
    assert run("report", str(path), "-o", str(tmp_path / "out"), *option).exit_code == 0
    assert run("report", str(path), "-o", str(tmp_path / "out"), *option, "--check").exit_code == 0
    (tmp_path / "out" / "report.md").write_text("", encoding="utf-8")
    said = run("report", str(path), "-o", str(tmp_path / "out"), *option, "--check")
    assert said.exit_code == 1
    assert said.stderr.endswith(f"run `workings report {path} --directives {folder}`\n")
