"""Derivations as a program holds them: the formula, the results it uses, and the conditions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

from workings.derivation import Derivation
from workings.derivation.evaluation import letters_of_use, needed_letters
from workings.derivation.pins import Pinned, Spot, form_of, mentioned, replaced
from workings.formula import Expr, Relations, names_in, substitute
from workings.formula.readings.javascript import Json, expression
from workings.live.figures import Source, StaysError
from workings.values.javascript import conditions
from workings.values.unfolded import Unfolded


class Given(NamedTuple):
    """What is given below a derivation instead of worked out: the values here, and their sources."""

    pinned: Pinned
    sources: Mapping[Spot, Source]


class Entries:
    """The derivations of a program, each once for what is given below it."""

    def __init__(self) -> None:
        self.found: list[Json] = []
        self._places: dict[str, int] = {}

    def entry(self, what: Derivation, given: Given, formula: Expr | None = None) -> int:
        """The number of a derivation, or of another formula of its letters. Raises StaysError."""
        if any(spot.at for spot in given.pinned):
            raise StaysError("a result is given at some arguments alone")
        form = form_of(what, given.pinned) if formula is None else formula
        if isinstance(form, Relations):
            raise StaysError("no line of the chain solves what is left of the condition")
        return self._kept(self._entry(what, given, form, guarded=formula is None))

    def used(self, one: Unfolded, given: Given) -> tuple[int, list[str]]:
        """The number of a used result in the letters of the formula at the top, and these letters."""
        what, form = one.done.derivation, one.done.symbolic
        if any(Spot(what.id, letter) in given.pinned for letter in one.arguments):
            raise StaysError("a number stands in the place of one of its letters")
        shown = names_in(form)
        uses = {name: self._use(what, letter, given, one.arguments)
                for name, (_, letter) in one.inner.items() if name in shown}  # fmt: skip
        needed = [names_in(one.arguments[letter]) for letter in needed_letters(what, given.pinned)]
        letters = [name for name in shown if name not in uses]
        made = {"form": expression(form), "letters": letters, "uses": uses}
        return self._kept(made), sorted(set(letters).union(*needed))

    def _kept(self, entry: Json) -> int:
        if (key := json.dumps(entry)) not in self._places:
            self.found.append(entry)
            self._places[key] = len(self.found) - 1
        return self._places[key]

    def _entry(self, what: Derivation, given: Given, form: Expr, *, guarded: bool) -> Json:
        names = mentioned(what, form) if guarded else set(names_in(form))
        uses = sorted(names & set(what.uses))
        letters = letters_in(what, given.pinned, None if guarded else form)
        made = {
            "form": expression(form),
            "letters": list(letters),
            "uses": {name: self._use(what, name, given) for name in uses},
        }
        held = conditions(what, [*letters, *uses]) if guarded else []
        return {**made, "given": held} if held else made

    def _use(
        self, what: Derivation, name: str, given: Given, letters: Mapping[str, Expr] | None = None
    ) -> Json:
        """Where a used result is from: a value that is given, or an entry at arguments.

        These are in the letters of its user, or in what `letters` puts in their place.
        """
        use = what.uses[name]
        if replaced(what, name, given.pinned):
            spots = (Spot(what.id, name), Spot(use.derivation.id))
            return ["given", next(given.sources[spot] for spot in given.pinned if spot in spots)]
        arguments = {
            letter: ["given", given.sources[spot]]
            if (spot := Spot(use.derivation.id, letter)) in given.pinned
            else expression(substitute(use.arguments[letter], letters or {}))
            for letter in needed_letters(use.derivation, given.pinned)
        }
        return ["entry", self.entry(use.derivation, given), arguments]


def letters_in(what: Derivation, pinned: Pinned, formula: Expr | None) -> tuple[str, ...]:
    """The letters that a derivation's value needs, or those of another formula of its letters."""
    if formula is None:
        return needed_letters(what, pinned)
    names = set(names_in(formula))
    for name in names & set(what.uses):
        names |= letters_of_use(what, name, pinned)
    return tuple(name for name in what.letters if name in names)
