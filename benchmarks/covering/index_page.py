"""The index of the pages of coverage: a row for each source, what is missing, what sources have wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from covering.counting import NOTHING, Counted, columns, counted, matched, needs
from covering.judging import Judged
from covering.lists import HAS
from covering.pieces import WORDS, joined, lead, numbers, one_line, percent, summary, table, words
from workings.document.blocks import Block, Code, Heading, Items, Line, Prose, Strong, Table, Text
from workings.formula import names_in, parse_expression

FAR = Fraction(1, 10)
_OPENING = (
    "Readers who had not seen this catalogue wrote down every formula that {count} published sources "
    "state, and every worked example with its printed result. Their lists were committed before "
    "anything was compared. Each formula was then looked for in the catalogue, with one of these "
    "verdicts:"
)
_CHECKED = (
    "evaluates the source's formula and ours exactly at the same points, works out again the examples "
    "of what the catalogue has, and compares them with what is printed, to half of its last digit. It "
    "names each verdict for which that does not come out. That a formula is missing, or is left out, is "
    "what a person judged."
)
_MEANINGS = {
    "agrees": "both sides have one value at every point.",
    "convention": "the same, once settings of ours are those of the source, which the note names.",
    "approximates": "the source drops or rounds a term that ours keeps. The note says which, and how "
    "far apart the two may be is checked.",
    "source wrong": "the two sides differ, and the note says what is right. Such a formula is not "
    "counted as one that the catalogue has, but as one that is answered.",
    "part": "an entry gives a factor or a term of it, and the rest is missing.",
    "missing": "no entry has it, and no combination of entries that a reader would find.",
    "left out": "it says nothing of the workings of training or serving: a measured result, a choice of "
    "hyper-parameters, the architecture itself, a datum of a device.",
}
_OF_FORMULAS = (
    "Formulas of each source by verdict. The shares are of those that are not left out: what the "
    "catalogue has agrees, also under a convention or up to a dropped term; what is answered is also "
    "what it shows to be wrong, with what is right"
)
_OF_EXAMPLES = (
    "Worked examples. One is not tried where its formula is missing or left out, or where the source "
    "does not say all that goes in"
)


def index_blocks(found: Sequence[Judged]) -> Iterator[Block]:
    """What stands on the index, of all sources."""
    counts = [counted(one) for one in found]
    total = sum(counts, NOTHING)
    yield Prose(words(_OPENING.format(count=len(found))))
    means = (
        (Strong(words(WORDS[verdict])), Text(": "), *words(said)) for verdict, said in _MEANINGS.items()
    )
    yield Items(tuple((Prose(line),) for line in means))
    yield Prose((Code("python benchmarks/coverage.py check"), Text(" "), *words(_CHECKED)))
    yield Prose(words(summary(total)))
    yield Prose(words(_how(found)))
    yield _formulas(found, counts, total)
    yield _examples(found, counts, total)
    yield from _missing(found)
    yield from _wrong_formulas(found)
    yield from _wrong_figures(found)


def _how(found: Sequence[Judged]) -> str:
    """How the catalogue has what it has, in sentences: what is behind the counts."""
    has = [of for one, listed, of in matched(found) if one.verdict(listed.id) in HAS]
    alone = sum(of.match.ours in of.match.entries for of in has)
    read = sum(of.compared.read for of in has)
    figures = sum(not names_in(parse_expression(of.match.says)) for of in has)
    far = sum(of.compared.apart > FAR for of in has)
    return (
        f"Of the formulas that it has, {alone:,} are one entry with its letters set, the others are put "
        "together from entries, or take a factor or a term beside one. In "
        f"{read:,} the program itself reads the formula of the list and finds it to be what is compared; "
        f"{figures:,} are figures without a letter, and {far:,} drop terms that come to more than "
        f"{float(100 * FAR):.0f} % of ours at a point that is compared."
    )


def _formulas(found: Sequence[Judged], counts: Sequence[Counted], total: Counted) -> Table:
    """A row for each source: how many of its formulas the catalogue has."""
    verdicts = columns(total)

    def cells(count: Counted) -> tuple[Line, ...]:
        return (
            *numbers(count.all, *(count.formulas[v] for v in verdicts)),
            *(words(percent(count, part)) for part in (count.has, count.answered)),
        )

    rows = [
        (lead(one.source), words(one.source.read), *cells(count))
        for one, count in zip(found, counts, strict=True)
    ]
    head = ("source", "read", "formulas", *(WORDS[v] for v in verdicts), "has, %", "answered, %")
    rows.append((words("all"), (), *cells(total)))
    return table(1, "formulas", _OF_FORMULAS, "lw" + "r" * (len(head) - 2), head, rows, bold=True)


def _examples(found: Sequence[Judged], counts: Sequence[Counted], total: Counted) -> Table:
    """A row for each source that has examples: how many come out as printed."""
    named = [(lead(one.source), count) for one, count in zip(found, counts, strict=True) if count.printed]
    rows = [
        (
            name,
            *numbers(
                c.printed, c.tried, *(c.examples[v] for v in ("agrees", "approximates", "source wrong"))
            ),
        )
        for name, c in [*named, (words("all"), total)]
    ]
    head = ("source", "printed", "tried", "as printed", "nearly", "the printed figure is wrong")
    return table(2, "examples", _OF_EXAMPLES, "lrrrrr", head, rows, bold=True)


def _missing(found: Sequence[Judged]) -> Iterator[Block]:
    """What entries are wanted, by most formulas first."""
    yield Heading(2, words("What is missing"))
    rows = []
    for need in needs(found):
        places = (
            (*lead(one.source), Text(f" ({count})" if count > 1 else "")) for one, count in need.wanted
        )
        rows.append((words(need.words), *numbers(need.formulas), joined(places)))
    if not rows:
        yield Prose(words("Nothing of what is matched so far."))
        return
    caption = "What entries would have the formulas that are missing, or missing in part"
    yield table(3, "missing", caption, "wrw", ("what it would be", "formulas", "in"), rows)


def _wrong_formulas(found: Sequence[Judged]) -> Iterator[Block]:
    """Formulas that a source has wrong; nothing where there are none."""
    rows = [
        (
            lead(one.source), words(listed.place), words(listed.words),
            (Code(one_line(listed.formula)),), words(of.match.why),
        )
        for one, listed, of in matched(found)
        if one.verdict(listed.id) == "source wrong"
    ]  # fmt: skip
    if rows:
        yield Heading(2, words("Formulas that are wrong where they are printed"))
        head = ("source", "place", "what it is", "it says", "what is right")
        yield table(4, "wrong", "Formulas that sources have wrong", "lwwww", head, rows)


def _wrong_figures(found: Sequence[Judged]) -> Iterator[Block]:
    """Worked examples whose printed figure does not follow; nothing where there are none."""
    rows = []
    for one, listed, of in matched(found):
        for tried in of.match.examples:
            if of.worked.verdicts.get(tried.number) == "source wrong":
                given = listed.examples[tried.number - 1]
                said = (given.place, listed.words, given.result, tried.why)
                rows.append((lead(one.source), *map(words, said)))
    if rows:
        yield Heading(2, words("Printed figures that do not follow"))
        head = ("source", "place", "what it is", "it prints", "what follows")
        yield table(
            5, "figures", "Worked examples whose printed result does not follow", "lwwww", head, rows
        )
