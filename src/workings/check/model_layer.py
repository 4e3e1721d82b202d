"""A formula of a document beside that of the catalogue's entry which a comment names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from workings import catalogue
from workings.check.catalogue_comments import Named, unknown
from workings.check.comparing import Outcome, compare
from workings.check.steps import Judgement, Step
from workings.check.verdicts import Explanation
from workings.derivation import Derivation
from workings.evaluation import unfolded
from workings.formula import Expr, Name, Num, names_in, plain, substitute


def beside_catalogue(named: Named, step: Step) -> tuple[Judgement, tuple[Explanation, ...]]:
    """The document's formula against the derivation's result."""
    written = step.right.expression
    assert written is not None  # noqa: S101 - chosen so
    if named.id not in catalogue.files():
        return Judgement(Outcome("undecided", reason=unknown(named.id)), "model"), ()
    what = catalogue.get(named.id)
    ours = _ours(what, named.letters)
    read_as = f"{plain(written)}, where {what.id} gives {plain(ours)}"
    strange = [name for name in names_in(written) if name not in names_in(ours)]
    outcome = compare(ours, "=", written)
    if outcome.verdict == "undecided" and strange:
        reason = f"{what.id} has no letter {strange[0]}, expected one of {', '.join(names_in(ours))}"
        outcome = Outcome("undecided", reason=reason, written=plain(written), expected=plain(ours))
    if outcome.verdict == "wrong":
        said = outcome.reason.replace("left side is", f"{what.id} gives").replace(
            "right side", "the page"
        )
        outcome = replace(outcome, reason=said)
    found = Judgement(outcome, "model", read_as, (ours, written))
    return found, tuple(_instead(what, written, named)) if outcome.verdict in ("wrong", "unit") else ()


def _ours(what: Derivation, letters: dict[str, str]) -> Expr:
    """The result down to letters, in the document's letters."""
    return substitute(unfolded(what), {ours: _written(theirs) for ours, theirs in letters.items()})


def _written(theirs: str) -> Expr:
    """The letter that the document writes, or the number: `N=8`."""
    return Num(Fraction(theirs)) if theirs.isdecimal() else Name(theirs)


def _instead(what: Derivation, written: Expr, named: Named) -> Iterator[Explanation]:
    """Other entries of the topic whose formula was written."""
    topic = catalogue.files()[what.id].parent.name
    for other in catalogue.every(topic):
        if other.id == what.id or other.unit != what.unit or other.head is None:
            continue
        ours = _ours(other, named.letters)
        if set(names_in(ours)) == set(names_in(written)) and compare(ours, "=", written).verdict == "ok":
            yield Explanation("another-formula", f"this is the formula of {other.id}: {other.title}")
            return
