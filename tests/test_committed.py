"""What git holds of the reports: pages that GitHub shows, whose links lead somewhere."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from links import LINK, anchors, dead_links

from workings import catalogue
from workings.render.pages import MOST
from workings.render.reports import Options, build

ROOT = Path(__file__).parents[1]
COMPARES = ROOT / ".ci" / "committed"
BUILT_ONLY = "workings.md"  # what a review leads to and git does not hold


def pages() -> dict[Path, str]:
    """The pages under reports/ by their place; sources are none."""
    found = (path for path in ROOT.glob("reports/**/*.md") if path.name not in ("source.md", BUILT_ONLY))
    return {path: path.read_text(encoding="utf-8") for path in found}


def test_every_page_is_short_enough_for_github_to_show() -> None:
    assert len(pages()) > 10
    for path, text in pages().items():
        assert len(text.encode()) <= MOST, path


def test_every_link_of_a_page_leads_to_a_file_that_is_there_and_to_what_it_names() -> None:
    every = pages()
    for path, text in every.items():
        for file, anchor in LINK.findall(text):
            target = (path.parent / file).resolve() if file else path
            if target.name == BUILT_ONLY:
                assert (target.parent / "job.toml").is_file()
            else:
                assert target.is_file(), (path, file)
                assert not anchor or anchor in anchors(every[target]), (path, file, anchor)


@pytest.mark.slow
def test_every_formula_has_its_place_on_one_page_of_the_catalogue() -> None:
    options = Options(formats=("md",), directives=ROOT / "benchmarks")
    made = build(ROOT / "reports" / "catalogue" / "source.md", options)
    assert list(dead_links(made)) == []
    where = {one: name for name, text in made.items() for one in anchors(text)}
    assert len(where) == sum(len(anchors(text)) for text in made.values())
    for topic in catalogue.topics():
        chapter = topic.replace("_", "-").replace(" ", "-")
        for what in catalogue.every(topic):
            page = where[f"eq-{what.id}"]
            assert re.fullmatch(rf"{chapter}(-part-\d+)?\.md", page)
            assert f"({page}#eq-{what.id})" in made["report.md"]
    assert all(len(text.encode()) <= MOST for name, text in made.items() if name.endswith(".md"))


# --- the command that compares what is committed ----------------------------------------------


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with one report, and the same built anew in build/reports."""
    for name, text in (
        ("reports/a/source.md", "s"), ("reports/a/report.md", "m"), ("reports/a/f.svg", "f"),
        ("reports/README.md", "r"), (".gitignore", "/build/\n/reports/**/*.tex\n"),
        ("build/reports/a/report.md", "m"), ("build/reports/a/f.svg", "f"),
        ("build/reports/a/report.tex", "t"),
    ):  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    return tmp_path


def git(folder: Path, *arguments: str) -> None:
    command = shutil.which("git")
    assert command is not None
    subprocess.run([command, *arguments], cwd=folder, check=True)  # noqa: S603 - git itself


def compared(folder: Path) -> tuple[int, list[str]]:
    """Exit code and lines of the comparison."""
    ran = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, str(COMPARES), "build/reports"], cwd=folder, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert ran.stdout == ""
    return ran.returncode, ran.stderr.splitlines()


def test_what_is_the_same_passes_and_what_is_left_out_need_not_be_there(repository: Path) -> None:
    assert compared(repository) == (0, [])
    (repository / "reports/a/report.tex").write_text("stale", encoding="utf-8")
    assert compared(repository) == (0, [])


def test_a_page_that_differs_is_missing_or_has_no_source_is_named(repository: Path) -> None:
    (repository / "reports/a/report.md").write_text("other", encoding="utf-8")
    (repository / "reports/a/f.svg").unlink()
    (repository / "reports/a/old.md").write_text("m", encoding="utf-8")
    git(repository, "add", "reports/a/old.md")
    assert compared(repository) == (1, [
        "reports/a/f.svg: missing, run `make report` and commit it",
        "reports/a/report.md: differs from its source, run `make report` and commit it",
        "reports/a/old.md: no source gives it, run `git rm reports/a/old.md`",
    ])  # fmt: skip


def test_a_page_too_long_and_a_file_that_should_not_be_held_are_named(repository: Path) -> None:
    for folder in ("reports", "build/reports"):
        (repository / folder / "a/report.md").write_text("m" * (MOST + 1), encoding="utf-8")
        (repository / folder / "a/report.tex").write_text("t", encoding="utf-8")
    git(repository, "add", "-f", "reports/a/report.tex")
    assert compared(repository) == (1, [
        "reports/a/report.md: larger than 150,000 bytes, which GitHub does not show",
        "reports/a/report.tex: .gitignore leaves it out, run `git rm --cached reports/a/report.tex`",
    ])  # fmt: skip


def test_of_this_repository_the_latex_of_one_report_is_held_and_no_workings(tmp_path: Path) -> None:
    """By the rules that git follows, whatever has been built here."""
    wanted = {
        "reports/xxl-220b/report.tex": False, "reports/catalogue/report.tex": True,
        "reports/reviews/moe-1024/review.tex": True, "reports/reviews/moe-1024/workings.md": True,
        "reports/reviews/moe-1024/review.json": True, "reports/reviews/moe-1024/review.md": False,
        "reports/catalogue/pipeline.md": False, "reports/catalogue/gantt-1f1b.svg": False,
    }  # fmt: skip
    git(tmp_path, "init", "-q")
    shutil.copy(ROOT / ".gitignore", tmp_path)
    for name in wanted:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x", encoding="utf-8")
    git(tmp_path, "add", ".")
    listed = subprocess.run(  # noqa: S603 - git itself
        [str(shutil.which("git")), "ls-files"], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout.split()
    assert {name: name not in listed for name in wanted} == wanted
