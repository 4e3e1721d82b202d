"""What stands on the page of an entry below its derivation: when it holds, and what guards it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from workings import catalogue
from workings.derivation import Derivation
from workings.document.blocks import Block, Chain, Code, Items, Line, Link, Math, Prose, Table, Text
from workings.document.page import words_of
from workings.formula import Expr, Name, Relations, parse_expression, substitute
from workings.site.place import entry_path, lead
from workings.site.saying import plainly
from workings.verification.verified import fresh

MOST_SOLVED = 8  # letters that a result is solved for; beyond, the table is no help
MOST_LONG = 120  # signs of a form that is shown


def entry_link(what: Derivation, here: str) -> Link:
    """A link to the page of an entry, by its title."""
    return lead(plainly(what.title), entry_path(what.id), here)


def conditions(what: Derivation, chain: Chain, here: str) -> Iterator[Block]:
    """Where it holds, what it means where it does not, and which entry answers then."""
    for line in chain.before:
        yield Prose(line)
    items: list[Line] = [
        (Text("Where "), Code(text), Text(f" does not hold: {meaning}."))
        for text, meaning in what.otherwise.items()
    ]
    for kind, id_ in what.holds_for.items():
        words = f"Where not {kind}: " if isinstance(kind, str) else f"For others than {kind.says}: "
        other = entry_link(catalogue.get(id_), here) if id_ else Text("nothing here answers.")
        items.append((Text(words), other))
    yield from _listed(items)
    if not chain.before:
        yield Prose((Text("For all values that its letters may have."),))


def remarks(what: Derivation, names: Mapping[str, Expr]) -> Iterator[Block]:
    """Its convention, why it need not be whole, and what it leaves out."""
    for text in what.remarks:
        yield Prose(words_of(text, names))


def cases(what: Derivation, chain: Chain) -> Iterator[Block]:
    """Bounds, limits, and figures that it has as numbers."""
    items: list[Line] = []
    for line, step in zip(what.lines[1:], chain.steps[1:], strict=True):
        reason: Line = (Text(": "), *step.reason) if step.reason else ()
        if line.relation in ("<", "<=", ">", ">="):
            words = "At most " if line.relation in ("<", "<=") else "At least "
            items.append((Text(words), Math(step.formula), *reason))
        elif line.relation == "limit":
            grows = " and ".join(step.over)
            items.append((Text(f"As {grows} grows, about "), Math(step.formula), *reason))
    for concept, value in what.fixes.items():
        items.append((Text(f"It has {concept.meaning} as a number: {value}."),))
    yield from _listed(items)


def _listed(lines: list[Line]) -> Iterator[Items]:
    if lines:
        yield Items(tuple((Prose(line),) for line in lines))


def solved(what: Derivation, names: Mapping[str, Expr]) -> Iterator[Block]:
    """The result solved for its letters, as the proof on file has them."""
    entry = fresh(what)
    found = {} if entry is None else entry["solutions"]
    forms = [(name, form) for name, form in found.items() if len(form) <= MOST_LONG]
    if what.head is None or not 0 < len(forms) <= MOST_SOLVED:
        return
    rows = tuple(((Math(_equation(name, form, names)),),) for name, form in forms)
    yield Table("", 0, (), "w", ((Text("by SymPy"),),), rows)


def _equation(name: str, form: str, names: Mapping[str, Expr]) -> Relations:
    right = substitute(parse_expression(form), names)
    return Relations(names.get(name, Name(name)), (("=", right),))


def source(what: Derivation) -> Iterator[Block]:
    """The publication, and the place in it."""
    found = what.source
    year = f" ({found.year})" if found.year else ""
    title = Link((Text(found.title),), found.url)
    yield Prose((Text(f"{found.authors}, "), title, Text(f"{year}, {found.where}.")))
