"""The whole site: a page for everything, every link leads somewhere, nothing is asked for elsewhere."""

import json
import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from posixpath import dirname, join, normpath

import pytest

from workings import catalogue
from workings.scenario import presets
from workings.site.build import ways
from workings.site.place import chapter_path, entry_path
from workings.site.told import report_names, report_path, review_names, review_path

ROOT = Path(__file__).parents[2]
# Bytes of an entry's page in the mean, and of all else that the site has for it: chapters, search.
# Reports and reviews are as long as they are.
MOST_OF_AN_ENTRY, MOST_BESIDE = 32_000, 8_200
LOADED = (
    "script",
    "img",
    "link",
    "iframe",
    "object",
    "source",
    "video",
    "audio",
    "embed",
    "image",
    "use",
)
PROGRAM = "from workings.cli import main; main()"
PRINT = """
import hashlib, json
from pathlib import Path
from workings.site.build import Task, joined, pages
own = Path("benchmarks")
made = joined([*pages(Task("chapter", "memory", own)), *pages(Task("rest", "", own))])
print(json.dumps({name: hashlib.sha256(text.encode()).hexdigest() for name, text in made.items()}))
"""


class Page(HTMLParser):
    """What a page is called and has names for, where it leads, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loads: list[str] = []
        self.described = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if "id" in found:
            self.ids.append(found["id"])
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        addresses = [found[name] for name in ("src", "href", "data", "srcset") if name in found]
        if tag in LOADED:
            self.loads += addresses
        if tag == "meta" and found.get("name") == "description":
            self.described = len(found["content"]) > 10


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    command = [sys.executable, "-c", PROGRAM, "site", "--directives", "benchmarks", "-o", str(folder)]
    subprocess.run(command, check=True, cwd=ROOT, capture_output=True)  # noqa: S603 - our own command
    return folder


@pytest.mark.slow
def test_everything_has_a_page_and_every_link_leads_to_one(whole: Path) -> None:
    texts = {str(path.relative_to(whole)): path.read_text("utf-8") for path in whole.rglob("*.html")}
    read = {name: Page(text) for name, text in texts.items()}
    wanted = {entry_path(what.id) for what in catalogue.every()}
    wanted |= {chapter_path(topic) for topic in catalogue.topics()}
    wanted |= {report_path(name) for name in report_names()} | {
        review_path(name) for name in review_names()
    }
    wanted |= {f"presets/{kind}.html" for kind in presets.KINDS} | {way.path for way in ways()}
    wanted |= {
        f"guides/{path.stem}.html" for path in (ROOT / "docs").glob("*.md") if path.stem != "README"
    }
    assert wanted <= read.keys()
    astray, foreign, twice, silent = [], [], [], []
    for name, page in read.items():
        for link in page.links:
            if link.startswith(("https://", "http://")):
                continue
            file, _, anchor = link.partition("#")
            led = normpath(join(dirname(name), file)) if file else name
            if led not in read or (anchor and anchor not in read[led].ids) or link == "#":
                astray.append((name, link))
        foreign += [(name, one) for one in page.loads if not (whole / dirname(name) / one).is_file()]
        twice += [name] if len(page.ids) != len(set(page.ids)) else []
        silent += [] if page.described else [name]
    assert (astray, foreign, twice, silent) == ([], [], [], [])
    sizes = {path: path.stat().st_size for path in whole.rglob("*") if path.is_file()}
    entries = [size for path, size in sizes.items() if path.parent.name == "entries"]
    assert sum(entries) < MOST_OF_AN_ENTRY * len(entries)
    reports = [size for path, size in sizes.items() if whole / "reports" in path.parents]
    assert sum(sizes.values()) - sum(entries) - sum(reports) < MOST_BESIDE * len(entries)


@pytest.mark.slow
def test_the_same_catalogue_gives_the_same_bytes() -> None:
    made = [
        json.loads(
            subprocess.run(  # noqa: S603 - our own lines, in a fresh interpreter
                [sys.executable, "-c", PRINT], check=True, capture_output=True, text=True, cwd=ROOT,
                env={**os.environ, "PYTHONHASHSEED": seed},
            ).stdout
        )
        for seed in ("1", "2")
    ]  # fmt: skip
    assert made[0] == made[1]
