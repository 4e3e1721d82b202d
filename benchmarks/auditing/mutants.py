"""The directive `mutants`: how many broken formulas were noticed, and by what, topic by topic."""

from __future__ import annotations

from collections.abc import Iterable

from workings import catalogue
from workings.derivation import Derivation
from workings.document.blocks import Code, Line, Number, Prose, Table, Text
from workings.document.directive import Directive, check_options
from workings.document.inline import line_of
from workings.document.page import Page
from workings.verification import tally

_HEAD = ("topic", "formulas", "broken", "by oracle", "by a step", "by units", "proved equal", "left")


def mutants(directive: Directive, page: Page) -> tuple[Prose, Table, Table]:
    """```{mutants}```: one row a topic, then each change that nothing noticed, from mutants.json.

    Stale counts are an error.
    """
    check_options(directive, page, ("label", "caption"))
    rows, everything = [], catalogue.every()
    for name in dict.fromkeys(what.topic for what in everything):
        inside = [what for what in everything if what.topic == name]
        rows.append((Text(name), _counts(inside, page, directive.line)))
    rows.append((Text("all"), _counts(everything, page, directive.line)))
    label = directive.options.get("label", "mutants")
    caption = directive.options.get("caption", "Formulas broken on purpose, and what noticed it first")
    number = page.table_label(label, caption, directive.line)
    cells: tuple[tuple[Line, ...], ...] = tuple(
        ((name,), *((Number(f"{count:,}"),) for count in counts)) for name, counts in rows
    )
    made, noticed, equal = rows[-1][1][1], sum(rows[-1][1][2:5]), rows[-1][1][5]
    words = (
        f"Of {made:,} broken formulas {noticed:,} were noticed; {equal} turned out to be the same "
        f"formula in other words, which is proved; {rows[-1][1][6]} were not noticed."
    )
    table = Table(label, number, line_of(caption, page, directive.line), "l" + "r" * (len(_HEAD) - 1),
                  tuple((Text(h),) for h in _HEAD), cells, (len(cells) - 1,))  # fmt: skip
    return (Prose((Text(words),)), table, _same(page, directive.line))


def _same(page: Page, line: int) -> Table:
    """The changes that leave a formula what it was, with the reason."""
    rows: list[tuple[Line, ...]] = []
    for id_, counts in tally.load().items():
        for fate in ("equal", "survived"):
            for mutant in counts[fate]:
                reason = tally.reasons().get(id_, {}).get(mutant, "")
                proved = "proved" if fate == "equal" else "not proved"
                rows.append(((Code(id_),), (Text(mutant),), (Text(proved),), (Text(reason),)))
    caption = "Changes that leave a formula what it was"
    number = page.table_label("mutants-equal", caption, line)
    head = tuple((Text(h),) for h in ("formula", "change", "equality", "reason"))
    return Table("mutants-equal", number, (Text(caption),), "llll", head, tuple(rows), long=True)


def _counts(what: Iterable[Derivation], page: Page, line: int) -> tuple[int, ...]:
    """Formulas, mutants, then those noticed by oracle, step and units, equal ones and survivors."""
    found = []
    for one in what:
        counts = tally.fresh(one)
        if counts is None:
            raise page.source.fail(line, f"{{mutants}}: {one.id} has changed, run `workings mutants`")
        found.append(counts)
    sums = (sum(c[name] for c in found) for name in ("made", "oracle", "step", "units"))
    lists = (sum(len(c[name]) for c in found) for name in ("equal", "survived"))
    return (len(found), *sums, *lists)
