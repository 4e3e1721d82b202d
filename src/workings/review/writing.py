"""A review as files: Markdown, LaTeX, figures and JSON, written together or compared."""

from __future__ import annotations

from workings.render.reports import Options, printed
from workings.review.build import REVIEW, WORKINGS, Review, documents, numbers


def files(found: Review, formats: tuple[str, ...] = ("md", "tex")) -> dict[str, str]:
    """File name to content of everything a review gives. Raises UserError for what cannot be printed."""
    made: dict[str, str] = {}
    for name, page in zip((REVIEW, WORKINGS), documents(found), strict=True):
        made |= printed(page, name, Options(formats=formats))
    return made | {f"{REVIEW}.json": numbers(found)}
