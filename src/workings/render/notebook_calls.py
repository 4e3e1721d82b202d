"""The code of a notebook's cells: calls of `workings.value`, made of the record of numbers above it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os.path import relpath
from pathlib import Path

from workings import catalogue
from workings.derivation import Derivation
from workings.document.asked import Called
from workings.document.blocks import Document, Number, Table, Worked
from workings.document.blocks import Line as Words
from workings.document.made_of import Amount, InNumbers, Share, Used
from workings.document.quantity import PLACE, Desk
from workings.errors import UserError
from workings.formula.interval import rational
from workings.live.inputs import written
from workings.scenario import PRESETS, Scenario
from workings.units import ONE, Format, Quantity
from workings.values.binding import bind
from workings.values.call import DIGITS, Call
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
        match block.source:
            case InNumbers(id_, settings, style, shared=shared):
                return (self.call(id_, settings, shared, style),)
            case Used():
                return self.used(block.source)
        return ()

    def column(self, cells: Sequence[Words]) -> tuple[Call, ...]:
        """The calls of a column's numbers, words left out; of an account the one of its total."""
        numbers = [cell[0] for cell in cells if cell and isinstance(cell[0], Number)]
        found = [self.number(one) for one in numbers]
        calls = tuple(call for call in found if call is not None)
        if len(calls) < len(numbers):
            return ()
        return calls[-1:] if any(isinstance(one.source, Share) for one in numbers) else calls

    def number(self, number: Number) -> Call | None:
        """The call of a number; None where it is worked out from several values."""
        source = number.source
        if isinstance(source, Share):
            return self.call(source.id, source.settings, {}, _written(source.style))
        shown = source.shown() if isinstance(source, Amount) else None
        if not isinstance(source, Amount) or not shown or not isinstance(shown.what, Called):
            return None
        if shown.what.id not in catalogue.ids():
            return None
        units = (*([shown.unit] if shown.unit else []), *shown.style.units)
        style = shown.style._replace(units=units)
        if source.limit is not None:  # beside it a number may need more decimals than were asked for
            style = style._replace(decimals=len(number.number.partition(".")[2]))
        return self.call(shown.what.id, shown.what.settings, source.settings, _written(style))

    def used(self, source: Used) -> tuple[Call, ...]:
        """The call of a used result, if one gives its value: as its user is set, or letter by letter."""
        for call_as in (self.set_as_user, self.set_by_letters):
            try:
                call = call_as(source)
                if call.worked().value == source.result.done.value:
                    return (call,)
            except UserError:
                continue
        return ()

    def set_as_user(self, source: Used) -> Call:
        """The call of a used result with the settings of the formula that uses it."""
        done, shared = source.result.done, {**source.by.shared, **source.by.settings}
        return self.call(done.derivation.id, {}, shared, done.style)

    def set_by_letters(self, source: Used) -> Call:
        """The call of a used result with those of its letters set that no scenario has so."""
        done, by = source.result.done, source.by
        at = {name: text for name, text in {**by.shared, **by.settings}.items() if name == PLACE}
        own, what = bind(done.derivation, self.desk.placed(at)[0]).values, done.derivation
        letters = {
            name: _exactly(Quantity(rational(value), what.letters[name].dimension))
            for name, value in source.result.values.items() if own.get(name) != value
        }  # fmt: skip
        return self.call(what.id, letters, at, done.style)

    def call(
        self, id_: str, settings: Mapping[str, str], shared: Mapping[str, str], style: Format
    ) -> Call:
        """The call of an entry: settings of its own, and those shared ones that count for something."""
        what, own = catalogue.get(id_), self.desk.resolve(settings)
        given = {**self.desk.resolve(shared), **own}
        scenario, chosen = self.desk.placed(given)
        others = {name: text for name, text in chosen.items() if name not in own}
        idle = bind(what, scenario, {n: t for n, t in chosen.items() if n in own}, others).idle
        heard = {name: text for name, text in given.items() if name not in idle}
        scenario, chosen = self.desk.placed(heard)
        put = scenario.settings if scenario else {}
        over = {n: t for n, t in put.items() if n in self.desk.over and n not in chosen}
        at = _named(scenario, Path(self.desk.folder))
        return Call(what, at, scenario, chosen, style, self.notation(what), over)

    def notation(self, what: Derivation) -> str | dict[str, str] | None:
        """The page's letters where they are not the entry's: a notation, or letters by what they mean."""
        named, glyphs = self.document.notation, self.document.glyphs
        keys = {concept.kin or concept.name: name for name, concept in what.letters.items()}
        keys |= {use.derivation.id: name for name, use in what.uses.items()} | {what.id: what.head or ""}
        other = {key: glyphs[key] for key, name in keys.items() if glyphs.get(key, name) != name}
        if other and letters_in(what, glyphs_named(named)) == letters_in(what, glyphs):
            return named
        return other or None


def _written(style: Format) -> Format:
    """The style of a number that stands alone: where it has decimals, digits count for nothing."""
    return style if style.decimals is None else style._replace(digits=DIGITS)


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
