"""The page of an entry: its result, then in numbers, derived, guarded, and what leads on from it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from workings import catalogue
from workings.catalogue import Section
from workings.derivation import Derivation
from workings.document.blocks import (
    Block,
    Chain,
    Code,
    Document,
    Heading,
    Items,
    Line,
    Link,
    Math,
    Note,
    Number,
    Prose,
    Table,
    Text,
    Verbatim,
    Worked,
)
from workings.document.formulas import chain_block, worked_block
from workings.document.front import Front, Source
from workings.document.ledger import ledger_table
from workings.document.made_of import InNumbers
from workings.document.page import Page, open_page, words_of
from workings.document.provenance import standing_words
from workings.document.symbols import letters_table
from workings.formula import Expr, Name, Relations, parse_expression, substitute
from workings.planning.rules.catalogue import RULES
from workings.site.code import listings
from workings.site.example import STYLE, Example, Examples, example_of
from workings.site.letters import other_letters
from workings.site.place import (
    INDEX,
    SYMBOLS,
    Place,
    Way,
    chapter_path,
    entry_path,
    lead,
)
from workings.site.saying import (
    anchor,
    chapter_title,
    counted_in,
    first_sentence,
    plainly,
    result,
    summary,
)
from workings.units import ONE
from workings.values.notation import put
from workings.verification.verified import fresh

MOST_SOLVED = 8  # letters that a result is solved for; beyond, the table is no help
MOST_LONG = 120  # signs of a form that is shown


@dataclass(frozen=True, slots=True)
class Around:
    """What is around an entry: its chapter's name and section, its neighbours, and who uses it."""

    topic: str
    section: Section
    before: Way | None
    after: Way | None
    users: tuple[Derivation, ...]


def entry_place(what: Derivation, around: Around, examples: Mapping[str, Examples]) -> Place:
    """An entry as a page."""
    made = _Entry(what, around, example_of(what, examples))
    topic, section = around.topic, around.section
    chapter = chapter_path(topic)
    crumbs = (Way("Formulas", INDEX), Way(chapter_title(topic), chapter),
              Way(section.title, f"{chapter}#{anchor(section.title)}"))  # fmt: skip
    return Place(
        made.here, "Formula", plainly(what.title), summary(what), made.document(), crumbs,
        around.before, around.after,
        tuple(Way(plainly(one.title), entry_path(one.id)) for one in section.entries),
        listings(what), {what.id: other_letters(what)}, words=(what.id, *what.phrases),
    )  # fmt: skip


def _page_of(what: Derivation, example: Example | None) -> Page:
    """The page at its example: what a scenario can have is set there, and its letters can be set."""
    front = Front(title=what.title, scenario=example.scenario if example else None)
    over = example.over if example else {}
    page = open_page(Source(Path(f"{what.id}.md"), front, "", 1), settings=over)
    page.desk.letters = example.letters if example else {}
    return page


def _worked(page: Page, example: Example) -> tuple[Worked]:
    """The entry in numbers, which follow its inputs. It stands before the chain: it is numbered first."""
    what = example.done.derivation
    block = worked_block(example.done, page, 0, f"{what.id}-worked")
    made = page.made(InNumbers(what.id, example.letters, STYLE))
    return (replace(block, source=made),)


