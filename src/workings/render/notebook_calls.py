"""The code of a notebook's cells: calls of `workings.value`, made of the record of numbers above it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from os.path import relpath
from pathlib import Path

from workings import catalogue
from workings.derivation import Derivation
from workings.document.blocks import Document, Number, Table, Worked
from workings.document.blocks import Line as Words
from workings.document.made_of import Amount, InNumbers, Share, Used
from workings.errors import UserError
from workings.formula.interval import rational
from workings.live.inputs import written
from workings.scenario import PRESETS, Scenario
from workings.units import ONE, Quantity
from workings.values.asked import Called
from workings.values.call import DIGITS, Call
from workings.values.desk import PLACE, Desk
from workings.values.displayed import Line, lines_of
from workings.values.notation import glyphs_named, letters_in


def calls_of(block: Worked | Table, document: Document) -> tuple[Call, ...]:
    """What gives a worked formula again, or a table's first column whose numbers are all of entries."""
    if document.desk is None:
        return ()
    calling = _Calling(document, document.desk)
    if isinstance(block, Worked):
        return calling.formula(block)
    columns = (calling.column(column) for column in zip(*block.rows, strict=True))
    return next((calls for calls in columns if calls), ())


def gives(calls: Sequence[Call], block: Worked) -> bool:
    """Whether its lines are what calls show; a used result stands in the letters of its user."""
    if not calls or not isinstance(block.source, Used):
        return bool(calls)
    lines = (Line(step.left, step.relation, step.formula, step.units) for step in block.steps)
    return tuple(lines) == lines_of(calls[0].worked())


class _Calling:
    """A document whose numbers are given again, and the desk where they were worked out."""

    def __init__(self, document: Document, desk: Desk) -> None:
        self.document, self.desk = document, desk

    def formula(self, block: Worked) -> tuple[Call, ...]:
        """The call of a formula in numbers; none for what no call gives by itself."""
        if isinstance(block.source, Used):
            return self.used(block.source)
        return (self.call(block.source),) if block.source else ()

    def column(self, cells: Sequence[Words]) -> tuple[Call, ...]:
        """The calls of a column's numbers, words left out; of an account the one of its total."""
        held = [cell for cell in cells if any(isinstance(piece, Number) for piece in cell)]
        found = [self.number(cell) for cell in held]
        calls = tuple(call for call in found if call is not None)
        if len(calls) < len(found):
            return ()
        total = any(isinstance(getattr(cell[0], "source", None), Share) for cell in held)
        return calls[-1:] if total else calls

    def number(self, cell: Words) -> Call | None:
        """The call of a number that stands alone; None where it is worked out from several values."""
        match cell:
            case (Number(source=Share(by)),):
                return self.call(_alone(by))
            case (Number(digits, _, Amount() as source),):
                what, unit, style = source.shown()
                if not isinstance(what, Called) or what.id not in catalogue.ids():
                    return None
                if source.limit is not None:  # beside it more decimals may stand than were asked for
                    style = style._replace(decimals=len(digits.partition(".")[2]))
                style = style._replace(units=(*([unit] if unit else []), *style.units))
                return self.call(_alone(InNumbers(what.id, what.settings, style, shared=source.settings)))
        return None

    def used(self, source: Used) -> tuple[Call, ...]:
        """The call of a used result, if one gives its value: as its user is set, or letter by letter."""
        for record_as in (_set_as_user, self.set_by_letters):
            try:
                call = self.call(record_as(source))
                if call.worked().value == source.result.done.value:
                    return (call,)
            except UserError:
                continue
        return ()

    def set_by_letters(self, source: Used) -> InNumbers:
        """A used result with those of its letters set that its scenario has not so."""
        done, by = source.result.done, source.by
        at = {name: text for name, text in {**by.shared, **by.settings}.items() if name == PLACE}
        what, own = done.derivation, self.desk.bound(done.derivation, at).values
        letters = {
            name: _exactly(Quantity(rational(value), what.letters[name].dimension))
            for name, value in source.result.values.items() if own.get(name) != value
        }  # fmt: skip
        return InNumbers(what.id, {**at, **letters}, done.style)

    def call(self, made: InNumbers) -> Call:
        """The call of an entry: with settings of its own, and those shared ones that count here."""
        what = catalogue.get(made.id)
        idle = self.desk.bound(what, made.settings, made.shared).idle
        given = self.desk.resolve({**made.shared, **made.settings})
        scenario, chosen = self.desk.placed({n: t for n, t in given.items() if n not in idle})
        put = scenario.settings if scenario else {}
        over = {n: t for n, t in put.items() if n in self.desk.over and n not in chosen}
        at = _named(scenario, Path(self.desk.folder))
        return Call(what, at, scenario, chosen, made.style, self.notation(what), over)

    def notation(self, what: Derivation) -> str | dict[str, str] | None:
        """The page's letters where they are not the entry's: a notation, or letters by what they mean."""
        named, glyphs = self.document.notation, self.document.glyphs
        keys = {concept.kin or concept.name: name for name, concept in what.letters.items()}
        keys |= {use.derivation.id: name for name, use in what.uses.items()} | {what.id: what.head or ""}
        other = {key: glyphs[key] for key, name in keys.items() if glyphs.get(key, name) != name}
        if other and letters_in(what, glyphs_named(named)) == letters_in(what, glyphs):
            return named
        return other or None


def _alone(made: InNumbers) -> InNumbers:
    """A value without its formula: where it has decimals, digits count for nothing."""
    bare = made.style.decimals is None
    return made if bare else replace(made, style=made.style._replace(digits=DIGITS))


def _set_as_user(source: Used) -> InNumbers:
    """A used result with the settings of the formula that uses it."""
    done, by = source.result.done, source.by
    return InNumbers(done.derivation.id, {}, done.style, shared={**by.shared, **by.settings})


def _exactly(value: Quantity) -> str:
    """A value as one types it."""
    return str(value.value) if value.dimension == ONE else written(value)


def _named(scenario: Scenario | None, folder: Path) -> str | None:
    """A scenario as one names it in the folder of the page: a preset, or a file."""
    if scenario is None:
        return None
    if scenario.path.is_relative_to(PRESETS.absolute()):
        return scenario.path.stem
    return Path(relpath(scenario.path, folder.absolute())).as_posix()
