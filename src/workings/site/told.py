"""The reports: what stands in `reports/`, each as a page, and the reviews of jobs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from workings import catalogue
from workings.document.blocks import Document, Items, Prose, Text
from workings.document.front import read_source
from workings.document.own import own_directives
from workings.document.read import read_document
from workings.render.html import words
from workings.site.guides import opening
from workings.site.place import INDEX, Place, Way, chapter_path, lead

FOLDER = Path("reports")
REPORTS = "reports/index.html"
CATALOGUE = "catalogue"  # the report that holds what the chapters of the site hold


def report_names() -> list[str]:
    """The reports that have a page, by the names of their folders."""
    return [
        path.parent.name for path in sorted(FOLDER.glob("*/source.md")) if path.parent.name != CATALOGUE
    ]


def check_directives(folder: Path | None) -> None:
    """Raise DocumentError where a report asks for directives of its own that are not in the folder."""
    for path in sorted(FOLDER.glob("*/source.md")):
        own_directives(read_source(path), folder)


def review_names() -> list[str]:
    """The jobs whose reviews have a page."""
    return [path.parent.name for path in sorted(FOLDER.glob("reviews/*/job.toml"))]


def report_path(name: str) -> str:
    """Where the page of a report stands."""
    return f"reports/{name}.html"


def review_path(name: str, part: str = "review") -> str:
    """Where the page of a review stands, or that of its workings."""
    return f"reports/{part}-{name}.html"


def known_reports() -> Mapping[str, str]:
    """The pages of reports by the paths that guides name."""
    found = {f"reports/{name}/report.md": report_path(name) for name in report_names()}
    found |= {f"reports/reviews/{name}/review.md": review_path(name) for name in review_names()}
    chapters = {topic.replace("_", "-"): chapter_path(topic) for topic in catalogue.topics()}
    found |= {f"reports/{CATALOGUE}/{name}.md": path for name, path in chapters.items()}
    return found | {f"reports/{CATALOGUE}/report.md": INDEX, "reports/reviews/README.md": REPORTS}


def report_place(name: str, directives: Path | None) -> Place:
    """A report as a page, on one page whatever its source says."""
    source = FOLDER / name / "source.md"
    document, _ = read_document(source, directives=directives)
    return _place(report_path(name), replace(document, sections=()))


def review_places(name: str) -> Iterator[Place]:
    """A review of a job, and its workings."""
    from workings.planning.inputs.asked import job_asked  # noqa: PLC0415 - only where there are reviews
    from workings.review.build import WORKINGS, documents, review  # noqa: PLC0415 - the same

    main, below = documents(review(job_asked(str(FOLDER / "reviews" / name / "job.toml"), {}, {})))
    for part, other, document in (("review", WORKINGS, main), (WORKINGS, "review", below)):
        there = dict.fromkeys(document.elsewhere, f"{other}-{name}")
        yield _place(review_path(name, part), replace(document, elsewhere=there))


def _place(path: str, document: Document) -> Place:
    title = words(document.title)
    return Place(path, "Report", title, opening(document), document,
                 (Way("Start", INDEX), Way("Reports", REPORTS)))  # fmt: skip


def reports_place(ways: Iterable[Way]) -> Place:
    """The list of all reports and reviews."""
    said = "Documents made from these formulas: reports, and design reviews of jobs."
    items = Items(tuple((Prose((lead(way.words, way.path, REPORTS),)),) for way in ways))
    document = Document((Text("Reports"),), (Prose((Text(said),)), items), {})
    return Place(REPORTS, "Report", "Reports", said, document, (Way("Start", INDEX),))
