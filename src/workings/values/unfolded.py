"""The results that a worked formula uses, worked out too: each once, those that it rests on first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from workings.derivation import Derivation
from workings.derivation.evaluation import arguments_of, used_value
from workings.derivation.pins import Spot, form_of, pinned_use, replaced
from workings.formula import Expr, Formula, Name, Relations, Value, evaluate, names_in, substitute
from workings.formula.interval import rational
from workings.units import Format
from workings.values.binding import Binding
from workings.values.displayed import literal
from workings.values.worked import MORE_DIGITS, Input, Worked, shown_input, with_inputs


@dataclass(frozen=True, slots=True)
class Unfolded:
    """A used result worked out, under the letter `name` that its user has for it.

    Its formula stands in the letters of the formula at the top, as its own letters do in `arguments`; a
    result that it uses itself stands there under a name that `inner` knows: which derivation it is, and
    what the result calls it. The line of its `user`, or of the top, shows it in place of `shown_for`.
    """

    name: str
    done: Worked
    inner: Mapping[str, tuple[Derivation, str]]
    values: Mapping[str, Value]
    arguments: Mapping[str, Expr]
    shown_for: str
    user: Unfolded | None


def unfold(done: Worked, bound: Binding, style: Format) -> Iterator[Unfolded]:
    """Every result that a worked formula uses, but what something else was put in place of."""
    top = done.derivation
    letters = {name: Name(name) for name in top.letters}
    yield from _Unfolding(top, bound, style).below(top, bound.values, letters, done, None)


@dataclass
class _Unfolding:
    """The formula at the top with its values, and which results have been worked out."""

    top: Derivation
    bound: Binding
    style: Format
    seen: set[object] = field(default_factory=set)

    def below(
        self, what: Derivation, values: Mapping[str, Value], letters: Mapping[str, Expr], done: Worked,
        user: Unfolded | None,
    ) -> Iterator[Unfolded]:  # fmt: skip
        """The results that `done` shows values of; `letters` are those of `what` in those of the top."""
        shown = {one.letter: one for one in done.inputs}
        for name, use in what.uses.items():
            key = name if what is self.top else _inner(what, name)
            if key not in shown or (inside := self._inside(what, name, values)) is None:
                continue
            used = use.derivation
            own = {n: self._argument(used, n, argument, inside, letters)
                   for n, argument in use.arguments.items()}  # fmt: skip
            found = self._worked(used, inside, own, shown[key], self._digits(what, name, shown[key]))
            inner = {_inner(used, n): (u.derivation, n) for n, u in used.uses.items()}
            one = Unfolded(name, found, inner, inside, own, key, user)
            yield from self.below(used, inside, own, found, one)
            yield one

    def _inside(
        self, what: Derivation, name: str, values: Mapping[str, Value]
    ) -> Mapping[str, Value] | None:
        """The letters of a used result, where it is worked out and has not been before."""
        pinned, use = self.bound.pinned, what.uses[name]
        if replaced(what, name, pinned) or isinstance(form_of(use.derivation, pinned), Relations):
            return None
        inside = arguments_of(use, values, pinned)
        once = (use.derivation.id, name, tuple(sorted((n, str(v)) for n, v in inside.items())))
        if once in self.seen or pinned_use(what, name, inside, pinned) is not None:
            return None
        self.seen.add(once)
        return inside

    def _argument(
        self, used: Derivation, name: str, argument: Expr, inside: Mapping[str, Value],
        letters: Mapping[str, Expr],
    ) -> Expr:  # fmt: skip
        """What a letter of a used result is in the letters of the top; a given one is its number."""
        if Spot(used.id, name) in self.bound.pinned:
            return literal(shown_input(used, name, rational(inside[name]), self.style).shown)
        return substitute(argument, letters)

    def _worked(
        self, used: Derivation, inside: Mapping[str, Value], own: Mapping[str, Expr], said: Input,
        style: Format,
    ) -> Worked:  # fmt: skip
        """The result with the very digits with which its user shows it."""
        form = form_of(used, self.bound.pinned)
        symbolic = _put(form, {**own, **{name: Name(_inner(used, name)) for name in used.uses}})
        owners = {name: (self.top, name) for name in self.top.letters}
        owners |= {_inner(used, name): (used, name) for name in used.uses}
        values: dict[str, Fraction] = {}
        for letter in names_in(symbolic):
            owner, name = owners[letter]
            value = used_value(used, name, inside, self.bound.pinned) if owner is used else None
            values[letter] = rational(self.bound.values[letter] if value is None else value)

        def show(letter: str, value: Fraction, style: Format) -> Input:
            return replace(shown_input(*owners[letter], value, style), letter=letter)

        exact = said.shown.exact and isinstance(evaluate(symbolic, values), Fraction)
        shown = replace(said.shown, exact=exact)
        made = with_inputs(used, symbolic, values, show, said.value, shown, style)
        return replace(made, style=style)

    def _digits(self, what: Derivation, name: str, said: Input) -> Format:
        """The style in which the user of a result shows it."""
        for extra in range(MORE_DIGITS + 1):
            style = self.style._replace(digits=self.style.digits + extra, decimals=None)
            if shown_input(what, name, said.value, style).shown == said.shown:
                break
        return style


def _put(form: Formula, names: Mapping[str, Expr]) -> Expr:
    assert not isinstance(form, Relations)  # noqa: S101 - conditions are not unfolded
    return substitute(form, names)


def _inner(what: Derivation, name: str) -> str:
    """A name that no formula has, for a result that a used result uses."""
    return f"{what.id}.{name}"