class _Entry:
    """One entry being written."""

    def __init__(self, what: Derivation, around: Around, example: Example | None) -> None:
        self.what, self.around, self.example = what, around, example
        self.here = entry_path(what.id)
        self.page = _page_of(what, example)
        self.worked = _worked(self.page, example) if example else ()
        self.chain: Chain = chain_block(what, self.page, 0)
        self.names: Mapping[str, Expr] = self.page.use(what, 0)

    def document(self) -> Document:
        """All of its sections, those that have nothing left out."""
        sections = (
            ("In letters", self.letters()),
            ("In numbers", self.numbers()),
            ("Derivation", self.derivation()),
            ("When it holds", self.conditions()),
            ("Conventions, and what it leaves out", self.remarks()),
            ("Special cases", self.cases()),
            ("Solved for another letter", self.solved()),
            ("Uses", self.uses()),
            ("Used by", self.users()),
            ("How it is proved and counted", self.standing()),
            ("Source", self.source()),
            ("On the command line, and in Python", self.commands()),
        )
        blocks: list[Block] = [*self.opening()]
        for title, inside in sections:
            if found := tuple(inside):
                blocks += [Heading(2, (Text(title),)), *found]
        others = {use.derivation.id: use.derivation for use in self.what.uses.values()}
        numbers = dict.fromkeys(others, ("equation", 1)) | self.page.numbers
        title = words_of(self.what.title, self.names)
        elsewhere = {id_: id_ for id_ in others}
        desk = self.page.desk if self.example else None
        return Document(title, tuple(blocks), numbers, elsewhere=elsewhere, desk=desk)

    def opening(self) -> Iterator[Block]:
        section = self.around.section
        chapter = chapter_path(self.around.topic)
        way = lead(section.title, f"{chapter}#{anchor(section.title)}", self.here)
        first = f": {first_sentence(section.opening)}" if section.opening else "."
        yield Prose((Text(f"{chapter_title(self.around.topic)}, "), way, Text(first)))
        formula = Math(put(result(self.what), self.names))
        yield Note("takeaway", (Text(f"The result{counted_in(self.what)}"),), (Prose((formula,)),))

    def letters(self) -> Iterator[Block]:
        """Its letters with what they mean, and the results that it uses, with their values."""
        given = self.example.letters if self.example else {}
        scenario = self.page.desk.scenario({})
        table = letters_table(self.page, scenario, given, f"{self.what.id}-letters", "", 0)
        columns = len(table.head)
        used = tuple(self.used(name)[:columns] for name in self.what.uses if name in self.names)
        rows = (*map(self.explained, table.rows), *used)
        if rows:
            yield replace(table, rows=rows)

    def explained(self, row: tuple[Line, ...]) -> tuple[Line, ...]:
        """A row whose meaning leads to all that is known of the concept."""
        letter, meaning, *rest = row
        key = self.page.meanings[str(getattr(getattr(letter[0], "formula", None), "id", ""))][0]
        path = entry_path(key) if key in catalogue.ids() else f"{SYMBOLS}#{key}"  # a result's own letter
        return (letter, (lead(meaning, path, self.here),), *rest)

    def used(self, name: str) -> tuple[Line, ...]:
        """The row of a result that it uses: its title leads to its page."""
        what = self.what.uses[name].derivation
        values = {one.letter: one.shown for one in self.example.done.inputs} if self.example else {}
        value: Line = (Number(values[name].number, values[name].unit),) if name in values else ()
        unit = "" if what.unit == ONE else str(what.unit)
        return ((Math(self.names[name]),), (self.entry(what),), (Text(unit),), value)

    def numbers(self) -> Iterator[Block]:
        if self.example is None:
            yield Prose(
                (Text("No preset gives all its letters; give them with "), Code("--set"), Text("."))
            )
            return
        at = lead(self.example.scenario, f"presets/scenarios.html#{self.example.scenario}", self.here)
        over = ", ".join(f"{name} = {text}" for name, text in self.example.settings.items())
        given = f", with {over}" if over else ""
        yield Prose((Text("At the scenario "), at, Text(f"{given}:")))
        yield from self.worked

    def derivation(self) -> Iterator[Block]:
        yield replace(self.chain, before=(), footer=())
        if self.what.ledger:
            style = self.page.style
            yield ledger_table(self.what, self.page, None, style, f"{self.what.id}-ledger", "", 0)

    def conditions(self) -> Iterator[Block]:
        for line in self.chain.before:
            yield Prose(line)
        known = self.what.otherwise
        items: list[Line] = [(*self.condition(text), Text(f": {known[text]}.")) for text in known]
        for kind, id_ in self.what.holds_for.items():
            words = f"Where not {kind}: " if isinstance(kind, str) else f"For others than {kind.says}: "
            other = self.entry(catalogue.get(id_)) if id_ else Text("nothing here answers.")
            items.append((Text(words), other))
        if items:
            yield Items(tuple((Prose(item),) for item in items))
        if not self.chain.before:
            yield Prose((Text("For all values that its letters may have."),))

    def condition(self, text: str) -> Line:
        return (Text("Where "), Code(text), Text(" does not hold"))

    def remarks(self) -> Iterator[Block]:
        for text in self.what.remarks:
            yield Prose(words_of(text, self.names))

    def cases(self) -> Iterator[Block]:
        items = []
        for line, step in zip(self.what.lines[1:], self.chain.steps[1:], strict=True):
            reason = (Text(": "), *step.reason) if step.reason else ()
            if line.relation in ("<", "<=", ">", ">="):
                words = "At most " if line.relation in ("<", "<=") else "At least "
                items.append((Text(words), Math(step.formula), *reason))
            elif line.relation == "limit":
                grows = " and ".join(step.over)
                items.append((Text(f"As {grows} grows, about "), Math(step.formula), *reason))
        for concept, value in self.what.fixes.items():
            items.append((Text(f"It has {concept.meaning} as a number: {value}."),))
        if items:
            yield Items(tuple((Prose(item),) for item in items))

    def solved(self) -> Iterator[Block]:
        entry = fresh(self.what)
        found = {} if entry is None else entry["solutions"]
        forms = [(name, form) for name, form in found.items() if len(form) <= MOST_LONG]
        if self.what.head is None or not 0 < len(forms) <= MOST_SOLVED:
            return
        rows = tuple(
            ((Math(Relations(self.names.get(name, Name(name)), (("=", self.form(form)),))),),)
            for name, form in forms
        )  # fmt: skip
        yield Table("", 0, (), "w", ((Text("by SymPy"),),), rows)

    def form(self, text: str) -> Expr:
        return substitute(parse_expression(text), self.names)

    def uses(self) -> Iterator[Block]:
        if self.what.uses:
            yield Prose(self.chain.footer[0])
            entries = {use.derivation.id: use.derivation for use in self.what.uses.values()}
            yield self.list_of(tuple(entries.values()))

    def users(self) -> Iterator[Block]:
        if self.around.users:
            yield self.list_of(self.around.users)
        for rule in RULES:
            if rule.entry == self.what.id:
                way = lead(rule.title, f"rules/lint.html#{rule.id}", self.here)
                yield Prose((Text("The rule of layouts "), way, Text(" rests on it.")))

    def list_of(self, entries: Sequence[Derivation]) -> Items:
        return Items(tuple((Prose((self.entry(what),)),) for what in entries))

    def entry(self, what: Derivation) -> Link:
        return lead(plainly(what.title), entry_path(what.id), self.here)

    def standing(self) -> Iterator[Block]:
        yield Prose((Text(standing_words(self.what)),))

    def source(self) -> Iterator[Block]:
        source = self.what.source
        year = f" ({source.year})" if source.year else ""
        title = Link((Text(source.title),), source.url)
        yield Prose((Text(f"{source.authors}, "), title, Text(f"{year}, {source.where}.")))

    def commands(self) -> Iterator[Block]:
        id_ = self.what.id
        lines = [f"$ workings show {id_}"]
        python = f'>>> workings.entry("{id_}")'
        if self.example:
            given = self.example.settings
            sets = "".join(f" --set {name}={_quoted(text)}" for name, text in given.items())
            lines.append(f"$ workings value {id_} --at {self.example.scenario}{sets}")
            over = f", set={json.dumps(dict(given))}" if given else ""
            python = f'>>> workings.value("{id_}", at="{self.example.scenario}"{over})'
        yield Verbatim("\n".join(lines))
        yield Verbatim(python)


def _quoted(text: str) -> str:
    return f"'{text}'" if " " in text else text
