"""Keys that vary and change nothing on the page."""

from __future__ import annotations

from dataclasses import replace

from workings.document.blocks import Document
from workings.document.set_over import set_over
from workings.errors import UserError
from workings.handout.making import read_variant
from workings.handout.plan import Plan, Variant
from workings.handout.vary import Places
from workings.live.program import moves
from workings.render.reports import Options, printed

TRIES = 5  # variants that are read until one can be made; what none can is said when they are made


def refuse_idle(plan: Plan, options: Options) -> None:
    """Refuse a key of which nothing follows on the first page that can be made. Raises UserError."""

    def read(variant: Variant) -> Document | None:
        try:
            return read_variant(plan.source, variant, options, sheet=False)
        except UserError:
            return None

    pages = ((one, page) for one in plan.variants[:TRIES] if (page := read(one)) is not None)
    first, document = next(pages, (plan.variants[0], None))
    if document is None:
        return
    for one, key in zip(plan.vary.keys, set_over("", first.settings), strict=True):
        if moves(document, key):
            continue
        other = next(text for text in one.values if text != first.settings[one.key])
        changed = read(replace(first, settings={**first.settings, one.key: other}))
        if changed is not None and _words(changed) == _words(document):
            raise Places(plan.source).fail(
                one.key,
                f"{one.key}: found a key that changes nothing on the page, expected one that does",
            )


def _words(document: Document) -> str:
    """What a page says."""
    return "".join(map(str, printed(document, "page", Options(formats=("md",))).values()))
