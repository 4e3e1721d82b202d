"""Pages of published figures: how many come out, what cannot be asked, what is wrong, and all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from covering.asking import NEAR
from covering.pages import document_of
from covering.pieces import address_of, joined, one_line, table, words
from covering.source_page import asked

from figuring.counting import Counted, counted
from figuring.judging import Found, Judged
from figuring.lists import VERDICTS
from workings.document.blocks import Block, Code, Heading, Items, Line, Link, Prose, Strong, Text
from workings.render.reports import Options, printed

TITLE = "Published figures, tried on the catalogue"
_OPENING = (
    "Readers who saw only public sources, neither this catalogue nor its pages, wrote down {count} "
    "figures that the sources print: with the sentence they stand in, with what goes into them, and "
    "with the question that they answer. The lists were committed before any figure was tried. Then the "
    "catalogue was asked for each of them, as it was when the list came, and the verdicts of that "
    "first round were kept. What it could not be asked was mended afterwards where a reader would look "
    "for it. The verdicts are:"
)
_MEANINGS = {
    "as printed": "our exact value is the printed one: to the last digit where the source means it "
    "exactly, to half of its last digit where it rounds or says about, and beyond a limit where it "
    "gives a limit.",
    "convention": "the same, once a convention of the source is taken that the note names, such as a "
    "GB of 2³⁰ bytes.",
    "nearly": "it differs by no more than 2 %, or by what the note says; the note tells why.",
    "source wrong": "ours is another value, the reader of the source came to ours too, and the note "
    "says what is right.",
    "in part": "an entry gives a part of it.",
    "cannot be asked": "no entry has it, and no arithmetic with entries that a reader would think of. "
    "To multiply bare numbers counts as nothing.",
    "left out": "it is no working of training or serving, or does not follow from what is stated.",
}
_CHECKED = (
    "evaluates every figure exactly from the inputs that the list states, compares it with what is "
    "printed and with what the reader of the source had computed, and names each verdict that does not "
    "come out so. Which entry answers, and that none does, is what a person judged."
)  # fmt: skip
_FINDS = (
    "Each question was also given to the search of the catalogue as it stands. Of {asked} figures that "
    "have an entry, the search has one of the entries that were used first for {first}, among the first "
    "{near_} for {near}, and not among them for {missed}. Where several entries answer a question, "
    "only those that were used count."
)


def pages(found: Sequence[Judged]) -> dict[str, str]:
    """Name of each file to its text: what came of all lists, and a page for each with every figure."""
    made = {"report": document_of(TITLE, _blocks(found))}
    for one in found:
        made[one.name] = document_of(f"{TITLE}: {one.name}", _figures(one))
    options = Options(formats=("md",))
    texts = (printed(document, name, options) for name, document in made.items())
    return {file: str(text) for files in texts for file, text in files.items()}


def _blocks(found: Sequence[Judged]) -> Iterator[Block]:
    counts = [counted(one) for one in found]
    yield Prose(words(_OPENING.format(count=sum(one.all for one in counts))))
    yield Items(
        tuple(
            (Prose((Strong(words(name)), Text(": "), *words(said))),) for name, said in _MEANINGS.items()
        )
    )
    yield Prose((Code("python benchmarks/figures.py check"), Text(" "), *words(_CHECKED)))
    yield from _counts(found, counts)
    yield from _needs(found)
    yield from _wrong(found)
    lists = (Link(words(one.name), f"{one.name}.md") for one in found)
    yield Prose((Text("Every figure, list by list: "), *joined((one,) for one in lists), Text(".")))


def _figures(one: Judged) -> Iterator[Block]:
    yield Prose((Text("What the verdicts mean, and what came of all: "),
                 Link(words(TITLE), "report.md"), Text(".")))  # fmt: skip
    head = ("", "what it is", "printed", "asked", "verdict", "note")
    rows = [_row(of) for of in one.found]
    yield table(1, one.name, "Every figure of the list, in its order", "lwwwlw", head, rows)


def _counts(found: Sequence[Judged], counts: Sequence[Counted]) -> Iterator[Block]:
    """Figures by verdict, a row for each round of each list, and how the search finds them."""
    rows = []
    for one, count in zip(found, counts, strict=True):
        for name, verdicts in (("first round", count.first), ("now", count.now)):
            rows.append(_counted(f"{one.name}, {name}", verdicts))
    if len(found) > 1:
        for name, every in (("first round", [c.first for c in counts]), ("now", [c.now for c in counts])):
            rows.append(_counted(f"all, {name}", sum(every, Counter[str]())))
    caption = (
        "Figures by verdict. The share is of all that are not left out: those that come out, also under "
        "a convention or nearly, and those that are wrong where they are printed"
    )
    head = ("list", "figures", *VERDICTS, "share, %")
    yield table(1, "verdicts", caption, "l" + "r" * (len(head) - 1), head, rows)
    asked_, first, near = (
        sum(getattr(count.search, key) for count in counts) for key in ("asked", "first", "near")
    )
    yield Prose(
        words(_FINDS.format(asked=asked_, first=first, near=near, near_=NEAR, missed=asked_ - near))
    )


def _counted(name: str, verdicts: Counter[str]) -> tuple[Line, ...]:
    share = f"{float(100 * Counted.share(verdicts)):.1f}"
    cells = (sum(verdicts.values()), *(verdicts[one] for one in VERDICTS))
    return (words(name), *(words(f"{cell:,}") for cell in cells), words(share))


def _needs(found: Sequence[Judged]) -> Iterator[Block]:
    """What the first round could not ask, by most figures first, and what became of it."""
    told: dict[str, str] = {}
    wanted: dict[str, list[Found]] = {}
    for of in (of for one in found for of in one.found if of.tried.match.need):
        wanted.setdefault(of.tried.match.need, []).append(of)
        told[of.tried.match.need] = told.get(of.tried.match.need) or of.tried.match.needs
    rows = []
    for need, figures in sorted(wanted.items(), key=lambda pair: -len(pair[1])):
        now = dict.fromkeys(
            id_ for of in figures for id_ in of.tried.match.entries.values() if of.tried.first
        )
        open_ = [of.figure.id for of in figures if not of.tried.first]
        said = ", ".join([*now, *([f"open for {', '.join(open_)}"] if open_ else [])])
        rows.append((words(told[need]), words(f"{len(figures)}"), words(said)))
    if rows:
        yield Heading(2, words("What could not be asked"))
        caption = "What the catalogue did not have in the first round, and the entry that answers now"
        yield table(2, "needs", caption, "wrw", ("what it would be", "figures", "now"), rows)


def _wrong(found: Sequence[Judged]) -> Iterator[Block]:
    rows = [
        tuple(map(words, (of.figure.source, of.figure.what, of.figure.printed, of.tried.match.why)))
        for one in found
        for of in one.found
        if of.tried.verdict == "source wrong"
    ]
    if rows:
        yield Heading(2, words("Figures that are wrong where they are printed"))
        head = ("source", "what it is", "it prints", "what is right")
        yield table(
            3, "wrong", "Figures that do not follow from what their source states", "wwww", head, rows
        )


def _row(of: Found) -> tuple[Line, ...]:
    figure, tried = of.figure, of.tried
    address = address_of(figure.where)
    source = (Link(words(figure.source), address),) if address else words(figure.source)
    what = (*words(f"{figure.what} ("), *source, Text(")"))
    verdict = tried.verdict if not tried.first else f"{tried.verdict}; at first {tried.first}"
    note = " ".join(filter(None, (tried.match.why, tried.differs)))
    said = (Code(figure.id),), what, words(one_line(figure.printed)), asked(tried.match)
    return (*said, words(verdict), words(note))
