"""A review as files: its pages in their formats, figures and JSON, written together or compared."""

from __future__ import annotations

from workings.render.forms import FORMS
from workings.render.press import TYPST, Press
from workings.render.reports import Made, Options, printed
from workings.review.build import REVIEW, WORKINGS, Review, documents, numbers, page


def files(found: Review, formats: tuple[str, ...] = ("md", "tex"), press: Press = TYPST) -> Made:
    """File name to content of everything a review gives: one page where a format folds what is below.

    Raises UserError for what cannot be printed.
    """
    made: Made = {}
    apart = tuple(one for one in formats if not FORMS[one].folds)
    for name, document in zip((REVIEW, WORKINGS), documents(found) if apart else (), strict=False):
        made |= printed(document, name, Options(formats=apart, press=press))
    whole = tuple(one for one in formats if FORMS[one].folds)
    made |= printed(page(found), REVIEW, Options(formats=whole)) if whole else {}
    return made | {f"{REVIEW}.json": numbers(found)}
