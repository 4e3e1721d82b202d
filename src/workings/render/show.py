"""One derivation on its own, for `workings show --format`."""

from __future__ import annotations

from pathlib import Path

from workings.derivation import Derivation
from workings.document.blocks import Document, Text
from workings.document.formulas import chain_block
from workings.document.front import Front, Source
from workings.document.page import open_page
from workings.render.environment import render
from workings.render.forms import FORMS
from workings.render.view import view


def derivation_fragment(
    what: Derivation, extension: str, templates: Path | None = None, notation: str | None = None
) -> str:
    """A derivation as a fragment of a document, or as a page where a format has no fragments."""
    page = open_page(Source(Path(what.id), Front(title=what.title, notation=notation), "", 1))
    block = chain_block(what, page, 0)
    form = FORMS[extension]
    document = Document((Text(what.title),), (block,), page.numbers)
    values = view(document, form, sheet=False, templates=templates) | {"fragment": not form.whole}
    return render(form.folder, form.template, values, templates)
