"""The exact value of a derivation, and of the results it uses, at given letters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workings.derivation import Derivation, Use

from workings.errors import UserError
from workings.formula import (
    DoesNotEvaluateError,
    Expr,
    Num,
    Value,
    evaluate,
    names_in,
    substitute,
)
from workings.formula.exact import rational
from workings.proof.setting import (
    Divides,
    Given,
    Opaque,
    given_holds,
)
from workings.violated import violation


class DoesNotApplyError(UserError):
    """A condition of a derivation is violated: it has no value there."""


def value_of(
    what: Derivation,
    values: Mapping[str, Value],
    pinned: Mapping[str, Value] | None = None,
    memo: dict[Any, Value] | None = None,
) -> Value:
    """The exact value in base units, each used result evaluated once per arguments.

    `pinned` gives results of other derivations, by id, instead of evaluating them. Raises
    DoesNotApplyError where a condition is violated, DoesNotEvaluateError where a letter is missing.
    """
    pinned, memo = pinned or {}, {} if memo is None else memo
    letters = needed_letters(what, frozenset(pinned))
    missing = [name for name in letters if name not in values]
    if missing:
        needs = ", ".join(f"{n} ({what.letters[n].meaning})" for n in missing)
        names = ", ".join(what.letters[n].name for n in missing)
        raise DoesNotEvaluateError(f"{what.id} needs {needs}: set {names}")
    inside = {name: values[name] for name in letters}
    key = (what.id, tuple(inside.items()))
    if key not in memo:
        for name in sorted(_mentioned(what) & set(what.uses)):
            inside[name] = value_of_use(what.uses[name], values, pinned, memo)
        check_conditions(what, inside)
        memo[key] = evaluate(what.result, inside)
    return memo[key]


def value_of_use(
    use: Use,
    values: Mapping[str, Value],
    pinned: Mapping[str, Value] | None = None,
    memo: dict[Any, Value] | None = None,
) -> Value:
    """The exact value of a used result at its arguments."""
    if pinned and use.derivation.id in pinned:
        return pinned[use.derivation.id]
    wanted = needed_letters(use.derivation, frozenset(pinned or {}))
    arguments = {name: evaluate(use.arguments[name], values) for name in wanted}
    return value_of(use.derivation, arguments, pinned, memo)


def needed_letters(what: Derivation, pinned: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """The letters a value needs when the results named in `pinned` (by id) are given."""
    wanted = _mentioned(what)
    for name in wanted & set(what.uses):
        use = what.uses[name]
        if use.derivation.id not in pinned:
            for inner in needed_letters(use.derivation, pinned):
                wanted = wanted | set(names_in(use.arguments[inner]))
    return tuple(name for name in what.letters if name in wanted)


def used_results(what: Derivation) -> dict[str, set[str]]:
    """Every letter that names a used result, here or further down, and the ids it names."""
    found: dict[str, set[str]] = {}
    for name, use in what.uses.items():
        found.setdefault(name, set()).add(use.derivation.id)
        for inner, ids in used_results(use.derivation).items():
            found.setdefault(inner, set()).update(ids)
    return found


def _mentioned(what: Derivation) -> set[str]:
    """Letters and used results in the result and in the conditions."""
    mentioned = set(names_in(what.result))
    for given in what.conditions:
        mentioned |= _letters_of(given)
    return mentioned


def _letters_of(given: Given) -> set[str]:
    if isinstance(given, Divides):
        return {given.divisor, given.multiple}
    return set(names_in(given))


def check_conditions(what: Derivation, values: Mapping[str, Value]) -> None:
    """Raise DoesNotApplyError for the first condition that these values violate."""
    for text, given in zip(what.given, what.conditions, strict=True):
        if not given_holds(given, values):
            raise DoesNotApplyError(violation(what, text, _letters_of(given), values))


def unfolded(
    what: Derivation, node: Expr | None = None, pinned: Mapping[str, Value] | None = None
) -> Expr:
    """The result (or another formula of the chain) with used results put in, down to letters."""
    inside = {name: unfolded_use(use, pinned) for name, use in what.uses.items()}
    return substitute(what.result if node is None else node, inside)


def unfolded_use(use: Use, pinned: Mapping[str, Value] | None = None) -> Expr:
    """A used result as an expression of its user's letters; a pinned one as its value."""
    if pinned and use.derivation.id in pinned:
        return Num(rational(pinned[use.derivation.id]))
    return substitute(unfolded(use.derivation, None, pinned), use.arguments)


def opaque(use: Use) -> Opaque:
    """A used result as proofs see it: its value at given letters, and what stands for it."""

    def at(values: Mapping[str, Value]) -> Value:
        try:
            return value_of_use(use, values)
        except DoesNotApplyError as error:
            raise DoesNotEvaluateError(str(error)) from error

    return Opaque(at, lambda: unfolded_use(use), use.derivation.unit)
