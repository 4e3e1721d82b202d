"""README, CONTRIBUTING and docs/ are true: what they show is what happens, what they name is there."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

import click
import pytest
from documents import run
from looping import each
from pages import PAGES, ROOT, blocks, followed

from workings.cli import main
from workings.planning import accuracy

README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCS = {path.stem: path.read_text(encoding="utf-8") for path in PAGES if path.parent == ROOT / "docs"}
EVERY = {path: path.read_text(encoding="utf-8") for path in PAGES}


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_a_page_shows_what_happens(page: Path, tmp_path: Path) -> None:
    assert followed(EVERY[page], tmp_path) == EVERY[page]


SAVED = 'Save this as `a.toml`:\n\n```toml\nname = "x"\n```\n'
PRINTED = "```markdown\n{math}`N`\n```\n\n<!-- printed -->\n"


@each(
    "page",
    [
        "```console\n$ workings list no-such-topic\n```\n",  # fails, and nothing says so
        "```console\n$ workings presets\n$ echo $?\n0\n```\n",
        '```toml\nname = "x"\n```\n',  # nothing says what to do with it
        SAVED,  # saved, and used by nothing
        "- here\n\n  ```console\n  $ workings list\n  ```\n",
        "```python\n>>> 1 + 1\n3\n\n```\n",
    ],
)
def test_a_block_that_shows_nothing_is_refused(
    page: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with pytest.raises(AssertionError):
        followed(page, tmp_path_factory.mktemp("page"))


@each(
    "page, now",
    [
        (
            "```console\n$ workings list memory | head -n 1\nmine\n```\n",
            "```console\n$ workings list memory | head -n 1\nmemory\n```\n",
        ),
        (
            "```console\n$ workings show no-such-id | wc -l\n7\n```\n",
            "```console\n$ workings show no-such-id | wc -l\n1\n```\n",
        ),
        (
            f"{PRINTED}N\n<!-- end -->\n",
            f"{PRINTED}$`N`$\n<!-- end -->\n",
        ),
        (
            f"{SAVED}\n```console\n$ cat a.toml\nname\n```\n",
            f'{SAVED}\n```console\n$ cat a.toml\nname = "x"\n```\n',
        ),
    ],
)
def test_what_has_changed_is_seen(page: str, now: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert followed(page, tmp_path_factory.mktemp("page")) == now


# --- README -----------------------------------------------------------------------------------


def test_the_readme_is_short_and_has_an_example_for_each_reader() -> None:
    assert len(README.encode()) <= 8_000
    for reader, command in (("instructor", "report"), ("student", "check"), ("engineer", "review")):
        part = re.split(r"^## ", README.partition(f"## For an {reader}")[2] or
                        README.partition(f"## For a {reader}")[2], flags=re.MULTILINE)[0]  # fmt: skip
        assert re.search(rf"^\$ workings {command} ", part, re.MULTILINE), reader


def test_every_guide_is_listed() -> None:
    for name in DOCS:
        assert name == "README" or f"({name}.md)" in DOCS["README"], name
        assert name == "README" or f"(docs/{name}.md)" in README, name


def test_the_readmes_derivation_is_the_reports(report: Mapping[str, str]) -> None:
    [derivation] = [block.text for block in blocks(README) if block.language == "math"]
    assert derivation in report["report.md"]


def test_counts_on_pages_are_those_of_what_they_count() -> None:
    assert 850 <= run("list").stdout.count("\n    ") <= 950  # “about 900”
    [(runs, error)] = re.findall(
        r"fitted to ([\d,]+) published runs .*?a plan is ([\d.]+) % off",
        " ".join(DOCS["reviews"].split()),
    )
    assert int(runs.replace(",", "")) == len(accuracy.step_times())
    assert float(error) == float(100 * accuracy.model_error())


def test_what_the_checker_is_said_to_find_is_what_it_was_measured_to_find() -> None:
    measured = (ROOT / "reports/check-benchmark/rounds.toml").read_text(encoding="utf-8")
    rounds = [row for row in tomllib.loads(measured)["rounds"]["rows"] if row[1] == "by default"]
    found, accused, right = (rounds[-1][n] for n in (2, 6, 7))
    said = " ".join(DOCS["checking"].split())
    assert f"{right} of {accused} accusations were right" in said
    assert f"{found} slips that a line shows by itself" in said


# --- links and names --------------------------------------------------------------------------


def test_links_to_files_of_the_repository_lead_somewhere() -> None:
    for page, text in EVERY.items():
        for address in re.findall(r"\]\(([^)#]+)\)", text):
            assert address.startswith("https://") or (page.parent / address).is_file(), (page, address)


def test_files_that_are_only_mentioned_are_there() -> None:
    folders = "src|tests|benchmarks|reports|templates|examples|docs"
    for page, text in EVERY.items():
        shown = {block.name for block in blocks(text)}
        for path in set(re.findall(rf"`((?:{folders})/[\w./-]+)`", text)) - shown:
            assert "NAME" in path or (ROOT / path).exists(), (page, path)


def test_commands_that_are_only_mentioned_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    helps = {name: run(name, "--help").output for name in main.list_commands(click.Context(main))}
    for text in EVERY.values():
        for target in re.findall(r"\bmake ([a-z]+)\b(?=`|\n|,)", text):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
        for command in re.findall(r"`workings ([a-z]+)", text):
            assert command in helps, command
        for option in re.findall(r"`(--[a-z-]+)", text):
            assert any(option in shown for shown in helps.values()), option


def test_the_versions_are_one() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.*)$", cited, re.MULTILINE) == [project["version"]]
    assert re.findall(r"^license: (.*)$", cited, re.MULTILINE) == [project["license"]]
    assert re.findall(r"^## ([0-9.]+)", changes, re.MULTILINE)[0] == project["version"]
