"""A review as files: its pages in their formats, figures and JSON, written together or compared."""

from __future__ import annotations

from workings.render.press import TYPST, Press
from workings.render.reports import Made, Options, printed
from workings.review.build import REVIEW, WORKINGS, Review, documents, numbers


def files(found: Review, formats: tuple[str, ...] = ("md", "tex"), press: Press = TYPST) -> Made:
    """File name to content of everything a review gives. Raises UserError for what cannot be printed."""
    made: Made = {}
    for name, page in zip((REVIEW, WORKINGS), documents(found), strict=True):
        made |= printed(page, name, Options(formats=formats, press=press))
    return made | {f"{REVIEW}.json": numbers(found)}
