"""The exact value of a derivation, and of the results it uses, at given letters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workings.derivation import Derivation, Use
    from workings.vocabulary.kinds import Kind

from workings.derivation.pins import (
    Pinned,
    Spot,
    argument_letters,
    form_of,
    letters_of,
    mentioned,
    pinned_use,
    replaced,
)
from workings.derivation.violated import violation
from workings.errors import UserError
from workings.formula import (
    Add,
    DoesNotEvaluateError,
    Expr,
    Name,
    Num,
    Relations,
    Value,
    evaluate,
    names_in,
    plain,
    substitute,
)
from workings.formula.exact import compare
from workings.formula.interval import rational
from workings.proof.setting import Opaque, given_holds
from workings.units import Quantity


class DoesNotApplyError(UserError):
    """A condition of a derivation is violated: it has no value there; `instead` names what has one."""

    def __init__(self, message: str, instead: str = "") -> None:
        super().__init__(message)
        self.instead = instead


def value_of(
    what: Derivation,
    values: Mapping[str, Value],
    pinned: Pinned | None = None,
    memo: dict[Any, Value] | None = None,
) -> Value:
    """The exact value in base units, each used result evaluated once per arguments.

    `pinned` gives results or letters further down instead of evaluating them. Raises
    DoesNotApplyError where a condition is violated, DoesNotEvaluateError where a letter is missing.
    """
    pinned, memo = pinned or {}, {} if memo is None else memo
    form = form_of(what, pinned)
    letters = needed_letters(what, pinned)
    missing = [name for name in letters if name not in values]
    if missing:
        needs = ", ".join(f"{n} ({what.letters[n].meaning})" for n in missing)
        names = ", ".join(what.letters[n].name for n in missing)
        raise DoesNotEvaluateError(f"{what.id} needs {needs}: set {names}")
    inside = {name: values[name] for name in letters}
    key = (what.id, tuple(inside.items()))
    if key not in memo:
        unknown = what.solved_letter if isinstance(form, Relations) else None
        for name in sorted(mentioned(what, form) & set(what.uses)) if pinned else what.needed_uses:
            if unknown is None or unknown not in letters_of_use(what, name, pinned):
                inside[name] = used_value(what, name, values, pinned, memo)
        if isinstance(form, Relations):
            memo[key] = boundary(what, form, inside, pinned)
        else:
            check_conditions(what, inside)
            memo[key] = evaluate(form, inside)
    return memo[key]


def used_value(
    what: Derivation,
    name: str,
    values: Mapping[str, Value],
    pinned: Pinned | None = None,
    memo: dict[Any, Value] | None = None,
) -> Value:
    """The exact value of a result that a derivation uses under this letter."""
    pinned, use = pinned or {}, what.uses[name]
    wanted = {} if replaced(what, name, pinned) else arguments_of(use, values, pinned)
    given = pinned_use(what, name, wanted, pinned)
    return value_of(use.derivation, wanted, pinned, memo) if given is None else given


def arguments_of(use: Use, values: Mapping[str, Value], pinned: Pinned) -> dict[str, Value]:
    """What the letters of a used result are, at the values of its user's letters."""
    wanted = {*needed_letters(use.derivation, pinned), *argument_letters(use.derivation.id, pinned)}
    given = {n: pinned[spot] for n in wanted if (spot := Spot(use.derivation.id, n)) in pinned}
    return {n: given[n] if n in given else evaluate(_argument(use, n), values) for n in wanted}


def letters_of_use(what: Derivation, name: str, pinned: Pinned) -> set[str]:
    """The letters of a derivation that a result it uses is worked out from."""
    if name not in what.uses or replaced(what, name, pinned):
        return set()
    use = what.uses[name]
    wanted = {*needed_letters(use.derivation, pinned), *argument_letters(use.derivation.id, pinned)}
    free = [n for n in wanted if Spot(use.derivation.id, n) not in pinned]
    return {letter for inner in free for letter in names_in(_argument(use, inner))}


