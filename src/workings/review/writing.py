"""A review as files: Markdown, LaTeX, figures and JSON, written together or compared."""

from __future__ import annotations

from workings.document.blocks import Bars, Document, Gantt
from workings.render.environment import render
from workings.render.reports import FORMATS
from workings.render.view import figure_values, view
from workings.review.build import Review, document, numbers


def files(found: Review, formats: tuple[str, ...] = ("md", "tex")) -> dict[str, str]:
    """File name to content of everything a review gives. Raises UserError for what cannot be printed."""
    page = document(found)
    made: dict[str, str] = {}
    for extension in formats:
        form, template = FORMATS[extension]
        made[f"review.{extension}"] = render(
            form, template, view(page, form, sheet=False) | {"fragment": False}, None
        )
    if "md" in formats:
        for drawn in _figures(page):
            template, values = figure_values(drawn)
            made[f"{drawn.label}.svg"] = render("figures", template, values, None)
    return made | {"review.json": numbers(found)}


def _figures(page: Document) -> list[Bars | Gantt]:
    return [block for block in page.blocks if isinstance(block, Bars | Gantt)]