def _argument(use: Use, letter: str) -> Expr:
    """What a used result's letter is to its user. Raises DoesNotApplyError where that does not say it."""
    if letter not in use.arguments:  # it cancels from the result, but not from the line before it
        needs = f"{use.derivation.id} does not apply: with a result of it given, it needs {letter}"
        raise DoesNotApplyError(f"{needs}, which is not said where it is used")
    return use.arguments[letter]


def needed_letters(what: Derivation, pinned: Pinned | None = None) -> tuple[str, ...]:
    """The letters a value needs when the results and letters in `pinned` are given."""
    return letters_needed(what, pinned) if pinned else what.needed


def letters_needed(what: Derivation, pinned: Pinned) -> tuple[str, ...]:
    """The same, worked out: a derivation keeps its own letters once they are found."""
    form = form_of(what, pinned)
    wanted = mentioned(what, form)
    for name in wanted & set(what.uses):
        wanted = wanted | letters_of_use(what, name, pinned)
    unknown = what.solved_letter if isinstance(form, Relations) else None
    return tuple(name for name in what.letters if name in wanted and name != unknown)


def boundary(
    what: Derivation, condition: Relations, values: Mapping[str, Value], pinned: Pinned
) -> Value:
    """Where a condition that is not solved for the chain's letter begins or ceases to hold.

    Raises DoesNotApplyError where that is nowhere, or at more places than one.
    """
    from workings.proof.closed_form import critical_points  # noqa: PLC0415 - loads SymPy

    letter = what.solved_letter or ""
    if {name for given in what.conditions for name in letters_of(given)} <= set(values):
        check_conditions(what, values)
    gap = unfolded(what, Add(condition.first, (("-", condition.rest[0][1]),)), pinned)
    known = {n: rational(v) for n, v in values.items() if n in what.letters}
    points = critical_points(gap, letter, known) if letter in names_in(gap) else []
    found = _turning([point for point in points if point > 0], gap, letter, known)
    if len(found) != 1:
        says = plain(condition, units=False)
        where = f"at {len(found)} places" if found else "nowhere"
        raise DoesNotApplyError(
            f"{what.id} does not apply: with what is set, {says} begins or ceases to hold {where} as "
            f"{letter} grows, expected one place"
        )
    return found[0]


def _turning(
    points: list[Fraction], gap: Expr, letter: str, known: Mapping[str, Fraction]
) -> list[Fraction]:
    """The points, of those in ascending order, at which a formula of one letter changes its sign."""
    ends = [Fraction(0), *points, 2 * points[-1] if points else Fraction(1)]
    between = [(low + high) / 2 for low, high in pairwise(ends)]
    above = [compare(evaluate(gap, {**known, letter: at}), ">", Fraction(0)) for at in between]
    return [point for point, (low, high) in zip(points, pairwise(above), strict=True) if low != high]


def check_conditions(what: Derivation, values: Mapping[str, Value]) -> None:
    """Raise DoesNotApplyError for the first condition that these values violate."""
    for text, given in zip(what.given, what.conditions, strict=True):
        if not given_holds(given, values):
            instead = what.holds_for.get(text, "")
            hint = f"; {instead} answers here" if instead else ""
            said = violation(what, text, letters_of(given), values)
            raise DoesNotApplyError(f"{said}{hint}", instead)


def check_kinds(
    what: Derivation,
    figures: Mapping[str, Quantity],
    pinned: Pinned | None = None,
    find: Callable[[str], Derivation] | None = None,
) -> None:
    """Raise DoesNotApplyError where a formula is for another kind of model or network than this.

    `figures` are a scenario's, `pinned` gives results: what lies below those is not used. `find` gives
    the entry of an id; with it the one named is the one that answers here.
    """
    missed = _kind_missed(what, figures, pinned or {})
    if missed is None:
        return
    owner, kind = missed
    instead = owner.kinds[kind]
    if find is not None:
        instead = _answers_here(instead, figures, find)
    whose = what.id if owner is what else f"{what.id} uses another result: {owner.id}"
    hint = f"; {instead} answers here" if instead else ""
    raise DoesNotApplyError(
        f"{whose} does not apply: it is for {kind.says}, and {kind.otherwise}{hint}", instead
    )


def _kind_missed(
    what: Derivation, figures: Mapping[str, Quantity], pinned: Pinned
) -> tuple[Derivation, Kind] | None:
    """The first kind that the scenario is not of, and the entry that asks for it.

    What an entry says of models stands for all that it uses; one that says nothing is for the models
    that its results are for, where it hands them the model's own figures on. So with networks.
    """
    for kind in what.kinds:
        here = any(key.startswith(f"{kind.about}.") for key in figures)  # a model alone has no network
        if here and not kind.shown_by(figures):
            return what, kind
    said = {kind.about for kind in what.kinds}
    for name in sorted(mentioned(what, form_of(what, pinned)) & set(what.uses)):
        use = what.uses[name]
        if replaced(what, name, pinned):
            continue
        missed = _kind_missed(use.derivation, figures, pinned)
        if missed and missed[1].about not in said and _hands_on(what, use, missed[1].about):
            return missed
    return None


def _hands_on(what: Derivation, use: Use, section: str) -> bool:
    """Whether a used result is of the user's own model (or network): none of its figures is changed."""
    return all(
        isinstance(argument, Name) and what.letters.get(argument.id) == use.derivation.letters[letter]
        for letter, argument in use.arguments.items()
        if (use.derivation.letters[letter].supplied or "").startswith(section + ".")
    )


def _answers_here(id_: str, figures: Mapping[str, Quantity], find: Callable[[str], Derivation]) -> str:
    """The entry that answers in place of another: the one named, or the one that that one names."""
    seen: set[str] = set()
    while id_ and id_ not in seen:
        seen.add(id_)
        missed = _kind_missed(find(id_), figures, {})
        if missed is None:
            return id_
        owner, kind = missed
        id_ = owner.kinds[kind]
    return ""


def unfolded(what: Derivation, node: Expr | None = None, pinned: Pinned | None = None) -> Expr:
    """The result (or another formula of the chain) with used results put in, down to letters."""
    pinned = pinned or {}
    form = form_of(what, pinned) if node is None else node
    if isinstance(form, Relations):
        raise DoesNotApplyError(f"{what.id}: what is set leaves a condition, no formula to put in")
    inside = {name: _unfolded_use(what, name, pinned) for name in what.uses if name in names_in(form)}
    return substitute(form, inside)


def _unfolded_use(what: Derivation, name: str, pinned: Pinned) -> Expr:
    """A used result as an expression of its user's letters; a given one as its value."""
    use = what.uses[name]
    if replaced(what, name, pinned):
        given = pinned_use(what, name, {}, pinned)
        return Num(rational(given if given is not None else Fraction(0)))
    arguments = dict(use.arguments)
    spots = {inner: Spot(use.derivation.id, inner) for inner in arguments}
    fixed = {inner: Num(rational(pinned[spot])) for inner, spot in spots.items() if spot in pinned}
    return substitute(unfolded(use.derivation, None, pinned), {**arguments, **fixed})


def opaque(use: Use) -> Opaque:
    """A used result as proofs see it: its value at given letters, and what stands for it."""

    def at(values: Mapping[str, Value]) -> Value:
        try:
            return value_of(use.derivation, arguments_of(use, values, {}))
        except DoesNotApplyError as error:
            raise DoesNotEvaluateError(str(error)) from error

    def unfold() -> Expr:
        return substitute(unfolded(use.derivation), use.arguments)

    return Opaque(at, unfold, use.derivation.unit)
